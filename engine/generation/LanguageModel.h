#pragma once

#include "engine/api/Error.h"
#include "engine/api/ModelInfo.h"
#include "engine/api/ModelNotes.h"
#include "engine/api/Token.h"
#include "engine/generation/ModelFingerprint.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace engine {

class FingerprintCache;
class Tokenizer;
class Transformer;

/// A model opened from one file or folder: network, tokenizer and what is said about them.
/// Immutable; shared by all runs and threads.
class LanguageModel
{
public:
    /// `path`: a .gguf file, a Hugging Face folder, or a .safetensors file inside one. Weights are
    /// memory-mapped and used in place.
    /// Errors: every fault of the files, each naming the file and the value; see ErrorCode.
    static Result<std::shared_ptr<const LanguageModel>> load(const std::filesystem::path& path);
    ~LanguageModel();

    const Transformer& transformer() const;
    const Tokenizer& tokenizer() const;

    /// With an empty digest until a call of fingerprint() has ended.
    ModelInfo info() const;
    TokenizerInfo tokenizerInfo() const;
    const ModelNotes& notes() const; ///< what the files suggest, and what is odd in them

    /// The digest of the model's weights and configuration, as ModelFingerprint::compute says.
    Result<std::string> fingerprint(const FingerprintCache& cache, const std::stop_token& stop,
                                    const FingerprintProgress& progress = {}) const;
    std::string fingerprint() const; ///< without a cache; reads the whole model the first time

    /// Ids that end a text: end of text and of turn by the tokenizer's account, and what a folder's
    /// generation_config.json or config.json names as eos_token_id.
    const std::vector<TokenId>& stopTokens() const;

    /// The ids among the model's vocabulary that the tokenizer has a piece for, ascending; empty
    /// where it has one for each. A model's vocabulary may be padded beyond its tokenizer's.
    const std::vector<std::int32_t>& namedIds() const;

private:
    struct Impl;
    explicit LanguageModel(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace engine
