#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace engine {

/// The index of a token in the vocabulary, 0-based; -1 is "none".
struct TokenId
{
    std::int32_t value = -1;

    auto operator<=>(const TokenId&) const = default;
};

enum class TokenKind
{
    Normal,
    Byte,        ///< stands for one raw byte (SentencePiece byte fallback, "<0xE4>")
    Control,     ///< special: begins or ends text, separates turns; not part of the user's words
    UserDefined, ///< added to the vocabulary as a whole, matched before the tokenizer splits
    Unknown,     ///< stands for what the vocabulary cannot say
    Unused,
};

/// All that a chip shows of a token. `bytes` are exactly what it adds to the text; they need not be
/// valid UTF-8 by themselves.
struct TokenPiece
{
    TokenId id;
    std::string bytes;
    TokenKind kind = TokenKind::Normal;

    bool operator==(const TokenPiece&) const = default;
};

/// How a token came into the context.
enum class TokenOrigin
{
    Prompt,  ///< from the user's text
    Special, ///< a special token written in the prompt and parsed as such, or an EOS the tokenizer
             ///< adds
    Bos,     ///< put before the text by the tokenizer's own rule
    Generated, ///< picked by the decoding rule
    Forced,    ///< chosen by the user instead of the rule's pick
};

struct ContextToken
{
    TokenPiece piece;
    TokenOrigin origin = TokenOrigin::Prompt;

    bool operator==(const ContextToken&) const = default;
};

/// The names used in traces and on the command line: "prompt", "special", "bos", ...
constexpr std::string_view name(TokenOrigin origin)
{
    switch (origin) {
    case TokenOrigin::Prompt:
        return "prompt";
    case TokenOrigin::Special:
        return "special";
    case TokenOrigin::Bos:
        return "bos";
    case TokenOrigin::Generated:
        return "generated";
    case TokenOrigin::Forced:
        return "forced";
    }
    return "prompt";
}

} // namespace engine
