#pragma once

#include "engine/tokenizer/JinjaLexer.h"
#include "engine/tokenizer/JinjaSyntax.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// Reads the expressions of a template out of its tokens; the parser of its statements moves the
/// same cursor. What is wrong is remembered, first fault first, and all ends soon after.
class JinjaExpressionParser
{
public:
    explicit JinjaExpressionParser(std::vector<JinjaToken> tokens) : m_tokens(std::move(tokens)) {}

    /// With or without "… if … else …" at the outermost level.
    JinjaExpressionPtr expression(bool withConditional = true);
    /// Two or more with commas between are a list.
    JinjaExpressionPtr tuple(bool withConditional = true);

    const JinjaToken& token() const { return m_tokens[m_at]; }
    const JinjaToken& next() const { return m_tokens[std::min(m_at + 1, m_tokens.size() - 1)]; }
    void advance();
    bool isOperator(std::string_view text) const;
    bool isName(std::string_view text) const;
    bool takeOperator(std::string_view text);
    bool takeName(std::string_view text);
    void expectOperator(std::string_view text);
    std::string expectName();
    void fail(std::string message);
    bool failed() const { return !m_error.empty(); }
    const std::string& error() const { return m_error; }

private:
    using Parse = JinjaExpressionPtr (JinjaExpressionParser::*)();

    JinjaExpressionPtr disjunction();
    JinjaExpressionPtr conjunction();
    JinjaExpressionPtr negation();
    JinjaExpressionPtr comparison();
    JinjaExpressionPtr sum();
    JinjaExpressionPtr concatenation();
    JinjaExpressionPtr product();
    JinjaExpressionPtr unary(bool withFilters = true);
    JinjaExpressionPtr primary();
    JinjaExpressionPtr name();
    JinjaExpressionPtr listOrTuple(std::string_view end);
    JinjaExpressionPtr mapping();
    JinjaExpressionPtr postfix(JinjaExpressionPtr base);
    JinjaExpressionPtr subscript(JinjaExpressionPtr base);
    JinjaExpressionPtr filters(JinjaExpressionPtr base);
    JinjaExpressionPtr test(JinjaExpressionPtr base);
    void arguments(JinjaExpression& call);
    JinjaExpressionPtr leftToRight(Parse operand,
                                   std::initializer_list<std::string_view> operators);

    std::vector<JinjaToken> m_tokens;
    std::size_t m_at = 0;
    std::size_t m_begin = 0; ///< of the outermost expression
    int m_depth = 0;
    std::string m_error;
};

} // namespace engine
