#pragma once

#include "engine/api/Error.h"
#include "engine/api/ModelInfo.h"
#include "engine/api/Token.h"
#include "engine/tokenizer/Utf8.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

class GgufFile;

struct EncodeOptions
{
    std::optional<bool> addSpecialTokens =
        {};                    ///< nothing: the tokenizer's own rule for BOS and EOS
    bool parseSpecial = false; ///< "<|endoftext|>" in the text is the special token, not plain text
    ByteRange plainText =
        {}; ///< where it stays plain text all the same: the user's words in a chat
};

struct EncodedToken
{
    TokenId id;
    TokenOrigin origin = TokenOrigin::Prompt; ///< Prompt, Special or Bos

    bool operator==(const EncodedToken&) const = default;
};

/// Text to token ids and back. Immutable after loading; every method may be called from any thread.
class Tokenizer
{
public:
    virtual ~Tokenizer() = default;

    /// BOS and EOS are put around the text as the tokenizer's rule says, unless `options` has them
    /// left out; one that the text was written with and that was parsed is not put a second time.
    /// Errors: InvalidArgument where `text` is not UTF-8 (with the byte's offset), or where the
    /// vocabulary has no token for a part of it (no bytes, no unknown token).
    virtual Result<std::vector<EncodedToken>> encode(std::string_view text,
                                                     const EncodeOptions& options) const = 0;

    /// The bytes a token adds inside a text, and its kind. An id outside the vocabulary gives an
    /// Unused piece with no bytes. Special tokens have their written form as bytes.
    virtual TokenPiece piece(TokenId id) const = 0;

    /// Exactly the bytes of a text made of these ids. At the start of a text, also behind a BOS,
    /// SentencePiece vocabularies drop the space that encoding put there; `atStart` false continues
    /// a text.
    virtual std::string decode(std::span<const TokenId> ids, bool atStart = true) const = 0;

    virtual const TokenizerInfo& info() const = 0;
    virtual int vocabularySize() const = 0;
    virtual std::optional<TokenId> bos() const = 0;
    virtual std::optional<TokenId> eos() const = 0;
    /// Ids that end a text by the tokenizer's own account (EOS, end of turn, end of message).
    virtual const std::vector<TokenId>& stopTokens() const = 0;
};

/// From the metadata of a GGUF file, which need not outlive the tokenizer.
/// Errors: MissingTokenizer, UnsupportedFeature (by name), BadFormat.
Result<std::shared_ptr<const Tokenizer>> loadTokenizer(const GgufFile& file);

/// From a Hugging Face folder: tokenizer.json, else vocab.json with merges.txt, else
/// SentencePiece's tokenizer.model, with what tokenizer_config.json, generation_config.json and
/// config.json say of special tokens. Errors: MissingTokenizer, UnsupportedFeature (by name),
/// BadFormat.
Result<std::shared_ptr<const Tokenizer>> loadTokenizer(const std::filesystem::path& folder);

} // namespace engine
