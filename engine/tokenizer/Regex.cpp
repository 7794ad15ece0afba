#include "engine/tokenizer/Regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <array>
#include <optional>
#include <utility>

namespace engine {

namespace {

// White_Space and its complement as the inside of a set. PCRE2's own \s also takes U+180E.
constexpr std::string_view kWhiteSpace =
    R"(\x{9}-\x{d}\x{20}\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000})";
constexpr std::string_view kNotWhiteSpace =
    R"(\x{0}-\x{8}\x{e}-\x{1f}\x{21}-\x{84}\x{86}-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff})"
    R"(\x{200b}-\x{2027}\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{10ffff})";
constexpr std::string_view kWord = R"(\p{Alphabetic}\p{M}\p{Nd}\p{Pc})";
constexpr std::string_view kHexDigit = "0-9A-Fa-f";

/// What Oniguruma's POSIX names mean, as the inside of a set.
std::optional<std::string_view> posixSet(std::string_view name)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 11> sets = {
        {{"alnum", R"(\p{Alphabetic}\p{Nd})"},
         {"alpha", R"(\p{Alphabetic})"},
         {"blank", R"(\t\p{Zs})"},
         {"cntrl", R"(\p{Cc})"},
         {"digit", R"(\p{Nd})"},
         {"lower", R"(\p{Lowercase})"},
         {"punct", R"(\p{P})"},
         {"space", kWhiteSpace},
         {"upper", R"(\p{Uppercase})"},
         {"word", kWord},
         {"xdigit", kHexDigit}}};
    std::string lower(name);
    for (char& c : lower)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    for (const auto& [known, set] : sets)
        if (lower == known)
            return set;
    return std::nullopt;
}

/// PCRE2 reads a script's name as its extensions too, unless told otherwise.
bool isScript(std::string_view name)
{
    const std::string pattern = "\\p{sc:" + std::string(name) + "}";
    int error = 0;
    PCRE2_SIZE offset = 0;
    pcre2_code* code = pcre2_compile(reinterpret_cast<const unsigned char*>(pattern.data()),
                                     pattern.size(), PCRE2_UTF, &error, &offset, nullptr);
    pcre2_code_free(code);
    return code != nullptr;
}

class SyntaxTranslator
{
public:
    explicit SyntaxTranslator(std::string_view pattern) : m_pattern(pattern) {}

    Result<std::string> run()
    {
        while (m_offset < m_pattern.size() && m_unsupported.empty()) {
            if (m_pattern[m_offset] == '\\')
                escape();
            else if (m_inSet)
                insideSet();
            else
                outsideSet();
        }
        if (!m_unsupported.empty())
            return Error{ErrorCode::UnsupportedFeature, m_unsupported};
        return std::move(m_result);
    }

private:
    bool startsWith(std::string_view text) const
    {
        return m_pattern.substr(m_offset).starts_with(text);
    }

    void copy(std::size_t count)
    {
        m_result.append(m_pattern.substr(m_offset, count));
        m_offset += count;
    }

    void replace(std::size_t count, std::string_view with)
    {
        m_result.append(with);
        m_offset += count;
    }

    void escape()
    {
        const char letter = m_offset + 1 < m_pattern.size() ? m_pattern[m_offset + 1] : '\0';
        switch (letter) {
        case 's':
            return shorthand(kWhiteSpace, false);
        case 'w':
            return shorthand(kWord, false);
        case 'h':
            return shorthand(kHexDigit, false);
        case 'S':
            return m_inSet ? replace(2, kNotWhiteSpace) : shorthand(kWhiteSpace, true);
        case 'W':
            return shorthand(kWord, true);
        case 'H':
            return shorthand(kHexDigit, true);
        case 'p':
        case 'P':
            return property(letter == 'P');
        case 'u':
            if (m_offset + 6 <= m_pattern.size()) {
                const std::string digits(m_pattern.substr(m_offset + 2, 4));
                return replace(6, "\\x{" + digits + "}");
            }
            break;
        default:
            break;
        }
        copy(2);
    }

    void shorthand(std::string_view set, bool negated, std::size_t size = 2)
    {
        if (m_inSet && negated) {
            m_unsupported = "a negated class such as \\W inside [...] is not supported";
            return;
        }
        std::string text(set);
        if (!m_inSet)
            text = (negated ? "[^" : "[") + text + "]";
        replace(size, text);
    }

    /// "\p{Han}", "\P{^Alpha}".
    void property(bool negated)
    {
        const std::size_t end = m_pattern.find('}', m_offset);
        if (m_offset + 3 >= m_pattern.size() || m_pattern[m_offset + 2] != '{' ||
            end == std::string_view::npos)
            return copy(2);
        std::string_view name = m_pattern.substr(m_offset + 3, end - m_offset - 3);
        if (name.starts_with('^')) {
            negated = !negated;
            name.remove_prefix(1);
        }
        const std::size_t size = end + 1 - m_offset;
        if (const auto set = posixSet(name))
            return shorthand(*set, negated, size);
        const bool script = name.size() > 2 && isScript(name);
        replace(size, std::string(negated ? "\\P{" : "\\p{") + (script ? "sc:" : "") +
                          std::string(name) + "}");
    }

    void insideSet()
    {
        if (startsWith("[:"))
            return posixName();
        if (startsWith("&&")) {
            m_unsupported = "&& inside [...] is not supported";
            return;
        }
        if (startsWith("["))
            return beginInnerSet();
        if (!startsWith("]"))
            return copy(1);
        if (m_innerSets == 0) {
            m_inSet = false;
            return copy(1);
        }
        --m_innerSets;
        replace(1, "");
        if (startsWith("-") && !startsWith("-]"))
            m_unsupported = "a range that begins with a set inside [...] is not supported";
    }

    /// "[:alpha:]"
    void posixName()
    {
        const std::size_t end = m_pattern.find(":]", m_offset + 2);
        if (end == std::string_view::npos)
            return copy(1);
        const std::string_view name = m_pattern.substr(m_offset + 2, end - m_offset - 2);
        const auto set = posixSet(name);
        if (!set)
            m_unsupported = "[:" + std::string(name) + ":] is not supported";
        else
            replace(end + 2 - m_offset, *set);
    }

    /// A set inside a set adds its characters to it.
    void beginInnerSet()
    {
        if (startsWith("[^") || m_result.ends_with('-')) {
            m_unsupported = "a negated set, or a range that ends with one, inside [...] is not "
                            "supported";
            return;
        }
        ++m_innerSets;
        replace(1, "");
        if (startsWith("]"))
            replace(1, "\\]");
    }

    void outsideSet()
    {
        if (startsWith("[")) {
            m_inSet = true;
            copy(1);
            if (startsWith("^"))
                copy(1);
            if (startsWith("]")) // a set's first ']' is a character of it
                copy(1);
        } else if (startsWith("{,")) {
            replace(2, "{0,");
        } else if (startsWith("(?")) {
            copy(2);
            inlineFlags();
        } else {
            copy(1);
        }
    }

    /// "(?im-x:": Ruby's m is what PCRE2 calls s.
    void inlineFlags()
    {
        const std::size_t end = m_pattern.find_first_not_of("imx-", m_offset);
        if (end == std::string_view::npos || (m_pattern[end] != ':' && m_pattern[end] != ')'))
            return;
        while (m_offset < end)
            replace(1, m_pattern[m_offset] == 'm' ? "s" : m_pattern.substr(m_offset, 1));
    }

    std::string_view m_pattern;
    std::size_t m_offset = 0;
    bool m_inSet = false;
    int m_innerSets = 0;
    std::string m_result;
    std::string m_unsupported;
};

std::string pcre2Message(int error)
{
    std::array<unsigned char, 200> buffer{};
    pcre2_get_error_message(error, buffer.data(), buffer.size());
    return reinterpret_cast<const char*>(buffer.data());
}

const unsigned char* bytesOf(std::string_view text)
{
    // PCRE2 wants an address even for nothing.
    return reinterpret_cast<const unsigned char*>(text.empty() ? "" : text.data());
}

} // namespace

Result<std::string> toPcre2Syntax(std::string_view pattern)
{
    return SyntaxTranslator(pattern).run();
}

Result<Regex> Regex::compile(std::string_view pattern, const std::string& where)
{
    const auto refused = [&](const std::string& why) {
        return Error{ErrorCode::UnsupportedFeature,
                     where + ": pattern " + std::string(pattern) + ": " + why};
    };
    const Result<std::string> translated = toPcre2Syntax(pattern);
    if (!translated)
        return refused(translated.error().message);

    pcre2_compile_context* context = pcre2_compile_context_create(nullptr);
    // As Oniguruma does, only a line feed ends a line, and ^ and $ match at every line.
    pcre2_set_newline(context, PCRE2_NEWLINE_LF);
    int error = 0;
    PCRE2_SIZE offset = 0;
    pcre2_code* code =
        pcre2_compile(bytesOf(*translated), translated->size(),
                      PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C, &error,
                      &offset, context);
    pcre2_compile_context_free(context);
    if (!code)
        return refused(pcre2Message(error));
    // Without a just-in-time compiler, matching is only slower.
    pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);

    Regex regex;
    regex.m_pattern = pattern;
    regex.m_where = where;
    regex.m_code = std::shared_ptr<const pcre2_code>(
        code, [](const pcre2_code* owned) { pcre2_code_free(const_cast<pcre2_code*>(owned)); });
    return regex;
}

Regex::Search Regex::begin(std::string_view text) const
{
    Search search;
    search.text = text;
    search.memory = std::shared_ptr<void>(pcre2_match_data_create(1, nullptr), [](void* memory) {
        pcre2_match_data_free(static_cast<pcre2_match_data*>(memory));
    });
    return search;
}

bool Regex::next(Search& search) const
{
    auto* memory = static_cast<pcre2_match_data*>(search.memory.get());
    while (search.offset < search.text.size()) {
        int found = pcre2_match(m_code.get(), bytesOf(search.text), search.text.size(),
                                search.offset, PCRE2_NO_UTF_CHECK, memory, nullptr);
        // The compiled matcher has a small fixed stack; the interpreter takes its memory as needed.
        if (found == PCRE2_ERROR_JIT_STACKLIMIT)
            found = pcre2_match(m_code.get(), bytesOf(search.text), search.text.size(),
                                search.offset, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT, memory, nullptr);
        if (found < 0) {
            search.failure = found == PCRE2_ERROR_NOMATCH ? 0 : found;
            return false;
        }
        const PCRE2_SIZE* bounds = pcre2_get_ovector_pointer(memory);
        if (bounds[1] > bounds[0]) {
            search.match = {bounds[0], bounds[1]};
            search.offset = bounds[1];
            return true;
        }
        if (bounds[1] >= search.text.size())
            return false;
        search.offset = bounds[1] + characterSize(search.text, bounds[1]);
    }
    return false;
}

Error Regex::failed(const Search& search) const
{
    return {ErrorCode::UnsupportedFeature,
            m_where + ": pattern " + m_pattern +
                ": gave up on this text: " + pcre2Message(search.failure)};
}

} // namespace engine
