#pragma once

#include "engine/api/Run.h"
#include "engine/api/Step.h"

#include <cstddef>
#include <optional>

namespace engine {

// Comparisons of one step of two runs, from what traces hold. Traces may list different numbers of
// candidates; only those in both are compared.

bool logitsDiffer(const Step& a, const Step& b);
/// Also where one is greedy and the other draws.
bool probabilitiesDiffer(const Step& a, const Step& b);
/// Another token picked, or another text for it.
bool picksDiffer(const Step& a, const Step& b);
/// Every value but the timings, and but what the stages saw of the candidates where one does not
/// tell it.
bool equalButTimings(const Step& a, const Step& b);

/// The piece of the token that the step picked.
TokenPiece pickedPiece(const Step& step);

/// The first of the steps that both runs have where `differ` holds.
template <typename Differ>
std::optional<std::size_t> firstStepWhere(const Run& a, const Run& b, const Differ& differ)
{
    for (std::size_t i = 0; i < a.steps.size() && i < b.steps.size(); ++i)
        if (differ(a.steps[i], b.steps[i]))
            return i;
    return std::nullopt;
}

} // namespace engine
