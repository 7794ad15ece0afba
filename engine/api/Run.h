#pragma once

#include "engine/api/ModelInfo.h"
#include "engine/api/RunConfig.h"
#include "engine/api/Step.h"
#include "engine/api/Token.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

enum class StopReason
{
    MaxNewTokens,
    StopToken,
    StopText,
    ContextFull,
    Cancelled,
};

/// The names of the trace format: "max-new-tokens", "stop-token", ...
constexpr std::string_view name(StopReason reason)
{
    switch (reason) {
    case StopReason::MaxNewTokens:
        return "max-new-tokens";
    case StopReason::StopToken:
        return "stop-token";
    case StopReason::StopText:
        return "stop-text";
    case StopReason::ContextFull:
        return "context-full";
    case StopReason::Cancelled:
        return "cancelled";
    }
    return "";
}

/// The starting context of a run: the text as given and what the tokenizer made of it.
struct StartingContext
{
    std::string text;                 ///< UTF-8, as the user gave it; empty when given as ids
    std::vector<ContextToken> tokens; ///< with BOS where the tokenizer adds one
    std::string sha256;               ///< of the ids as little-endian int32

    bool operator==(const StartingContext&) const = default;
};

/// One run: the four inputs, what was seen at each step, and why it ended. This is what a trace
/// file holds and what the window draws, whether it came from a model or from a file.
struct Run
{
    std::string program; ///< "tokenscope x.y.z" that made it
    StartingContext context;
    RunConfig settings;
    /// Of a trace: the settings, by its names, that it does not give and that stand at their
    /// defaults here.
    std::vector<std::string> unstatedSettings;
    ModelInfo model;
    TokenizerInfo tokenizer;
    std::vector<Step> steps;
    std::optional<StopReason> stop; ///< nothing: it can still go on
    std::vector<TokenPiece> output; ///< the generated tokens, without a stop token that ended it
    std::string outputBytes;        ///< exactly the bytes the output ids decode to
};

} // namespace engine
