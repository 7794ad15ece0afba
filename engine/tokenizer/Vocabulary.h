#pragma once

#include "engine/api/Error.h"
#include "engine/api/Token.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// A token that is matched in the text as a whole, before the tokenizer splits it.
struct AddedToken
{
    TokenId id;
    std::string content;
    bool special = false;    ///< matched only where the caller wants special tokens parsed
    bool singleWord = false; ///< not next to a letter, digit or underscore
    bool leftStrip = false;  ///< takes the white space before it
    bool rightStrip = false; ///< takes the white space after it
    bool normalized = false; ///< matched in the normalised text
};

/// One row of the vocabulary: a piece as its file writes it (byte-level vocabularies in the byte
/// alphabet, SentencePiece with U+2581 for a space), its kind, and its score where there is one.
struct VocabularyEntry
{
    std::string piece;
    TokenKind kind = TokenKind::Unused;
    double score = 0;
};

/// Pieces by id and ids by piece. Ids no file names are Unused entries without a piece.
class Vocabulary
{
public:
    /// More than any vocabulary in use has; keeps a wrong id from asking for gigabytes.
    static constexpr std::int64_t kMaximumSize = std::int64_t{1} << 22;

    Vocabulary() = default;
    /// `where` begins the messages. Errors: BadFormat for a piece that two ids have.
    static Result<Vocabulary> build(std::vector<VocabularyEntry> entries, const std::string& where);

    int size() const { return static_cast<int>(m_entries.size()); }
    bool contains(TokenId id) const { return id.value >= 0 && id.value < size(); }
    /// `id` is inside the vocabulary.
    const VocabularyEntry& operator[](TokenId id) const
    {
        return m_entries[static_cast<std::size_t>(id.value)];
    }

    /// `id` is inside the vocabulary.
    void setKind(TokenId id, TokenKind kind);

    /// The id of a piece, whatever its kind.
    std::optional<TokenId> find(std::string_view piece) const;
    /// The id of a piece that plain text may become: never a special, byte or unused token.
    std::optional<TokenId> findText(std::string_view piece) const;
    /// The token of a single byte, "<0x0A>".
    std::optional<TokenId> byteToken(unsigned char byte) const;
    /// Bytes of the longest piece that plain text may become.
    std::size_t longestTextPiece() const { return m_longestTextPiece; }

private:
    struct Slot
    {
        std::uint32_t hash = 0; ///< of the piece, so that most other pieces need not be looked at
        std::int32_t id = -1;
    };

    std::size_t slotOf(std::string_view piece, std::uint32_t hash) const;

    std::vector<VocabularyEntry> m_entries;
    std::vector<Slot> m_slots; ///< open addressing, a power of two; id -1 is free
    std::array<TokenId, 256> m_byteTokens{};
    std::size_t m_longestTextPiece = 0;
};

/// Collects the entries of a file that gives them in any order.
class VocabularyBuilder
{
public:
    /// `where` begins the messages: the file's name.
    explicit VocabularyBuilder(std::string where) : m_where(std::move(where)) {}

    /// Errors: BadFormat for an id out of range or given to another piece before.
    /// A score counts where a piece is given for the first time.
    Result<Done> add(std::int64_t id, std::string_view piece, TokenKind kind, double score = 0);

    Result<Vocabulary> build() &&;

private:
    std::string m_where;
    std::vector<VocabularyEntry> m_entries;
};

/// Can plain text become a token of this kind? Not a special, byte or unused one.
bool isTextKind(TokenKind kind);

/// The byte of a piece "<0x0A>"; nothing for any other piece.
std::optional<unsigned char> byteOfPiece(std::string_view piece);

} // namespace engine
