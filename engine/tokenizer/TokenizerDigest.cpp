#include "engine/tokenizer/TokenizerDigest.h"

#include "engine/io/Sha256.h"
#include "engine/tokenizer/Utf8.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string_view>
#include <vector>

namespace engine {

namespace {

/// Gathers fields, so that the digest is fed in few calls.
class Fields
{
public:
    void number(std::uint64_t value)
    {
        std::array<char, 8> bytes{}; // little-endian
        for (std::size_t i = 0; i < bytes.size(); ++i)
            bytes[i] = static_cast<char>((value >> (8 * i)) & 0xFF);
        m_bytes.append(bytes.data(), bytes.size());
    }
    void id(TokenId token) { number(static_cast<std::uint32_t>(token.value)); }
    void text(std::string_view bytes)
    {
        number(bytes.size());
        m_bytes.append(bytes);
    }
    const std::string& bytes() const { return m_bytes; }

private:
    std::string m_bytes;
};

void addVocabulary(Fields& fields, const Vocabulary& vocabulary)
{
    for (int i = 0; i < vocabulary.size(); ++i) {
        const VocabularyEntry& entry = vocabulary[TokenId{i}];
        if (entry.kind == TokenKind::Unused) // GGUF pads the vocabulary to the size of the model's
            continue;
        fields.id(TokenId{i});
        fields.number(static_cast<std::uint64_t>(entry.kind));
        fields.text(entry.piece);
    }
}

/// Can the piece be made of two others?
bool canBeMerged(std::string_view piece, const Vocabulary& vocabulary)
{
    for (std::size_t cut = characterSize(piece, 0); cut < piece.size();
         cut += characterSize(piece, cut))
        if (vocabulary.find(piece.substr(0, cut)) && vocabulary.find(piece.substr(cut)))
            return true;
    return false;
}

/// Pieces made by merging, in the order of their scores.
std::vector<TokenId> productionOrder(const Vocabulary& vocabulary)
{
    std::vector<TokenId> order;
    for (int i = 0; i < vocabulary.size(); ++i)
        if (vocabulary[TokenId{i}].kind == TokenKind::Normal &&
            canBeMerged(vocabulary[TokenId{i}].piece, vocabulary))
            order.push_back({i});
    std::stable_sort(order.begin(), order.end(), [&](TokenId a, TokenId b) {
        return vocabulary[a].score > vocabulary[b].score;
    });
    return order;
}

/// Pieces made by merging, in the order of their first merge.
std::vector<TokenId> productionOrder(const std::vector<Merge>& merges, int vocabularySize)
{
    std::vector<TokenId> order;
    std::vector<bool> seen(static_cast<std::size_t>(vocabularySize));
    for (const Merge& merge : merges) {
        const auto index = static_cast<std::size_t>(merge.merged.value);
        if (!seen[index])
            order.push_back(merge.merged);
        seen[index] = true;
    }
    return order;
}

void addMerges(Fields& fields, const TokenizerSpec& spec)
{
    if (spec.family == TokenizerFamily::ByteLevelBpe) {
        fields.number(spec.merges.size());
        for (const Merge& merge : spec.merges) {
            fields.id(merge.left);
            fields.id(merge.right);
        }
        return;
    }
    if (spec.family == TokenizerFamily::Unigram) {
        fields.number(std::bit_cast<std::uint64_t>(spec.unknownScore));
        for (int i = 0; i < spec.vocabulary.size(); ++i)
            fields.number(std::bit_cast<std::uint64_t>(spec.vocabulary[TokenId{i}].score));
        return;
    }
    const std::vector<TokenId> order = spec.mergesByScore
                                           ? productionOrder(spec.vocabulary)
                                           : productionOrder(spec.merges, spec.vocabulary.size());
    fields.number(order.size());
    for (const TokenId id : order)
        fields.id(id);
}

void addAddedTokens(Fields& fields, const TokenizerSpec& spec)
{
    std::vector<AddedToken> tokens = spec.addedTokens;
    std::sort(tokens.begin(), tokens.end(),
              [](const AddedToken& a, const AddedToken& b) { return a.id < b.id; });
    for (const AddedToken& token : tokens) {
        const bool normalized = token.normalized && !spec.normalizer.empty();
        const unsigned flags = (token.singleWord ? 1u : 0u) | (token.leftStrip ? 2u : 0u) |
                               (token.rightStrip ? 4u : 0u) | (normalized ? 8u : 0u);
        if (flags == 0) // its kind, above, already says all about it
            continue;
        fields.id(token.id);
        fields.number(flags);
    }
}

} // namespace

std::string tokenizerSha256(const TokenizerSpec& spec)
{
    Fields fields;
    fields.text("tokenizer 1");
    fields.number(static_cast<std::uint64_t>(spec.family));
    addVocabulary(fields, spec.vocabulary);
    addMerges(fields, spec);
    addAddedTokens(fields, spec);
    fields.text(spec.normalizer.canonical());
    fields.text(spec.preTokenizer.canonical());
    for (const auto* ids : {&spec.before, &spec.after}) {
        fields.number(ids->size());
        for (const TokenId id : *ids)
            fields.id(id);
    }
    fields.number(spec.ignoreMerges ? 1 : 0);
    fields.number(spec.leadingSpaces);
    for (const auto& [from, to] : spec.replacements) {
        fields.text(from);
        fields.text(to);
    }
    return Sha256::of(fields.bytes());
}

} // namespace engine
