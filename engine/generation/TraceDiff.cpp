#include "engine/generation/TraceDiff.h"

#include "engine/generation/InputCompare.h"
#include "engine/generation/StepCompare.h"
#include "engine/generation/TraceDiffSentence.h"

namespace engine {

namespace {

bool sameSettings(const Run& a, const Run& b)
{
    RunConfig other = b.settings;
    other.topCandidates = a.settings.topCandidates;
    // Settings may have been changed in the middle of a run.
    return a.settings == other && !firstStepWhere(a, b, [](const Step& x, const Step& y) {
               return x.sampling != y.sampling;
           });
}

std::optional<TraceDiff::Parting> findParting(const Run& a, const Run& b, bool sameContext)
{
    if (!sameContext)
        return TraceDiff::Parting{0, DiffStage::Ids};
    const auto at = firstStepWhere(a, b, picksDiffer);
    if (!at)
        return std::nullopt;
    const Step& x = a.steps[*at];
    const Step& y = b.steps[*at];
    const int step = static_cast<int>(*at);
    if (logitsDiffer(x, y))
        return TraceDiff::Parting{step, DiffStage::Logits};
    if (probabilitiesDiffer(x, y))
        return TraceDiff::Parting{step, DiffStage::Chain};
    return TraceDiff::Parting{step, x.picked != y.picked ? DiffStage::Draw : DiffStage::Text};
}

bool equalOutcome(const Run& a, const Run& b)
{
    return a.steps.size() == b.steps.size() && a.stop == b.stop && a.output == b.output &&
           a.outputBytes == b.outputBytes && a.settings.topCandidates == b.settings.topCandidates &&
           !firstStepWhere(a, b,
                           [](const Step& x, const Step& y) { return !equalButTimings(x, y); });
}

} // namespace

const char* name(DiffStage stage)
{
    switch (stage) {
    case DiffStage::Ids:
        return "ids";
    case DiffStage::Logits:
        return "logits";
    case DiffStage::Chain:
        return "chain";
    case DiffStage::Draw:
        return "draw";
    case DiffStage::Text:
        return "text";
    }
    return "";
}

TraceDiff diffTraces(const Run& a, const Run& b)
{
    TraceDiff diff;
    diff.sameContext = sameIds(a.context, b.context);
    diff.sameSettings = sameSettings(a, b);
    diff.sameModel = sameModel(a.model, b.model);
    diff.sameTokenizer = sameTokenizer(a.tokenizer, b.tokenizer);
    diff.same = diff.sameContext && diff.sameSettings && diff.sameModel && diff.sameTokenizer &&
                equalOutcome(a, b);
    diff.parted = findParting(a, b, diff.sameContext);
    diff.sentence = diffSentence(a, b, diff);
    return diff;
}

} // namespace engine
