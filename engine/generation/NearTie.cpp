#include "engine/generation/NearTie.h"

#include "engine/generation/StepCompare.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace engine {

namespace {

/// How far one score of this step, as the rule compares them but for the temperature, may be off.
double scoreRounding(const Step& step)
{
    double largest = std::max(std::abs(step.minLogit), std::abs(step.maxLogit));
    for (const Candidate& candidate : step.candidates) // a trace may not tell the extremes
        largest = std::max<double>(largest, std::abs(candidate.logit));
    const double penalty = step.sampling.repetitionPenalty;
    return logitRounding * largest * std::max({1.0, penalty, 1.0 / penalty});
}

bool wasDrawn(const Step& step)
{
    return step.draw.has_value();
}

/// The distance of two scores that the rule compared, in units of logits. Greedy decoding compares
/// penalised logits, which only the path tells; a draw shows its scores in the probabilities.
std::optional<double> scoreMargin(const Step& step, const Candidate& a, const Candidate& b)
{
    if (wasDrawn(step)) {
        if (a.finalProbability <= 0 || b.finalProbability <= 0)
            return std::nullopt;
        return std::abs(std::log(a.finalProbability / b.finalProbability)) *
               step.sampling.temperature;
    }
    if (!a.path.empty() && !b.path.empty())
        return std::abs(a.path.back().scoreAfter - b.path.back().scoreAfter);
    if (step.sampling.repetitionPenalty != 1.0)
        return std::nullopt;
    return std::abs(static_cast<double>(a.logit) - static_cast<double>(b.logit));
}

std::optional<CloseCall> scoreCall(const Step& step, const Candidate& picked)
{
    std::optional<CloseCall> nearest;
    for (const Candidate& rival : step.candidates) {
        if (rival.piece.id == picked.piece.id || rival.removedBy)
            continue;
        const auto margin = scoreMargin(step, picked, rival);
        if (margin && (!nearest || *margin < nearest->margin))
            nearest = CloseCall{step.index,   CloseCall::Kind::Scores,
                                *margin,      2 * scoreRounding(step),
                                picked.piece, rival.piece};
    }
    return nearest;
}

/// The piece beside the pick in the order of the draw, before or behind it, where it is listed.
TokenPiece neighbour(const Step& step, const Candidate& picked, bool before)
{
    const auto precedes = [](const Candidate& a, const Candidate& b) {
        return a.finalProbability > b.finalProbability ||
               (a.finalProbability == b.finalProbability && a.piece.id < b.piece.id);
    };
    const Candidate* found = nullptr;
    for (const Candidate& candidate : step.candidates) {
        if (candidate.finalProbability <= 0 || candidate.piece.id == picked.piece.id ||
            precedes(candidate, picked) != before)
            continue;
        if (found == nullptr ||
            (before ? precedes(*found, candidate) : precedes(candidate, *found)))
            found = &candidate;
    }
    return found != nullptr ? found->piece : TokenPiece{};
}

std::optional<CloseCall> drawCall(const Step& step, const Candidate& picked)
{
    if (!wasDrawn(step))
        return std::nullopt;
    constexpr double none = std::numeric_limits<double>::infinity();
    const double below = step.draw->low > 0 ? step.draw->u - step.draw->low : none;
    const double above = step.draw->high < 1 ? step.draw->high - step.draw->u : none;
    const double margin = std::min(below, above);
    if (margin == none)
        return std::nullopt; // the only candidate kept
    const double bound = scoreRounding(step) / step.sampling.temperature / 2;
    return CloseCall{step.index, CloseCall::Kind::Draw, margin,
                     bound,      picked.piece,          neighbour(step, picked, below <= above)};
}

/// Margins of different kinds, each measured by its own bound.
bool isCloser(const CloseCall& a, const CloseCall& b)
{
    return a.margin * b.bound < b.margin * a.bound;
}

} // namespace

std::optional<CloseCall> closestCall(const Step& step)
{
    const Candidate* picked = step.find(step.picked);
    if (step.forced || picked == nullptr)
        return std::nullopt;
    const auto scores = scoreCall(step, *picked);
    const auto draw = drawCall(step, *picked);
    if (!scores || !draw)
        return scores ? scores : draw;
    return isCloser(*draw, *scores) ? draw : scores;
}

std::vector<CloseCall> closeCalls(const Run& run)
{
    std::vector<CloseCall> near;
    std::optional<CloseCall> closest;
    for (const Step& step : run.steps) {
        const auto call = closestCall(step);
        if (!call)
            continue;
        if (call->isNearTie())
            near.push_back(*call);
        if (!closest || isCloser(*call, *closest))
            closest = call;
    }
    if (near.empty() && closest)
        near.push_back(*closest);
    return near;
}

} // namespace engine
