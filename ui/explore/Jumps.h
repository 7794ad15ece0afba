#pragma once

#include "engine/api/Run.h"

#include <optional>

namespace ui {

/// What a jump looks for.
enum class JumpTo
{
    Uncertain, ///< as undecided as between `uncertainFrom` equally likely tokens, or more
    NotArgmax, ///< the pick was not the most probable token
};

constexpr double uncertainFrom = 4; ///< effective choices: an entropy of 2 bits

bool isTarget(const engine::Step& step, JumpTo target);

/// The nearest such step after `from` (direction 1) or before it (-1); nothing where there is none.
std::optional<int> findStep(const engine::Run& run, int from, int direction, JumpTo target);

} // namespace ui
