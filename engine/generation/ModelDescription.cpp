#include "engine/generation/ModelDescription.h"

#include "engine/generation/ModelParts.h"

#include <utility>

namespace engine {

struct ModelDescription::Impl
{
    explicit Impl(ModelParts opened)
        : parts(std::move(opened)),
          fingerprint(parts.file.weights, parts.file.path, parts.openedNanoseconds)
    {
        if (parts.tokenizer)
            tokenizer = (*parts.tokenizer)->info();
        else
            tokenizerFault = parts.tokenizer.error().message;
    }

    ModelParts parts;
    ModelFingerprint fingerprint; ///< of the weights in `parts`
    std::optional<TokenizerInfo> tokenizer;
    std::string tokenizerFault;
};

ModelDescription::ModelDescription(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
ModelDescription::ModelDescription(ModelDescription&&) noexcept = default;
ModelDescription::~ModelDescription() = default;

Result<ModelDescription> ModelDescription::read(const std::filesystem::path& path)
{
    auto parts = openParts(path);
    if (!parts)
        return parts.error();
    // A tokenizer that is missing or of a kind not known leaves a model that can be described; one
    // that is broken is a fault of the files that must not pass as a remark.
    if (!parts->tokenizer && parts->tokenizer.error().code == ErrorCode::BadFormat)
        return parts->tokenizer.error();
    return ModelDescription(std::make_unique<Impl>(std::move(*parts)));
}

const ModelInfo& ModelDescription::info() const
{
    return m_impl->parts.info;
}

const ModelNotes& ModelDescription::notes() const
{
    return m_impl->parts.notes;
}

const std::optional<TokenizerInfo>& ModelDescription::tokenizer() const
{
    return m_impl->tokenizer;
}

const std::string& ModelDescription::tokenizerFault() const
{
    return m_impl->tokenizerFault;
}

Result<std::string> ModelDescription::fingerprint(const FingerprintCache& cache,
                                                  const std::stop_token& stop,
                                                  const FingerprintProgress& progress) const
{
    return m_impl->fingerprint.compute(cache, stop, progress);
}

} // namespace engine
