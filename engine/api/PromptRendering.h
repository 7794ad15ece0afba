#pragma once

#include "engine/api/Token.h"

#include <cstddef>
#include <string>
#include <vector>

namespace engine {

/// A stretch of a rendered prompt, by who wrote it.
struct PromptSpan
{
    enum class Kind
    {
        Special,  ///< the written form of one special token
        Template, ///< plain text that the chat template writes
        User,     ///< the user's own words
    };
    Kind kind = Kind::User;
    std::size_t begin = 0; ///< in bytes
    std::size_t end = 0;

    bool operator==(const PromptSpan&) const = default;
};

/// A prompt as the tokenizer reads it: with the chat template around it, where one is asked for.
struct PromptRendering
{
    std::string text;
    std::vector<PromptSpan> spans; ///< in order; together they are the whole text
    /// What the text becomes; a BOS that the tokenizer puts first stands in no span.
    std::vector<ContextToken> tokens;

    bool operator==(const PromptRendering&) const = default;
};

} // namespace engine
