#pragma once

#include "engine/api/Run.h"
#include "engine/api/Step.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

namespace engine {

// What is said of a step and of a run in one number. Each follows from recorded values alone; the
// distribution is always the softmax of the logits at temperature 1, before any setting. Thread:
// any, all are pure. Source of the formulas: Shannon 1948, "A Mathematical Theory of
// Communication"; perplexity: Jelinek et al. 1977.

/// ln p of the picked token, as its logit less the recorded log-sum-exp; nothing where the step
/// does not list its pick.
inline std::optional<double> logProbability(const Step& step)
{
    const Candidate* picked = step.find(step.picked);
    if (picked == nullptr)
        return std::nullopt;
    return static_cast<double>(picked->logit) - step.logSumExp;
}

/// 2 to the power of the entropy in bits: that many equally likely tokens would be as undecided.
inline double effectiveChoices(const Step& step)
{
    return std::exp2(step.entropyBits);
}

/// By how much the most probable token leads the next: a difference of logits, 0 for a tie, and of
/// probabilities.
struct Margin
{
    double logit = 0;
    double probability = 0;

    bool operator==(const Margin&) const = default;
};

/// Nothing where the step does not list the tokens of rank 1 and 2.
inline std::optional<Margin> margin(const Step& step)
{
    const auto ranked = [&step](int rank) {
        return std::find_if(step.candidates.begin(), step.candidates.end(),
                            [rank](const Candidate& candidate) { return candidate.rank == rank; });
    };
    const auto first = ranked(1);
    const auto second = ranked(2);
    if (first == step.candidates.end() || second == step.candidates.end())
        return std::nullopt;
    return Margin{static_cast<double>(first->logit) - static_cast<double>(second->logit),
                  first->probability - second->probability};
}

/// The picks of a run from its first step on.
struct RunMetrics
{
    int steps = 0;             ///< that list their pick; the others count for nothing
    double logProbability = 0; ///< sum of ln p over the picks
    /// exp(-sum / steps), the inverse of the geometric mean of their probabilities; 1 for none.
    double perplexity = 1;

    bool operator==(const RunMetrics&) const = default;
};

/// Of the first `count` steps, or all where there are fewer.
inline RunMetrics metricsOfFirst(const Run& run, std::size_t count)
{
    RunMetrics metrics;
    for (std::size_t i = 0; i < std::min(count, run.steps.size()); ++i)
        if (const auto value = logProbability(run.steps[i])) {
            ++metrics.steps;
            metrics.logProbability += *value;
        }
    if (metrics.steps > 0)
        metrics.perplexity = std::exp(-metrics.logProbability / metrics.steps);
    return metrics;
}

} // namespace engine
