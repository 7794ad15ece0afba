#pragma once

#include "engine/tokenizer/PieceTrie.h"
#include "engine/tokenizer/SubwordTokenizer.h"

namespace engine {

/// The segmentation into pieces whose scores, log-probabilities, have the largest sum (T5, ALBERT,
/// XLM-RoBERTa). A character that is no piece counts as unknown, at `spec.unknownScore`; neighbours
/// that are unknown become one token, or those of their bytes. Of two with the same sum the one
/// whose last piece is longest wins, as in SentencePiece.
/// Hugging Face's tokenizers add scores in double precision. SentencePiece itself rounds each sum
/// to a float, which decides between equals such as the ways to cut "aaaaa", and so is done as well
/// (`spec.addsScoresAsFloats`).
/// Source: Kudo 2018 (arXiv:1804.10959); the best path is Viterbi's.
class Unigram final : public SubwordTokenizer
{
public:
    explicit Unigram(TokenizerSpec spec);

private:
    std::string kind() const override { return "Unigram"; }
    Result<Done> encodeWord(std::string_view word, Workspace& workspace,
                            std::vector<TokenId>& ids) const override;
    std::string textOf(const VocabularyEntry& entry) const override;

    Result<Done> encodePart(std::string_view part, std::vector<PathStep>& best,
                            std::vector<TokenId>& ids) const;
    void findBestPath(std::string_view part, std::vector<PathStep>& best) const;

    PieceTrie m_pieces;
    bool m_cutsBeforeSpaces = false;
};

} // namespace engine
