#include "engine/tokenizer/Vocabulary.h"

#include "engine/io/FileError.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace engine {

namespace {

std::uint32_t hashOf(std::string_view piece)
{
    return static_cast<std::uint32_t>(std::hash<std::string_view>{}(piece));
}

std::optional<unsigned> hexDigit(char c)
{
    if (c >= '0' && c <= '9')
        return static_cast<unsigned>(c - '0');
    if (c >= 'A' && c <= 'F')
        return static_cast<unsigned>(c - 'A' + 10);
    if (c >= 'a' && c <= 'f')
        return static_cast<unsigned>(c - 'a' + 10);
    return std::nullopt;
}

} // namespace

bool isTextKind(TokenKind kind)
{
    return kind == TokenKind::Normal || kind == TokenKind::UserDefined;
}

std::optional<unsigned char> byteOfPiece(std::string_view piece)
{
    if (piece.size() != 6 || !piece.starts_with("<0x") || piece.back() != '>')
        return std::nullopt;
    const auto high = hexDigit(piece[3]);
    const auto low = hexDigit(piece[4]);
    if (!high || !low)
        return std::nullopt;
    return static_cast<unsigned char>(*high << 4 | *low);
}

Result<Vocabulary> Vocabulary::build(std::vector<VocabularyEntry> entries, const std::string& where)
{
    Vocabulary vocabulary;
    vocabulary.m_entries = std::move(entries);
    vocabulary.m_slots.resize(std::bit_ceil(vocabulary.m_entries.size() * 2 + 2));
    for (int i = 0; i < vocabulary.size(); ++i) {
        const VocabularyEntry& entry = vocabulary[TokenId{i}];
        if (entry.piece.empty())
            continue;
        const std::uint32_t hash = hashOf(entry.piece);
        Slot& slot = vocabulary.m_slots[vocabulary.slotOf(entry.piece, hash)];
        if (slot.id >= 0)
            return Error{ErrorCode::BadFormat, where + ": token \"" + printable(entry.piece) +
                                                   "\": expected one id, found " +
                                                   std::to_string(slot.id) + " and " +
                                                   std::to_string(i)};
        slot = {hash, i};
        if (isTextKind(entry.kind))
            vocabulary.m_longestTextPiece =
                std::max(vocabulary.m_longestTextPiece, entry.piece.size());
        if (entry.kind == TokenKind::Byte)
            if (const auto byte = byteOfPiece(entry.piece))
                vocabulary.m_byteTokens[*byte] = TokenId{i};
    }
    return vocabulary;
}

void Vocabulary::setKind(TokenId id, TokenKind kind)
{
    m_entries[static_cast<std::size_t>(id.value)].kind = kind;
}

/// The slot that holds `piece`, or the free one where it belongs.
std::size_t Vocabulary::slotOf(std::string_view piece, std::uint32_t hash) const
{
    const std::size_t mask = m_slots.size() - 1;
    std::size_t at = hash & mask;
    while (m_slots[at].id >= 0 &&
           (m_slots[at].hash != hash || (*this)[TokenId{m_slots[at].id}].piece != piece))
        at = (at + 1) & mask;
    return at;
}

std::optional<TokenId> Vocabulary::find(std::string_view piece) const
{
    if (piece.empty() || m_slots.empty())
        return std::nullopt;
    const std::int32_t id = m_slots[slotOf(piece, hashOf(piece))].id;
    if (id < 0)
        return std::nullopt;
    return TokenId{id};
}

std::optional<TokenId> Vocabulary::findText(std::string_view piece) const
{
    const auto id = find(piece);
    return id && isTextKind((*this)[*id].kind) ? id : std::nullopt;
}

std::optional<TokenId> Vocabulary::byteToken(unsigned char byte) const
{
    const TokenId id = m_byteTokens[byte];
    return id.value >= 0 ? std::optional(id) : std::nullopt;
}

Result<Done> VocabularyBuilder::add(std::int64_t id, std::string_view piece, TokenKind kind,
                                    double score)
{
    if (id < 0 || id >= Vocabulary::kMaximumSize)
        return Error{ErrorCode::BadFormat, m_where + ": token \"" + printable(piece) +
                                               "\": expected an id from 0 to " +
                                               std::to_string(Vocabulary::kMaximumSize - 1) +
                                               ", found " + std::to_string(id)};
    const auto index = static_cast<std::size_t>(id);
    if (index >= m_entries.size())
        m_entries.resize(index + 1);
    VocabularyEntry& entry = m_entries[index];
    if (!entry.piece.empty() && entry.piece != piece)
        return Error{ErrorCode::BadFormat,
                     m_where + ": id " + std::to_string(id) + ": expected one token, found \"" +
                         printable(entry.piece) + "\" and \"" + printable(piece) + "\""};
    if (entry.piece.empty())
        entry.score = score;
    entry.piece = piece;
    entry.kind = piece.empty() ? TokenKind::Unused : kind;
    return Done{};
}

Result<Vocabulary> VocabularyBuilder::build() &&
{
    return Vocabulary::build(std::move(m_entries), m_where);
}

} // namespace engine
