#pragma once

#include "engine/tokenizer/SubwordTokenizer.h"

#include <cstdint>

namespace engine {

/// Byte-pair encoding over characters, with spaces written as U+2581 and characters that have no
/// token as the tokens of their bytes (Llama 2, Mistral). Neighbours are merged by the score of the
/// piece they make (GGUF), or by the rank of their merge (tokenizer.json).
/// Source: Kudo and Richardson 2018 (arXiv:1808.06226).
class SentencePieceBpe final : public SubwordTokenizer
{
public:
    explicit SentencePieceBpe(TokenizerSpec spec);

private:
    std::string kind() const override { return "SentencePiece BPE"; }
    Result<Done> encodeWord(std::string_view word, Workspace& workspace,
                            std::vector<TokenId>& ids) const override;
    std::string textOf(const VocabularyEntry& entry) const override;

    Result<Done> encodeByRank(std::string_view word, Workspace& workspace,
                              std::vector<TokenId>& ids) const;
    Result<Done> encodeByScore(std::string_view word, std::vector<TokenId>& ids) const;

    BpeMerges m_merges;
    bool m_cutsBeforeSpaces = false;
};

} // namespace engine
