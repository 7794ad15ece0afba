#pragma once

#include "engine/api/Step.h"

#include <optional>
#include <vector>

namespace ui {

/// A slice of the unit bar: the part of [0, 1) in which a random number picks this token.
struct DrawSegment
{
    double low = 0;
    double high = 0;
    std::optional<engine::TokenPiece> piece; ///< nothing: tokens that the step does not list
    bool isArgmax = false;
    bool isPicked = false; ///< what the rule chose: where u landed, or the largest

    bool operator==(const DrawSegment&) const = default;
};

/// The unit bar from left to right, without gaps. For a draw these are the final probabilities in
/// descending order, ties by smaller id, and the picked slice is exactly the step's
/// [draw.low, draw.high); for greedy the probabilities in rank order.
std::vector<DrawSegment> drawSegments(const engine::Step& step);

} // namespace ui
