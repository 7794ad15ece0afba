#pragma once

#include "engine/tokenizer/SubwordTokenizer.h"

#include <array>

namespace engine {

/// Byte-pair encoding over the bytes of each word, merged by rank (GPT-2, Llama 3, Qwen 2).
/// Source: Radford et al. 2019 (GPT-2).
class ByteLevelBpe final : public SubwordTokenizer
{
public:
    explicit ByteLevelBpe(TokenizerSpec spec);

private:
    std::string kind() const override { return "byte-level BPE"; }
    Result<Done> encodeWord(std::string_view word, Workspace& workspace,
                            std::vector<TokenId>& ids) const override;
    std::string textOf(const VocabularyEntry& entry) const override;

    BpeMerges m_merges;
    std::array<TokenId, 256> m_byteTokens{}; ///< of single bytes; -1 where there is none
};

} // namespace engine
