#pragma once

#include "engine/api/Error.h"
#include "engine/tokenizer/PieceTrie.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// SentencePiece's precompiled normalisation ("precompiled_charsmap"): what texts of one or a few
/// characters become, as a double array over their bytes. T5, ALBERT, XLM-RoBERTa and others have
/// their "nmt_nfkc" rules this way.
/// Form: the array's size in bytes (32 bits, little-endian), the array, then the replacements, each
/// ended by a zero byte; the array's values are offsets of replacements.
/// Source: Kudo and Richardson 2018 (arXiv:1808.06226), section 3.2; for the array's units, Yata's
/// darts-clone. Thread: const.
class CharacterMap
{
public:
    /// `where` begins the messages. Errors: BadFormat.
    static Result<CharacterMap> read(std::string_view bytes, const std::string& where);

    /// As SentencePiece does it: at each place a text that `kept` knows stays as it is, else the
    /// longest that the map knows is replaced. Errors: BadFormat where the map is damaged.
    Result<std::string> applyToLongest(std::string_view text, const PieceTrie& kept = {}) const;

    /// As Hugging Face's tokenizers do it: grapheme clusters of less than six bytes are looked up,
    /// then the characters of those that are not known; what is found is the shortest beginning
    /// that the map knows, and takes the place of the whole. Errors: as above.
    Result<std::string> applyToGraphemes(std::string_view text) const;

    /// The same for the same map.
    const std::string& sha256() const { return m_data->sha256; }

private:
    struct Data
    {
        std::vector<std::uint32_t> units;
        std::string replacements;
        std::string where;
        std::string sha256;
    };
    struct Match
    {
        std::size_t size = 0; ///< 0: the map knows no beginning of the text
        std::uint32_t value = 0;
    };

    Match match(std::string_view text, bool longest) const;
    bool appendReplacement(std::uint32_t value, std::string& text) const;
    Error damaged() const;

    std::shared_ptr<const Data> m_data;
};

} // namespace engine
