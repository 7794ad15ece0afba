#pragma once

#include "engine/api/Run.h"
#include "engine/api/RunConfig.h"
#include "engine/api/Token.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace engine {

// The words and forms that the trace writer and the trace reader share.

inline constexpr std::string_view traceFormat = "tokenscope-trace";
inline constexpr int traceVersion = 1;

constexpr std::string_view name(TokenKind kind)
{
    switch (kind) {
    case TokenKind::Normal:
        return "normal";
    case TokenKind::Byte:
        return "byte";
    case TokenKind::Control:
        return "control";
    case TokenKind::UserDefined:
        return "user-defined";
    case TokenKind::Unknown:
        return "unknown";
    case TokenKind::Unused:
        return "unused";
    }
    return "normal";
}

inline constexpr std::array allTokenKinds = {TokenKind::Normal,  TokenKind::Byte,
                                             TokenKind::Control, TokenKind::UserDefined,
                                             TokenKind::Unknown, TokenKind::Unused};
inline constexpr std::array allTokenOrigins = {TokenOrigin::Prompt, TokenOrigin::Special,
                                               TokenOrigin::Bos, TokenOrigin::Generated,
                                               TokenOrigin::Forced};
inline constexpr std::array allStopReasons = {StopReason::MaxNewTokens, StopReason::StopToken,
                                              StopReason::StopText, StopReason::ContextFull,
                                              StopReason::Cancelled};
inline constexpr std::array allDecodingRules = {DecodingRule::Greedy, DecodingRule::Sample};
inline constexpr std::array allSamplingStages = {
    SamplingStage::UnnamedIds,  SamplingStage::RepetitionPenalty,
    SamplingStage::Temperature, SamplingStage::TopK,
    SamplingStage::TopP,        SamplingStage::MinP};

/// The value called `word`, of one of the lists above.
template <typename Values>
constexpr std::optional<typename Values::value_type> valueNamed(std::string_view word,
                                                                const Values& values)
{
    for (const auto value : values)
        if (name(value) == word)
            return value;
    return std::nullopt;
}

/// Lower-case hexadecimal digits, two a byte.
std::string toHex(std::string_view bytes);
/// Nothing where `digits` are not pairs of hexadecimal digits.
std::optional<std::string> fromHex(std::string_view digits);

/// The stages comma-separated, as in `--order` and "order".
std::string orderText(const std::vector<SamplingStage>& order);

} // namespace engine
