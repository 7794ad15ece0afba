#pragma once

#include "engine/api/Error.h"
#include "engine/tokenizer/Regex.h"
#include "engine/tokenizer/Utf8.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// What becomes of the parts of a text that a split rule matches.
enum class SplitBehavior
{
    Removed,
    Isolated,           ///< each is a word
    MergedWithPrevious, ///< each ends the word before it
    MergedWithNext,     ///< each begins the word after it
    Contiguous,         ///< neighbouring ones together are a word
};

/// A text and the words it was split into, left to right.
struct Words
{
    std::string text;
    std::vector<ByteRange> ranges;
};

/// The split rules before byte-pair encoding, which never merges across words: the steps of
/// tokenizer.json's "pre_tokenizer", in order; each splits the words that the ones before it left.
/// Thread: const after it was put together.
class PreTokenizer
{
public:
    enum class PrependScheme
    {
        Always,
        First, ///< only at the start of the whole text
        Never,
    };

    void addSplit(Regex pattern, SplitBehavior behavior, bool invert = false);
    void addSplit(std::string literal, SplitBehavior behavior, bool invert = false);
    /// A space before each word that does not begin with one.
    void addPrefixSpace();
    /// SentencePiece's: spaces become `replacement`, which begins the text and, with `split`,
    /// words.
    void addMetaspace(std::string replacement, PrependScheme scheme, bool split);

    /// The steps of `rules` after those here.
    void append(PreTokenizer rules);

    /// `atStart`: `text` begins the whole text, rather than following a special token.
    /// Errors: UnsupportedFeature from a pattern that gave up.
    Result<Words> split(std::string text, bool atStart) const;

    /// All steps and their values, the same for the same rules.
    std::string canonical() const;

private:
    enum class Kind
    {
        SplitPattern,
        SplitLiteral,
        PrefixSpace,
        Metaspace,
    };
    struct Step
    {
        Kind kind{};
        std::optional<Regex> pattern{};
        std::string literal{};
        SplitBehavior behavior = SplitBehavior::Isolated;
        bool invert = false;
        PrependScheme scheme = PrependScheme::Never;
        bool splitsWords = false;
    };

    static Result<Done> splitWords(const Step& step, Words& words);
    static void prefixWords(Words& words);
    static void markSpaces(const Step& step, Words& words, bool atStart);

    std::vector<Step> m_steps;
};

} // namespace engine
