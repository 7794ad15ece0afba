#include "engine/tokenizer/JinjaLexer.h"

#include "engine/tokenizer/Utf8.h"

#include <array>
#include <charconv>

namespace engine {

namespace {

constexpr std::string_view kSpace = " \t\n\r\f\v";

bool isNameStart(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

class Lexer
{
public:
    explicit Lexer(std::string_view source)
    {
        // As Jinja does: one way to end a line, and none at the very end.
        for (std::size_t i = 0; i < source.size(); ++i)
            if (source[i] != '\r')
                m_source += source[i];
            else if (i + 1 >= source.size() || source[i + 1] != '\n')
                m_source += '\n';
        if (m_source.ends_with('\n'))
            m_source.pop_back();
        m_rest = m_source;
    }

    Result<std::vector<JinjaToken>> run()
    {
        while (!m_rest.empty() && m_error.empty())
            outside();
        if (!m_error.empty())
            return Error{ErrorCode::BadFormat, "chat template: " + m_error};
        push(JinjaToken::Kind::End, "");
        return std::move(m_tokens);
    }

private:
    void push(JinjaToken::Kind kind, std::string text)
    {
        m_tokens.push_back({kind, std::move(text)});
    }

    void outside()
    {
        std::size_t at = m_rest.find('{');
        while (at != std::string_view::npos &&
               (at + 1 >= m_rest.size() ||
                std::string_view("{%#").find(m_rest[at + 1]) == std::string_view::npos))
            at = m_rest.find('{', at + 1);
        std::string_view text = m_rest.substr(0, at);
        if (at == std::string_view::npos) {
            addText(text);
            m_rest = {};
            return;
        }
        const char opener = m_rest[at + 1];
        m_rest.remove_prefix(at + 2);
        if (m_rest.starts_with('-')) {
            const std::size_t last = text.find_last_not_of(kSpace);
            text = text.substr(0, last == std::string_view::npos ? 0 : last + 1);
        } else if (opener != '{' && !m_rest.starts_with('+')) {
            // Spaces before a block that begins its line.
            const std::size_t last = text.find_last_not_of(" \t");
            const bool beginsLine =
                last == std::string_view::npos ? m_atLineStart : text[last] == '\n';
            if (beginsLine)
                text = text.substr(0, last == std::string_view::npos ? 0 : last + 1);
        }
        addText(text);
        if (m_rest.starts_with('-') || (opener != '{' && m_rest.starts_with('+')))
            m_rest.remove_prefix(1);
        if (opener == '#')
            comment();
        else
            tag(opener == '{');
    }

    void addText(std::string_view text)
    {
        if (!text.empty())
            push(JinjaToken::Kind::Text, std::string(text));
    }

    void comment()
    {
        const std::size_t end = m_rest.find("#}");
        if (end == std::string_view::npos) {
            m_error = "a comment has no end";
            return;
        }
        const bool strips = end > 0 && m_rest[end - 1] == '-';
        const bool keeps = end > 0 && m_rest[end - 1] == '+';
        m_rest.remove_prefix(end + 2);
        behindTag(strips, !keeps);
    }

    /// White space behind a tag: all of it, or the one line end behind a block.
    void behindTag(bool strips, bool trimsLine)
    {
        m_atLineStart = false;
        if (strips) {
            m_rest.remove_prefix(std::min(m_rest.find_first_not_of(kSpace), m_rest.size()));
        } else if (trimsLine && m_rest.starts_with('\n')) {
            m_rest.remove_prefix(1);
            m_atLineStart = true;
        }
    }

    void tag(bool isOutput)
    {
        const std::string_view end = isOutput ? "}}" : "%}";
        push(isOutput ? JinjaToken::Kind::OutputBegin : JinjaToken::Kind::BlockBegin, "");
        int open = 0; // brackets, since "}}" may end two maps
        while (m_error.empty()) {
            m_rest.remove_prefix(std::min(m_rest.find_first_not_of(kSpace), m_rest.size()));
            if (m_rest.empty()) {
                m_error = "a tag has no end";
                return;
            }
            const bool signedEnd = m_rest.size() > 2 && m_rest.substr(1).starts_with(end) &&
                                   (m_rest[0] == '-' || (!isOutput && m_rest[0] == '+'));
            if (open == 0 && (m_rest.starts_with(end) || signedEnd)) {
                const bool strips = m_rest[0] == '-';
                const bool keeps = m_rest[0] == '+';
                m_rest.remove_prefix(signedEnd ? 3 : 2);
                push(isOutput ? JinjaToken::Kind::OutputEnd : JinjaToken::Kind::BlockEnd, "");
                behindTag(strips, !isOutput && !keeps);
                return;
            }
            const char c = m_rest.front();
            open += c == '(' || c == '[' || c == '{'   ? 1
                    : c == ')' || c == ']' || c == '}' ? -1
                                                       : 0;
            inside(c);
        }
    }

    void inside(char c)
    {
        if (c == '"' || c == '\'')
            return string(c);
        std::size_t size = 1;
        if (isNameStart(c) || isDigit(c)) {
            while (size < m_rest.size() && (isNameStart(m_rest[size]) || isDigit(m_rest[size])))
                ++size;
            push(isDigit(c) ? JinjaToken::Kind::Number : JinjaToken::Kind::Name,
                 std::string(m_rest.substr(0, size)));
        } else {
            constexpr std::array<std::string_view, 6> pairs = {"==", "!=", "<=", ">=", "//", "**"};
            for (const std::string_view pair : pairs)
                if (m_rest.starts_with(pair))
                    size = 2;
            if (std::string_view("+-*/%~<>=!.,:|()[]{}").find(c) == std::string_view::npos)
                m_error = "a tag has the character '" + std::string(1, c) + "'";
            push(JinjaToken::Kind::Operator, std::string(m_rest.substr(0, size)));
        }
        m_rest.remove_prefix(size);
    }

    void string(char quote)
    {
        std::string text;
        std::size_t i = 1;
        for (; i < m_rest.size() && m_rest[i] != quote; ++i) {
            if (m_rest[i] != '\\' || i + 1 >= m_rest.size())
                text += m_rest[i];
            else
                i += escape(m_rest.substr(i + 1), text);
        }
        if (i >= m_rest.size()) {
            m_error = "a string has no end";
            return;
        }
        m_rest.remove_prefix(i + 1);
        push(JinjaToken::Kind::String, std::move(text));
    }

    /// Python's escapes; gives how many characters behind the backslash it took.
    std::size_t escape(std::string_view behind, std::string& text)
    {
        constexpr std::string_view letters = "ntrabfv0\\'\"\n";
        constexpr std::string_view values("\n\t\r\a\b\f\v\0\\'\"", 11);
        const std::size_t known = letters.find(behind.front());
        if (known < values.size()) {
            text += values[known];
            return 1;
        }
        if (known != std::string_view::npos) // a line end that is written to be none
            return 1;
        const std::size_t digits = behind.front() == 'x'   ? 2
                                   : behind.front() == 'u' ? 4
                                   : behind.front() == 'U' ? 8
                                                           : 0;
        std::uint32_t codepoint = 0;
        const char* begin = behind.data() + 1;
        if (digits > 0 && behind.size() > digits &&
            std::from_chars(begin, begin + digits, codepoint, 16).ptr == begin + digits &&
            codepoint < 0x110000 && (codepoint < 0xD800 || codepoint > 0xDFFF)) {
            appendUtf8(text, static_cast<char32_t>(codepoint));
            return digits + 1;
        }
        text += '\\';
        text += behind.front();
        return 1;
    }

    std::string m_source;
    std::string_view m_rest;
    bool m_atLineStart = true;
    std::vector<JinjaToken> m_tokens;
    std::string m_error;
};

} // namespace

Result<std::vector<JinjaToken>> jinjaTokens(std::string_view source)
{
    return Lexer(source).run();
}

} // namespace engine
