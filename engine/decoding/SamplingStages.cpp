#include "engine/decoding/SamplingStages.h"

#include "engine/decoding/RunningSum.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace engine {

std::int64_t repetitionPenalty(CandidateSet& candidates, double penalty,
                               std::span<const TokenId> context)
{
    std::vector<TokenId> distinct(context.begin(), context.end());
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    // A penalty next to 0 or beyond all measure ends at the largest number rather than at infinity,
    // of which no softmax could be taken.
    constexpr double largest = std::numeric_limits<double>::max();
    std::int64_t altered = 0;
    for (const TokenId id : distinct) {
        const auto position = candidates.positionOf(id);
        if (!position)
            continue;
        const double logit = candidates.logitAt(*position);
        const double penalised = logit > 0 ? logit / penalty : logit * penalty;
        if (penalised == logit)
            continue;
        candidates.setLogit(*position, std::clamp(penalised, -largest, largest));
        ++altered;
    }
    return altered;
}

std::vector<std::int32_t> topK(const CandidateSet& candidates, std::int64_t k)
{
    const auto size = static_cast<std::int64_t>(candidates.size());
    return candidates.largest(static_cast<std::size_t>(std::min(k, size)));
}

std::vector<std::int32_t> topP(CandidateSet& candidates, double p)
{
    const std::span<const double> probabilities = candidates.probabilities();
    const auto crossing = firstCrossing(probabilities, p, Bound::Reach);
    std::vector<std::int32_t> kept;
    if (!crossing) { // rounding left the whole sum below p
        kept.resize(probabilities.size());
        std::iota(kept.begin(), kept.end(), 0);
        return kept;
    }
    const std::size_t last = crossing->position; // the least probable one kept
    const double least = probabilities[last];
    for (std::size_t i = 0; i < probabilities.size(); ++i)
        if (probabilities[i] > least || (probabilities[i] == least && i <= last))
            kept.push_back(static_cast<std::int32_t>(i));
    return kept;
}

std::vector<std::int32_t> minP(CandidateSet& candidates, double p)
{
    // Weights are probabilities relative to the largest.
    const std::span<const double> weights = candidates.weights();
    std::vector<std::int32_t> kept;
    for (std::size_t i = 0; i < weights.size(); ++i)
        if (weights[i] >= p)
            kept.push_back(static_cast<std::int32_t>(i));
    return kept;
}

} // namespace engine
