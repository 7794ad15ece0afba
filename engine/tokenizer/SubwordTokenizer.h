#pragma once

#include "engine/tokenizer/AddedTokenMatcher.h"
#include "engine/tokenizer/BpeMerges.h"
#include "engine/tokenizer/Tokenizer.h"
#include "engine/tokenizer/TokenizerSpec.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// What byte-level BPE, SentencePiece BPE and Unigram share: added tokens are found, the text
/// between them is normalised and split into words, each word is encoded by the derived class, BOS
/// and EOS are put around. Thread: const; every method may be called from any thread.
class SubwordTokenizer : public Tokenizer
{
public:
    /// The class that `spec.family` names.
    static std::shared_ptr<const Tokenizer> make(TokenizerSpec spec);

    Result<std::vector<EncodedToken>> encode(std::string_view text,
                                             const EncodeOptions& options) const override;
    TokenPiece piece(TokenId id) const override;
    std::string decode(std::span<const TokenId> ids, bool atStart) const override;

    const TokenizerInfo& info() const override { return m_info; }
    int vocabularySize() const override { return m_spec.vocabulary.size(); }
    std::optional<TokenId> bos() const override { return m_spec.role("bos"); }
    std::optional<TokenId> eos() const override { return m_spec.role("eos"); }
    const std::vector<TokenId>& stopTokens() const override { return m_spec.stopTokens; }

protected:
    /// The last step of the best way through a word's first bytes.
    struct PathStep
    {
        double score = 0;     ///< of the whole way
        TokenId id;           ///< -1: a character without a token
        std::size_t size = 0; ///< bytes of the step; 0: no way leads here
    };
    /// Memory of one encode call.
    struct Workspace
    {
        std::vector<PathStep> path;
        BpeMerges::Workspace merging;
        std::vector<TokenId> tokens;
        std::string written;
    };

    explicit SubwordTokenizer(TokenizerSpec spec);

    /// "byte-level BPE", "SentencePiece BPE" or "Unigram".
    virtual std::string kind() const = 0;
    /// Appends the ids of a word that is not empty. Errors: InvalidArgument where there are none.
    virtual Result<Done> encodeWord(std::string_view word, Workspace& workspace,
                                    std::vector<TokenId>& ids) const = 0;
    /// The bytes of a Normal or Byte piece inside a text.
    virtual std::string textOf(const VocabularyEntry& entry) const = 0;

    /// The tokens of the bytes of `text` if byte fallback is on and there are all of them, else the
    /// unknown token, next to another of its kind only where that is not fused.
    /// Errors: InvalidArgument where there is none.
    Result<Done> addUnknown(std::string_view text, std::vector<TokenId>& ids) const;
    /// A piece with the decoder's replacements made.
    std::string withReplacements(const std::string& piece) const;

    const TokenizerSpec& spec() const { return m_spec; }
    const Vocabulary& vocabulary() const { return m_spec.vocabulary; }

private:
    struct Encoding;

    Result<Done> encodeRaw(std::string_view text, Encoding& encoding) const;
    Result<Done> encodeSegment(std::string_view text, std::size_t offset, Encoding& encoding) const;
    bool isNormalizedAsStart(std::size_t offset, const Encoding& encoding) const;
    Result<Done> encodePlain(std::string text, bool atStart, Encoding& encoding) const;
    std::string bytesOf(TokenId id) const;
    void describe();
    void prepareMatchers();

    TokenizerSpec m_spec;
    TokenizerInfo m_info;
    AddedTokenMatcher m_rawTokens;        ///< looked for in the text as it is
    AddedTokenMatcher m_normalizedTokens; ///< looked for after normalising
};

} // namespace engine
