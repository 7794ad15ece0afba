#pragma once

#include "engine/api/Error.h"
#include "engine/tokenizer/CharacterMap.h"
#include "engine/tokenizer/Regex.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// What is done to a text before it is split: the steps of tokenizer.json's "normalizer", in order.
/// Thread: const after it was put together.
class Normalizer
{
public:
    enum class Form
    {
        Nfc,
        Nfd,
        Nfkc,
        Nfkd,
    };

    /// Source: Unicode Standard Annex #15, by utf8proc.
    void addForm(Form form);
    void addLowercase();
    /// Puts `content` before a text that is not empty.
    void addPrepend(std::string content);
    void addReplace(std::string literal, std::string content);
    void addReplace(Regex pattern, std::string content);
    /// Drops white space at the ends.
    void addStrip(bool left, bool right);
    /// Drops combining marks (general category M).
    void addStripAccents();
    /// By grapheme clusters, as Hugging Face's tokenizers have it.
    void addCharacterMap(CharacterMap map);
    /// By longest match, as SentencePiece has it, but not in the texts `kept`.
    void addCharacterMap(CharacterMap map, PieceTrie kept);
    /// What SentencePiece does with spaces: `removesExtra` drops them at the ends and leaves one of
    /// each run; `addsPrefix` puts one before a text that is not empty, at the start only; all are
    /// then written as U+2581.
    void addSentencePieceSpaces(bool removesExtra, bool addsPrefix);

    bool empty() const { return m_steps.empty(); }

    /// `text` is valid UTF-8, and so is the result. `atStart`: it begins the whole text.
    /// Errors: UnsupportedFeature from a pattern that gave up, BadFormat from a damaged character
    /// map, OutOfMemory.
    Result<std::string> apply(std::string_view text, bool atStart = true) const;

    /// All steps and their values, the same for the same rules.
    std::string canonical() const;

private:
    enum class Kind
    {
        Form,
        Lowercase,
        Prepend,
        ReplaceLiteral,
        ReplacePattern,
        Strip,
        StripAccents,
        MapLongest,
        MapGraphemes,
        SentencePieceSpaces,
    };
    struct Step
    {
        Kind kind{};
        Form form = Form::Nfc;
        std::string literal{};
        std::string content{};
        std::optional<Regex> pattern{};
        std::optional<CharacterMap> map{};
        PieceTrie kept{};
        bool left = false;  ///< of SentencePieceSpaces: addsPrefix
        bool right = false; ///< of SentencePieceSpaces: removesExtra
    };

    static Result<std::string> apply(const Step& step, std::string text, bool atStart);

    std::vector<Step> m_steps;
};

} // namespace engine
