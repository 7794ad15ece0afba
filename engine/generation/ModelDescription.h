#pragma once

#include "engine/api/Error.h"
#include "engine/api/ModelInfo.h"
#include "engine/api/ModelNotes.h"
#include "engine/generation/ModelFingerprint.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace engine {

class FingerprintCache;

/// All that can be said of a model's files, also of one without a tokenizer, which cannot be run.
class ModelDescription
{
public:
    /// `path`: as of LanguageModel::load. Errors: every fault of the files but for the tokenizer's.
    static Result<ModelDescription> read(const std::filesystem::path& path);
    ModelDescription(ModelDescription&&) noexcept;
    ~ModelDescription();

    const ModelInfo& info() const; ///< without its digest
    const ModelNotes& notes() const;
    const std::optional<TokenizerInfo>& tokenizer() const;
    /// Why there is none, as one sentence; empty where there is one.
    const std::string& tokenizerFault() const;

    /// As ModelFingerprint::compute.
    Result<std::string> fingerprint(const FingerprintCache& cache, const std::stop_token& stop,
                                    const FingerprintProgress& progress = {}) const;

private:
    struct Impl;
    explicit ModelDescription(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace engine
