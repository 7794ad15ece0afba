#include "engine/generation/StepCompare.h"

#include "engine/generation/TraceFile.h"

#include <algorithm>
#include <cmath>

namespace engine {

namespace {

/// Far below what can move a pick, and above what another order of summing does.
constexpr double probabilityRounding = 1e-9;

template <typename Differ>
bool anyCommonCandidate(const Step& a, const Step& b, const Differ& differ)
{
    for (const Candidate& candidate : a.candidates)
        if (const Candidate* other = b.find(candidate.piece.id))
            if (differ(candidate, *other))
                return true;
    return false;
}

/// Traces of earlier programs do not.
bool tellsPaths(const Step& step)
{
    return std::any_of(step.candidates.begin(), step.candidates.end(),
                       [](const Candidate& candidate) { return !candidate.path.empty(); });
}

void forgetPaths(Step& step)
{
    for (Candidate& candidate : step.candidates)
        candidate.path.clear();
    for (StageTrace& stage : step.stages)
        stage.largestProbability = 0;
}

} // namespace

bool logitsDiffer(const Step& a, const Step& b)
{
    if (!a.logitsSha256.empty() && !b.logitsSha256.empty())
        return a.logitsSha256 != b.logitsSha256;
    return a.argmax != b.argmax || anyCommonCandidate(a, b, [](const auto& x, const auto& y) {
               return x.logit != y.logit;
           });
}

bool probabilitiesDiffer(const Step& a, const Step& b)
{
    return a.rule != b.rule || anyCommonCandidate(a, b, [](const auto& x, const auto& y) {
               return x.removedBy != y.removedBy ||
                      std::abs(x.finalProbability - y.finalProbability) > probabilityRounding;
           });
}

bool picksDiffer(const Step& a, const Step& b)
{
    return a.picked != b.picked || pickedPiece(a).bytes != pickedPiece(b).bytes;
}

bool equalButTimings(const Step& a, const Step& b)
{
    const bool bothTell = tellsPaths(a) && tellsPaths(b);
    const auto written = [bothTell](Step step) {
        step.timings = {};
        step.watched.clear(); // what was looked at changes nothing of what happened
        if (!bothTell)
            forgetPaths(step);
        return traceStepLine(step);
    };
    return a.sampling == b.sampling && written(a) == written(b);
}

TokenPiece pickedPiece(const Step& step)
{
    const Candidate* candidate = step.find(step.picked);
    return candidate != nullptr ? candidate->piece : TokenPiece{step.picked, {}, TokenKind::Normal};
}

} // namespace engine
