#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// Greedy takes the argmax; Sample draws from the distribution that the chain left.
enum class DecodingRule
{
    Greedy,
    Sample,
};

/// What happens to the candidates between softmax and pick: first the mask, which is no setting,
/// then the stages of the sampling chain, in their default order.
enum class SamplingStage
{
    /// Takes out the ids that the tokenizer has no name for: a model's vocabulary may be padded
    /// beyond its tokenizer's, and such an id could be neither shown nor read again.
    UnnamedIds,
    RepetitionPenalty,
    Temperature,
    TopK,
    TopP,
    MinP,
};

constexpr std::string_view name(DecodingRule rule)
{
    return rule == DecodingRule::Greedy ? "greedy" : "sample";
}

/// The names used by `--order`, in traces (`removed_by`) and on screen.
constexpr std::string_view name(SamplingStage stage)
{
    switch (stage) {
    case SamplingStage::UnnamedIds:
        return "unnamed-ids";
    case SamplingStage::RepetitionPenalty:
        return "repetition-penalty";
    case SamplingStage::Temperature:
        return "temperature";
    case SamplingStage::TopK:
        return "top-k";
    case SamplingStage::TopP:
        return "top-p";
    case SamplingStage::MinP:
        return "min-p";
    }
    return "";
}

/// How the next token is chosen from the logits. Each default means "off" but for temperature,
/// where 1 leaves the logits as they are. Greedy ignores the chain but for the repetition penalty.
struct SamplingConfig
{
    DecodingRule rule = DecodingRule::Greedy;
    double temperature = 1.0;       ///< >= 0; 0 means greedy
    std::int64_t topK = 0;          ///< >= 0; 0 = off
    double topP = 1.0;              ///< in [0, 1]; 1 = off; at least one token always stays
    double minP = 0.0;              ///< in [0, 1]; 0 = off
    double repetitionPenalty = 1.0; ///< > 0; 1 = off
    std::vector<SamplingStage> order = {SamplingStage::RepetitionPenalty,
                                        SamplingStage::Temperature, SamplingStage::TopK,
                                        SamplingStage::TopP, SamplingStage::MinP};
    std::uint64_t seed = 0;

    bool operator==(const SamplingConfig&) const = default;
};

/// All settings that can change the output of a run, beside its context, model and tokenizer.
struct RunConfig
{
    SamplingConfig sampling;
    int maxNewTokens = 25;              ///< >= 0
    std::vector<std::string> stopTexts; ///< the run ends when the generated text contains one
    bool ignoreStopTokens = false;
    std::optional<bool> addSpecialTokens; ///< nothing: as the model's tokenizer says
    bool parseSpecial = false; ///< special tokens written in the prompt are taken as such
    bool chat = false;         ///< wrap the prompt with the model's chat template
    int topCandidates = 20;    ///< candidates recorded for each step, >= 1

    bool operator==(const RunConfig&) const = default;
};

} // namespace engine
