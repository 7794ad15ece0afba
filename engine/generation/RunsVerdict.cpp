#include "engine/generation/RunsVerdict.h"

#include "engine/generation/SettingDifferences.h"
#include "engine/generation/TraceDiff.h"

namespace engine {

namespace {

std::string describe(const StartingContext& context)
{
    const std::size_t count = context.tokens.size();
    return std::to_string(count) + (count == 1 ? " token" : " tokens");
}

std::string describe(const RunConfig& config)
{
    const SamplingConfig& sampling = config.sampling;
    return sampling.rule == DecodingRule::Greedy
               ? std::string(name(sampling.rule))
               : std::string(name(sampling.rule)) + ", seed " + std::to_string(sampling.seed);
}

std::string describe(const ModelInfo& model)
{
    return model.name + (model.quantization.empty() ? "" : " " + model.quantization);
}

std::string describe(const TokenizerInfo& tokenizer)
{
    return tokenizer.kind + " of " + std::to_string(tokenizer.vocabularySize);
}

} // namespace

RunsVerdict verdictOn(const Run& a, const Run& b)
{
    const TraceDiff diff = diffTraces(a, b);
    const auto [settingsA, settingsB] = comparedSettings(a, b);
    RunsVerdict verdict;
    verdict.settings = settingDifferences(settingsA, settingsB);
    verdict.inputs = {
        {RunInput::Context, diff.sameContext, describe(a.context), describe(b.context),
         a.context.sha256, b.context.sha256},
        {RunInput::Settings, diff.sameSettings, describe(settingsA), describe(settingsB),
         settingsDigest(settingsA), settingsDigest(settingsB)},
        {RunInput::Model, diff.sameModel, describe(a.model), describe(b.model), a.model.sha256,
         b.model.sha256},
        {RunInput::Tokenizer, diff.sameTokenizer, describe(a.tokenizer), describe(b.tokenizer),
         a.tokenizer.sha256, b.tokenizer.sha256},
    };
    verdict.same = diff.same;
    if (diff.parted) {
        verdict.partAt = diff.parted->step;
        verdict.stage = name(diff.parted->stage);
    }
    verdict.sentence = diff.sentence;
    return verdict;
}

} // namespace engine
