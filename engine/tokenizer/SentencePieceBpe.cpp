#include "engine/tokenizer/SentencePieceBpe.h"

#include "engine/tokenizer/SpaceCuts.h"
#include "engine/tokenizer/Utf8.h"

#include <algorithm>

namespace engine {

namespace {

/// A character, or what several were merged into; size 0 once merged away.
struct Symbol
{
    std::size_t offset;
    std::size_t size;
    std::int32_t previous;
    std::int32_t next;
};

struct Candidate
{
    double score;
    std::int32_t position;
    std::size_t size; ///< of both symbols together, when the candidate was found
};

/// The heap's order: the highest score is at the front, the leftmost among equals.
bool comesLater(const Candidate& a, const Candidate& b)
{
    return a.score != b.score ? a.score < b.score : a.position > b.position;
}

/// The neighbours of a word and the candidates to merge next.
class ScoreMerging
{
public:
    ScoreMerging(std::string_view word, const Vocabulary& vocabulary)
        : m_word(word), m_vocabulary(vocabulary)
    {
        for (std::size_t offset = 0; offset < word.size();) {
            const std::size_t size = characterSize(word, offset);
            const auto index = static_cast<std::int32_t>(m_symbols.size());
            m_symbols.push_back({offset, size, index - 1, index + 1});
            offset += size;
        }
        m_symbols.back().next = -1;
        for (std::size_t i = 0; i + 1 < m_symbols.size(); ++i)
            consider(static_cast<std::int32_t>(i));
    }

    void run()
    {
        while (!m_heap.empty()) {
            std::pop_heap(m_heap.begin(), m_heap.end(), comesLater);
            const Candidate best = m_heap.back();
            m_heap.pop_back();
            Symbol& left = at(best.position);
            // A merge since then may have changed or taken either side.
            if (left.size == 0 || left.next < 0 || left.size + at(left.next).size != best.size)
                continue;
            Symbol& right = at(left.next);
            left.size = best.size;
            left.next = right.next;
            right.size = 0;
            if (left.next >= 0)
                at(left.next).previous = best.position;
            if (left.previous >= 0)
                consider(left.previous);
            consider(best.position);
        }
    }

    template <typename Visit>
    Result<Done> forEachPiece(Visit&& visit)
    {
        for (std::int32_t i = 0; i >= 0; i = at(i).next)
            if (const Result<Done> done = visit(m_word.substr(at(i).offset, at(i).size)); !done)
                return done;
        return Done{};
    }

private:
    Symbol& at(std::int32_t index) { return m_symbols[static_cast<std::size_t>(index)]; }

    void consider(std::int32_t position)
    {
        const Symbol& left = at(position);
        if (left.next < 0)
            return;
        const std::size_t size = left.size + at(left.next).size;
        if (size > m_vocabulary.longestTextPiece())
            return;
        if (const auto id = m_vocabulary.findText(m_word.substr(left.offset, size))) {
            m_heap.push_back({m_vocabulary[*id].score, position, size});
            std::push_heap(m_heap.begin(), m_heap.end(), comesLater);
        }
    }

    std::string_view m_word;
    const Vocabulary& m_vocabulary;
    std::vector<Symbol> m_symbols;
    std::vector<Candidate> m_heap;
};

} // namespace

SentencePieceBpe::SentencePieceBpe(TokenizerSpec specification)
    : SubwordTokenizer(std::move(specification)), m_merges(spec().merges),
      m_cutsBeforeSpaces(!spec().ignoreMerges && canCutBeforeSpaces(vocabulary()))
{}

Result<Done> SentencePieceBpe::encodeWord(std::string_view word, Workspace& workspace,
                                          std::vector<TokenId>& ids) const
{
    if (spec().ignoreMerges)
        if (const auto whole = vocabulary().findText(word)) {
            ids.push_back(*whole);
            return Done{};
        }
    while (!word.empty()) {
        const std::string_view part = m_cutsBeforeSpaces ? untilSpaceCut(word) : word;
        const auto done =
            spec().mergesByScore ? encodeByScore(part, ids) : encodeByRank(part, workspace, ids);
        if (!done)
            return done;
        word.remove_prefix(part.size());
    }
    return Done{};
}

Result<Done> SentencePieceBpe::encodeByRank(std::string_view word, Workspace& workspace,
                                            std::vector<TokenId>& ids) const
{
    std::vector<TokenId>& tokens = workspace.tokens;
    tokens.clear();
    for (std::size_t offset = 0; offset < word.size();) {
        const std::string_view character = word.substr(offset, characterSize(word, offset));
        offset += character.size();
        if (const auto id = vocabulary().findText(character))
            tokens.push_back(*id);
        else if (const auto done = addUnknown(character, tokens); !done)
            return done;
    }
    m_merges.apply(tokens, workspace.merging);
    ids.insert(ids.end(), tokens.begin(), tokens.end());
    return Done{};
}

Result<Done> SentencePieceBpe::encodeByScore(std::string_view word, std::vector<TokenId>& ids) const
{
    ScoreMerging merging(word, vocabulary());
    merging.run();
    return merging.forEachPiece([&](std::string_view piece) -> Result<Done> {
        const auto id = vocabulary().findText(piece);
        if (!id)
            return addUnknown(piece, ids);
        ids.push_back(*id);
        return Done{};
    });
}

std::string SentencePieceBpe::textOf(const VocabularyEntry& entry) const
{
    return withReplacements(entry.piece);
}

} // namespace engine
