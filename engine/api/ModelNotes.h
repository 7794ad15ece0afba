#pragma once

#include "engine/api/RunConfig.h"
#include "engine/api/Token.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace engine {

/// The decoding settings that a model's own file suggests. They are offered, never applied by
/// themselves. What the file leaves open is nothing here and stays as the user has it.
struct SamplingDefaults
{
    std::string origin; ///< "generation_config.json" or "GGUF general.sampling"
    std::optional<DecodingRule> rule;
    std::optional<double> temperature;
    std::optional<std::int64_t> topK;
    std::optional<double> topP;
    std::optional<double> minP;
    std::optional<double> repetitionPenalty;

    bool isEmpty() const
    {
        return !rule && !temperature && !topK && !topP && !minP && !repetitionPenalty;
    }

    /// `config` with what is suggested in the place of its own values.
    SamplingConfig appliedTo(SamplingConfig config) const
    {
        config.rule = rule.value_or(config.rule);
        config.temperature = temperature.value_or(config.temperature);
        config.topK = topK.value_or(config.topK);
        config.topP = topP.value_or(config.topP);
        config.minP = minP.value_or(config.minP);
        config.repetitionPenalty = repetitionPenalty.value_or(config.repetitionPenalty);
        return config;
    }

    bool operator==(const SamplingDefaults&) const = default;
};

/// A token that ends a run, and what says so: a file ("generation_config.json"), a metadata key, or
/// a role or name of the tokenizer's.
struct StopToken
{
    TokenPiece piece;
    std::string origin;

    bool operator==(const StopToken&) const = default;
};

/// Whether a prompt can be put into the model's chat format.
struct ChatSupport
{
    bool hasTemplate = false; ///< the model's files have one, whether it can be used or not
    bool usable = false;
    std::string reason; ///< why it is not usable, as a sentence without its full stop; else empty

    bool operator==(const ChatSupport&) const = default;
};

/// What is said about a model beside what a run records of it (ModelInfo, TokenizerInfo).
struct ModelNotes
{
    std::uint64_t fileBytes = 0; ///< of all files of the model: weights and configuration
    SamplingDefaults sampling;
    std::vector<StopToken> stopTokens;
    ChatSupport chat;
    std::vector<std::string> warnings; ///< of the model's files, those of the tokenizer included

    bool operator==(const ModelNotes&) const = default;
};

} // namespace engine
