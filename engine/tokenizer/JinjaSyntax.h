#pragma once

#include "engine/api/Error.h"
#include "engine/tokenizer/JinjaValue.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// An expression of a template, as a tree.
struct JinjaExpression
{
    enum class Kind
    {
        Literal,
        Name,
        List,      ///< children
        Map,       ///< keys and values in turn
        Member,    ///< children[0].name
        Subscript, ///< children[0][children[1]]
        Slice,     ///< children[0][children[1]:children[2]:children[3]]; null where left out
        Call,      ///< children[0](the rest)
        Filter,    ///< children[0] | name(the rest)
        Test,      ///< children[0] is name(the rest)
        Not,
        Negative,
        Binary,      ///< children[0] name children[1], name the operator
        Conditional, ///< children[0] if children[1] else children[2]
    };
    Kind kind = Kind::Literal;
    std::string name;
    JinjaValue literal;
    std::vector<std::unique_ptr<JinjaExpression>> children;
    std::vector<std::string> keywords; ///< of a call's last arguments
};
using JinjaExpressionPtr = std::unique_ptr<JinjaExpression>;

/// A piece of a template between tags, or a tag with what it holds.
struct JinjaStatement
{
    enum class Kind
    {
        Text,     ///< name
        Output,   ///< expressions[0]
        If,       ///< expressions[i] rules bodies[i]; a last body without one is "else"
        For,      ///< targets in expressions[0] if expressions[1]; bodies[0], else bodies[1]
        Set,      ///< targets = expressions[0]; name: the member of targets[0], if any
        SetBlock, ///< targets[0] = bodies[0]
        Macro,    ///< name(targets = expressions) bodies[0]; null without a default
        Group,    ///< bodies[0]
        Break,
        Continue,
    };
    Kind kind = Kind::Text;
    std::string name;
    std::vector<std::string> targets;
    std::vector<JinjaExpressionPtr> expressions;
    std::vector<std::vector<JinjaStatement>> bodies;
};
using JinjaBody = std::vector<JinjaStatement>;

/// Reads a template as Hugging Face's transformers have Jinja read it: blocks trim the line end
/// behind them and the spaces before them. Errors: UnsupportedFeature for a tag that is not known,
/// BadFormat for what is no template; the message begins with "chat template".
/// Source: the Jinja documentation, "Template Designer Documentation", version 3.1.
Result<JinjaBody> parseJinja(std::string_view source);

} // namespace engine
