#pragma once

#include "engine/api/Error.h"

#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// A part of a template's source.
struct JinjaToken
{
    enum class Kind
    {
        Text, ///< outside all tags
        OutputBegin,
        OutputEnd,
        BlockBegin,
        BlockEnd,
        Name,
        Number,
        String, ///< with its escapes read
        Operator,
        End,
    };
    Kind kind = Kind::End;
    std::string text;
};

/// The tokens of a template, comments left out, white space around tags dropped as
/// trim_blocks and lstrip_blocks say. Errors: BadFormat.
Result<std::vector<JinjaToken>> jinjaTokens(std::string_view source);

} // namespace engine
