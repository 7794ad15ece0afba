#include "engine/tokenizer/JinjaSyntax.h"

#include "engine/tokenizer/JinjaExpressionParser.h"

#include <algorithm>

namespace engine {

namespace {

using Kind = JinjaStatement::Kind;

class StatementParser
{
public:
    explicit StatementParser(std::vector<JinjaToken> tokens) : m_tokens(std::move(tokens)) {}

    Result<JinjaBody> run()
    {
        JinjaBody body = statements({});
        if (m_tokens.failed())
            return Error{m_isUnknown ? ErrorCode::UnsupportedFeature : ErrorCode::BadFormat,
                         "chat template: " + m_tokens.error()};
        return body;
    }

private:
    using Ends = std::initializer_list<std::string_view>;

    /// Up to a block that begins with one of `ends`, which is not taken.
    JinjaBody statements(Ends ends)
    {
        constexpr int kDeepest = 100;
        JinjaBody body;
        if (++m_depth > kDeepest)
            m_tokens.fail("blocks are nested too deep");
        while (m_tokens.token().kind != JinjaToken::Kind::End) {
            const JinjaToken current = m_tokens.token();
            if (current.kind == JinjaToken::Kind::Text) {
                m_tokens.advance();
                body.push_back(make(Kind::Text, current.text));
            } else if (current.kind == JinjaToken::Kind::OutputBegin) {
                m_tokens.advance();
                body.push_back(make(Kind::Output));
                body.back().expressions.push_back(m_tokens.tuple());
                end(JinjaToken::Kind::OutputEnd);
            } else {
                const std::string& name = m_tokens.next().text;
                if (std::find(ends.begin(), ends.end(), name) != ends.end())
                    break;
                m_tokens.advance();
                body.push_back(block(m_tokens.expectName()));
            }
        }
        if (ends.size() > 0 && m_tokens.token().kind == JinjaToken::Kind::End)
            m_tokens.fail("a block has no end");
        --m_depth;
        return body;
    }

    static JinjaStatement make(Kind kind, std::string name = {})
    {
        JinjaStatement statement;
        statement.kind = kind;
        statement.name = std::move(name);
        return statement;
    }

    void end(JinjaToken::Kind kind)
    {
        if (m_tokens.token().kind != kind)
            m_tokens.fail("expected the end of a tag, found \"" + m_tokens.token().text + "\"");
        m_tokens.advance();
    }

    /// "{% NAME %}", of which the first two tokens have been looked at.
    void endBlock(std::string_view name)
    {
        m_tokens.advance();
        if (!m_tokens.takeName(name))
            m_tokens.fail("expected " + std::string(name));
        // "endmacro" may say the macro's name again.
        if (name == "endmacro" && m_tokens.token().kind == JinjaToken::Kind::Name)
            m_tokens.advance();
        end(JinjaToken::Kind::BlockEnd);
    }

    JinjaStatement block(const std::string& name)
    {
        if (name == "if")
            return branches();
        if (name == "for")
            return loop();
        if (name == "set")
            return assignment();
        if (name == "macro")
            return macro();
        if (name == "generation") // marks the answer for training
            return group("endgeneration");
        if (name == "break" || name == "continue") {
            end(JinjaToken::Kind::BlockEnd);
            return make(name == "break" ? Kind::Break : Kind::Continue);
        }
        m_isUnknown = true;
        m_tokens.fail("the tag \"" + name + "\" is not supported");
        return {};
    }

    JinjaStatement group(std::string_view ending)
    {
        JinjaStatement statement = make(Kind::Group);
        end(JinjaToken::Kind::BlockEnd);
        statement.bodies.push_back(statements({ending}));
        endBlock(ending);
        return statement;
    }

    JinjaStatement branches()
    {
        JinjaStatement statement = make(Kind::If);
        while (true) {
            statement.expressions.push_back(m_tokens.tuple());
            end(JinjaToken::Kind::BlockEnd);
            statement.bodies.push_back(statements({"elif", "else", "endif"}));
            m_tokens.advance();
            if (m_tokens.takeName("elif"))
                continue;
            if (m_tokens.takeName("else")) {
                end(JinjaToken::Kind::BlockEnd);
                statement.bodies.push_back(statements({"endif"}));
                m_tokens.advance();
            }
            if (!m_tokens.takeName("endif"))
                m_tokens.fail("expected endif");
            end(JinjaToken::Kind::BlockEnd);
            return statement;
        }
    }

    std::vector<std::string> targets()
    {
        std::vector<std::string> names = {m_tokens.expectName()};
        while (m_tokens.takeOperator(","))
            names.push_back(m_tokens.expectName());
        return names;
    }

    JinjaStatement loop()
    {
        JinjaStatement statement = make(Kind::For);
        const bool inBrackets = m_tokens.takeOperator("(");
        statement.targets = targets();
        if (inBrackets)
            m_tokens.expectOperator(")");
        if (!m_tokens.takeName("in"))
            m_tokens.fail("expected \"in\" in a loop");
        statement.expressions.push_back(m_tokens.tuple(false));
        statement.expressions.push_back(m_tokens.takeName("if") ? m_tokens.expression() : nullptr);
        if (m_tokens.isName("recursive")) {
            m_isUnknown = true;
            m_tokens.fail("a recursive loop is not supported");
        }
        end(JinjaToken::Kind::BlockEnd);
        statement.bodies.push_back(statements({"else", "endfor"}));
        m_tokens.advance();
        statement.bodies.emplace_back();
        if (m_tokens.takeName("else")) {
            end(JinjaToken::Kind::BlockEnd);
            statement.bodies.back() = statements({"endfor"});
            m_tokens.advance();
        }
        if (!m_tokens.takeName("endfor"))
            m_tokens.fail("expected endfor");
        end(JinjaToken::Kind::BlockEnd);
        return statement;
    }

    JinjaStatement assignment()
    {
        JinjaStatement statement = make(Kind::Set);
        statement.targets = targets();
        if (m_tokens.takeOperator("."))
            statement.name = m_tokens.expectName();
        if (m_tokens.takeOperator("=")) {
            statement.expressions.push_back(m_tokens.tuple());
            end(JinjaToken::Kind::BlockEnd);
            return statement;
        }
        statement.kind = Kind::SetBlock;
        end(JinjaToken::Kind::BlockEnd);
        statement.bodies.push_back(statements({"endset"}));
        endBlock("endset");
        return statement;
    }

    JinjaStatement macro()
    {
        JinjaStatement statement = make(Kind::Macro, m_tokens.expectName());
        m_tokens.expectOperator("(");
        while (!m_tokens.isOperator(")") && !m_tokens.failed()) {
            statement.targets.push_back(m_tokens.expectName());
            statement.expressions.push_back(m_tokens.takeOperator("=") ? m_tokens.expression()
                                                                       : nullptr);
            if (!m_tokens.takeOperator(","))
                break;
        }
        m_tokens.expectOperator(")");
        end(JinjaToken::Kind::BlockEnd);
        statement.bodies.push_back(statements({"endmacro"}));
        endBlock("endmacro");
        return statement;
    }

    JinjaExpressionParser m_tokens;
    int m_depth = 0;
    bool m_isUnknown = false;
};

} // namespace

Result<JinjaBody> parseJinja(std::string_view source)
{
    auto tokens = jinjaTokens(source);
    if (!tokens)
        return tokens.error();
    return StatementParser(*std::move(tokens)).run();
}

} // namespace engine
