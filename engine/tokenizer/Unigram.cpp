#include "engine/tokenizer/Unigram.h"

#include "engine/tokenizer/SpaceCuts.h"
#include "engine/tokenizer/Utf8.h"

#include <algorithm>

namespace engine {

namespace {

PieceTrie textPieces(const Vocabulary& vocabulary)
{
    std::vector<std::pair<std::string_view, TokenId>> pieces;
    for (int i = 0; i < vocabulary.size(); ++i) {
        const VocabularyEntry& entry = vocabulary[TokenId{i}];
        if (isTextKind(entry.kind) && !entry.piece.empty())
            pieces.emplace_back(entry.piece, TokenId{i});
    }
    return PieceTrie(std::move(pieces));
}

} // namespace

Unigram::Unigram(TokenizerSpec specification)
    : SubwordTokenizer(std::move(specification)), m_pieces(textPieces(vocabulary())),
      // Rounded sums depend on all that stands before.
      m_cutsBeforeSpaces(!spec().addsScoresAsFloats && canCutBeforeSpaces(vocabulary()))
{}

Result<Done> Unigram::encodeWord(std::string_view word, Workspace& workspace,
                                 std::vector<TokenId>& ids) const
{
    while (!word.empty()) {
        const std::string_view part = m_cutsBeforeSpaces ? untilSpaceCut(word) : word;
        if (const auto done = encodePart(part, workspace.path, ids); !done)
            return done;
        word.remove_prefix(part.size());
    }
    return Done{};
}

/// best[i] is the last step of the best way to `i`:
///     score(i) = max over pieces p that end at i of  score(i - |p|) + score of p
void Unigram::findBestPath(std::string_view part, std::vector<PathStep>& best) const
{
    const bool asFloats = spec().addsScoresAsFloats;
    const auto rounded = [asFloats](double sum) {
        return asFloats ? static_cast<double>(static_cast<float>(sum)) : sum;
    };
    best.assign(part.size() + 1, {});
    for (std::size_t begin = 0; begin < part.size();) {
        const double before = best[begin].score;
        const std::size_t character = characterSize(part, begin);
        const auto consider = [&](std::size_t size, TokenId id, double sum) {
            PathStep& step = best[begin + size];
            if (step.size == 0 || sum > step.score)
                step = {rounded(sum), id, size};
        };
        bool isPiece = false;
        m_pieces.forEachPrefix(part.substr(begin), [&](std::size_t size, TokenId id) {
            consider(size, id, before + vocabulary()[id].score);
            isPiece = isPiece || size == character;
        });
        if (!isPiece)
            consider(character, TokenId{}, rounded(before + spec().unknownScore));
        begin += character;
    }
}

Result<Done> Unigram::encodePart(std::string_view part, std::vector<PathStep>& best,
                                 std::vector<TokenId>& ids) const
{
    findBestPath(part, best);
    // Backwards along the path; the ids are turned around at the end.
    const std::size_t first = ids.size();
    std::vector<TokenId> unknown;
    for (std::size_t end = part.size(); end > 0;) {
        if (best[end].id.value >= 0) {
            ids.push_back(best[end].id);
            end -= best[end].size;
            continue;
        }
        std::size_t begin = end;
        while (begin > 0 && best[begin].id.value < 0)
            begin -= best[begin].size;
        unknown.clear();
        if (const auto done = addUnknown(part.substr(begin, end - begin), unknown); !done)
            return done;
        ids.insert(ids.end(), unknown.rbegin(), unknown.rend());
        end = begin;
    }
    std::reverse(ids.begin() + static_cast<std::ptrdiff_t>(first), ids.end());
    return Done{};
}

std::string Unigram::textOf(const VocabularyEntry& entry) const
{
    return withReplacements(entry.piece);
}

} // namespace engine
