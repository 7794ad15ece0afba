#include "engine/tokenizer/JinjaExpressionParser.h"

#include <algorithm>
#include <charconv>

namespace engine {

namespace {

using Kind = JinjaExpression::Kind;

JinjaExpressionPtr make(Kind kind, std::string name = {})
{
    auto expression = std::make_unique<JinjaExpression>();
    expression->kind = kind;
    expression->name = std::move(name);
    return expression;
}

JinjaExpressionPtr literal(JinjaValue value)
{
    JinjaExpressionPtr expression = make(Kind::Literal);
    expression->literal = std::move(value);
    return expression;
}

JinjaExpressionPtr binary(std::string name, JinjaExpressionPtr left, JinjaExpressionPtr right)
{
    JinjaExpressionPtr expression = make(Kind::Binary, std::move(name));
    expression->children.push_back(std::move(left));
    expression->children.push_back(std::move(right));
    return expression;
}

} // namespace

bool JinjaExpressionParser::isOperator(std::string_view text) const
{
    return token().kind == JinjaToken::Kind::Operator && token().text == text;
}

bool JinjaExpressionParser::isName(std::string_view text) const
{
    return token().kind == JinjaToken::Kind::Name && token().text == text;
}

bool JinjaExpressionParser::takeOperator(std::string_view text)
{
    const bool is = isOperator(text);
    if (is)
        advance();
    return is;
}

bool JinjaExpressionParser::takeName(std::string_view text)
{
    const bool is = isName(text);
    if (is)
        advance();
    return is;
}

void JinjaExpressionParser::expectOperator(std::string_view text)
{
    if (!takeOperator(text))
        fail("expected \"" + std::string(text) + "\", found \"" + token().text + "\"");
}

std::string JinjaExpressionParser::expectName()
{
    std::string text = token().text;
    if (token().kind != JinjaToken::Kind::Name)
        fail("expected a name, found \"" + text + "\"");
    advance();
    return text;
}

void JinjaExpressionParser::fail(std::string message)
{
    if (m_error.empty())
        m_error = std::move(message);
    m_at = m_tokens.size() - 1; // the end, where nothing more is found
}

void JinjaExpressionParser::advance()
{
    // A long row of operators is a tree as deep, which would be too deep to walk.
    constexpr std::size_t kLongest = 4000;
    if (m_depth > 0 && m_at - m_begin > kLongest)
        fail("an expression is too long");
    m_at = std::min(m_at + 1, m_tokens.size() - 1);
}

JinjaExpressionPtr JinjaExpressionParser::tuple(bool withConditional)
{
    JinjaExpressionPtr first = expression(withConditional);
    if (!isOperator(","))
        return first;
    JinjaExpressionPtr list = make(Kind::List);
    list->children.push_back(std::move(first));
    while (takeOperator(","))
        list->children.push_back(expression(withConditional));
    return list;
}

JinjaExpressionPtr JinjaExpressionParser::expression(bool withConditional)
{
    constexpr int kDeepest = 100;
    if (m_depth == 0)
        m_begin = m_at;
    if (++m_depth > kDeepest)
        fail("an expression is nested too deep");
    JinjaExpressionPtr value = disjunction();
    while (withConditional && takeName("if")) {
        JinjaExpressionPtr conditional = make(Kind::Conditional);
        conditional->children.push_back(std::move(value));
        conditional->children.push_back(disjunction());
        conditional->children.push_back(takeName("else") ? expression() : literal({}));
        value = std::move(conditional);
    }
    --m_depth;
    return value;
}

JinjaExpressionPtr JinjaExpressionParser::disjunction()
{
    JinjaExpressionPtr left = conjunction();
    while (takeName("or"))
        left = binary("or", std::move(left), conjunction());
    return left;
}

JinjaExpressionPtr JinjaExpressionParser::conjunction()
{
    JinjaExpressionPtr left = negation();
    while (takeName("and"))
        left = binary("and", std::move(left), negation());
    return left;
}

JinjaExpressionPtr JinjaExpressionParser::negation()
{
    if (!takeName("not"))
        return comparison();
    constexpr int kDeepest = 100;
    if (++m_depth > kDeepest)
        fail("an expression is nested too deep");
    JinjaExpressionPtr expression = make(Kind::Not);
    expression->children.push_back(negation());
    --m_depth;
    return expression;
}

JinjaExpressionPtr JinjaExpressionParser::comparison()
{
    JinjaExpressionPtr left = sum();
    while (!failed()) {
        std::string name;
        for (const std::string_view known : {"==", "!=", "<=", ">=", "<", ">"})
            if (name.empty() && isOperator(known))
                name = known;
        const bool isNotIn = isName("not") && next().text == "in";
        if (name.empty() && !isName("in") && !isNotIn)
            break;
        if (isNotIn)
            advance();
        advance();
        JinjaExpressionPtr compared = binary(name.empty() ? "in" : name, std::move(left), sum());
        if (isNotIn) {
            left = make(Kind::Not);
            left->children.push_back(std::move(compared));
        } else {
            left = std::move(compared);
        }
    }
    return left;
}

JinjaExpressionPtr
JinjaExpressionParser::leftToRight(Parse operand, std::initializer_list<std::string_view> operators)
{
    JinjaExpressionPtr left = (this->*operand)();
    while (!failed()) {
        const auto found = std::find_if(operators.begin(), operators.end(),
                                        [&](std::string_view text) { return isOperator(text); });
        if (found == operators.end())
            break;
        advance();
        left = binary(std::string(*found), std::move(left), (this->*operand)());
    }
    return left;
}

JinjaExpressionPtr JinjaExpressionParser::sum()
{
    return leftToRight(&JinjaExpressionParser::concatenation, {"+", "-"});
}

JinjaExpressionPtr JinjaExpressionParser::concatenation()
{
    return leftToRight(&JinjaExpressionParser::product, {"~"});
}

JinjaExpressionPtr JinjaExpressionParser::product()
{
    JinjaExpressionPtr left = unary();
    while (!failed()) {
        if (isOperator("/") || isOperator("**"))
            fail("the operator \"" + token().text + "\" is not supported");
        const std::string name = token().text;
        if (!takeOperator("*") && !takeOperator("//") && !takeOperator("%"))
            break;
        left = binary(name, std::move(left), unary());
    }
    return left;
}

JinjaExpressionPtr JinjaExpressionParser::unary(bool withFilters)
{
    JinjaExpressionPtr value;
    if (takeOperator("-")) {
        value = make(Kind::Negative);
        value->children.push_back(postfix(primary()));
    } else {
        takeOperator("+");
        value = postfix(primary());
    }
    return withFilters ? filters(std::move(value)) : std::move(value);
}

JinjaExpressionPtr JinjaExpressionParser::primary()
{
    const JinjaToken current = token();
    if (current.kind == JinjaToken::Kind::Name)
        return name();
    advance();
    if (current.kind == JinjaToken::Kind::String) {
        std::string text = current.text;
        for (; token().kind == JinjaToken::Kind::String; advance())
            text += token().text;
        return literal(JinjaValue::string(text));
    }
    if (current.kind == JinjaToken::Kind::Number) {
        std::int64_t number = 0;
        const char* end = current.text.data() + current.text.size();
        if (std::from_chars(current.text.data(), end, number).ptr != end || isOperator("."))
            fail("the number " + current.text + " is not supported; whole numbers are");
        return literal(JinjaValue::number(number));
    }
    if (current.text == "[")
        return listOrTuple("]");
    if (current.text == "(")
        return listOrTuple(")");
    if (current.text == "{")
        return mapping();
    fail("expected a value, found \"" + current.text + "\"");
    return literal({});
}

JinjaExpressionPtr JinjaExpressionParser::name()
{
    const std::string text = expectName();
    if (text == "true" || text == "True")
        return literal(JinjaValue::boolean(true));
    if (text == "false" || text == "False")
        return literal(JinjaValue::boolean(false));
    if (text == "none" || text == "None")
        return literal(JinjaValue::none());
    return make(Kind::Name, text);
}

/// Behind "[" or "("; one value in round brackets without a comma is itself.
JinjaExpressionPtr JinjaExpressionParser::listOrTuple(std::string_view end)
{
    JinjaExpressionPtr list = make(Kind::List);
    bool sawComma = end == "]";
    while (!isOperator(end) && !failed()) {
        list->children.push_back(expression());
        if (!takeOperator(","))
            break;
        sawComma = true;
    }
    expectOperator(end);
    if (!sawComma && list->children.size() == 1)
        return std::move(list->children.front());
    return list;
}

JinjaExpressionPtr JinjaExpressionParser::mapping()
{
    JinjaExpressionPtr map = make(Kind::Map);
    while (!isOperator("}") && !failed()) {
        map->children.push_back(expression());
        expectOperator(":");
        map->children.push_back(expression());
        if (!takeOperator(","))
            break;
    }
    expectOperator("}");
    return map;
}

JinjaExpressionPtr JinjaExpressionParser::postfix(JinjaExpressionPtr base)
{
    while (!failed()) {
        if (takeOperator(".")) {
            JinjaExpressionPtr member = make(Kind::Member, token().text);
            if (token().kind != JinjaToken::Kind::Name && token().kind != JinjaToken::Kind::Number)
                fail("expected a name behind a dot");
            advance();
            member->children.push_back(std::move(base));
            base = std::move(member);
        } else if (takeOperator("[")) {
            base = subscript(std::move(base));
        } else if (isOperator("(")) {
            JinjaExpressionPtr call = make(Kind::Call);
            call->children.push_back(std::move(base));
            arguments(*call);
            base = std::move(call);
        } else {
            break;
        }
    }
    return base;
}

JinjaExpressionPtr JinjaExpressionParser::subscript(JinjaExpressionPtr base)
{
    JinjaExpressionPtr result = make(Kind::Subscript);
    result->children.push_back(std::move(base));
    result->children.push_back(isOperator(":") ? nullptr : expression());
    while (takeOperator(":")) {
        result->kind = Kind::Slice;
        const bool isEmpty = isOperator(":") || isOperator("]");
        result->children.push_back(isEmpty ? nullptr : expression());
    }
    if (result->kind == Kind::Slice)
        result->children.resize(4);
    expectOperator("]");
    return result;
}

/// "(a, b, name=c)"
void JinjaExpressionParser::arguments(JinjaExpression& call)
{
    expectOperator("(");
    while (!isOperator(")") && !failed()) {
        const bool isKeyword = token().kind == JinjaToken::Kind::Name &&
                               next().kind == JinjaToken::Kind::Operator && next().text == "=";
        if (isKeyword) {
            call.keywords.push_back(expectName());
            expectOperator("=");
        } else if (!call.keywords.empty()) {
            fail("an argument without a name stands behind one with a name");
        }
        call.children.push_back(expression());
        if (!takeOperator(","))
            break;
    }
    expectOperator(")");
}

JinjaExpressionPtr JinjaExpressionParser::filters(JinjaExpressionPtr base)
{
    while (!failed()) {
        if (takeOperator("|")) {
            JinjaExpressionPtr filter = make(Kind::Filter, expectName());
            filter->children.push_back(std::move(base));
            if (isOperator("("))
                arguments(*filter);
            base = std::move(filter);
        } else if (takeName("is")) {
            base = test(std::move(base));
        } else {
            break;
        }
    }
    return base;
}

JinjaExpressionPtr JinjaExpressionParser::test(JinjaExpressionPtr base)
{
    const bool negated = takeName("not");
    JinjaExpressionPtr test = make(Kind::Test, expectName());
    test->children.push_back(std::move(base));
    const bool hasOperand =
        token().kind == JinjaToken::Kind::String || token().kind == JinjaToken::Kind::Number ||
        isOperator("[") || isOperator("{") ||
        (token().kind == JinjaToken::Kind::Name && !isName("else") && !isName("or") &&
         !isName("and") && !isName("is") && !isName("if") && !isName("in") && !isName("not"));
    if (isOperator("("))
        arguments(*test);
    else if (hasOperand)
        test->children.push_back(unary(false));
    if (!negated)
        return test;
    JinjaExpressionPtr expression = make(Kind::Not);
    expression->children.push_back(std::move(test));
    return expression;
}

} // namespace engine
