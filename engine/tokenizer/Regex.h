#pragma once

#include "engine/api/Error.h"
#include "engine/tokenizer/Utf8.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

// PCRE2's own type, which only the source file knows in full.
struct pcre2_real_code_8;

namespace engine {

/// A pattern rewritten from the syntax that tokenizer.json files use (Oniguruma's, as Ruby has it)
/// to PCRE2's, where the two read the same characters differently: \s and \S are Unicode's
/// White_Space, \w and the POSIX names are Oniguruma's, \h is a hexadecimal digit, \p{Han} a script
/// without its extensions, a set inside a set adds to it, (?m) lets a dot match a newline, {,n}
/// starts at 0. Characters are those of PCRE2's version of Unicode.
/// Errors: UnsupportedFeature for negated sets and classes inside sets, and for &&.
Result<std::string> toPcre2Syntax(std::string_view pattern);

/// A compiled pattern over valid UTF-8, with Unicode classes.
/// Thread: const; may be used from any number of threads.
class Regex
{
public:
    /// `pattern` is in Oniguruma's syntax; `where` begins the messages.
    /// Errors: UnsupportedFeature, also where the pattern makes no sense.
    static Result<Regex> compile(std::string_view pattern, const std::string& where);

    const std::string& pattern() const { return m_pattern; } ///< as it was given

    /// All matches in `text`, left to right, none empty, each looking back and ahead no farther
    /// than `text`, passed to `visit(ByteRange)`. Errors: UnsupportedFeature where a match takes
    /// more work or memory than is sane.
    template <typename Visit>
    Result<Done> forEachMatch(std::string_view text, Visit&& visit) const
    {
        Search search = begin(text);
        while (next(search))
            visit(search.match);
        return search.failure == 0 ? Result<Done>(Done{}) : Result<Done>(failed(search));
    }

private:
    struct Search
    {
        std::string_view text;
        std::size_t offset = 0;
        ByteRange match;
        int failure = 0; ///< PCRE2's error number
        std::shared_ptr<void> memory;
    };

    Search begin(std::string_view text) const;
    bool next(Search& search) const;
    Error failed(const Search& search) const;

    std::string m_pattern;
    std::string m_where;
    std::shared_ptr<const pcre2_real_code_8> m_code;
};

} // namespace engine
