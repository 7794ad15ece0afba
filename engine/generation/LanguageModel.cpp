#include "engine/generation/LanguageModel.h"

#include "engine/generation/FingerprintCache.h"
#include "engine/generation/ModelParts.h"
#include "engine/model/ModelConfig.h"
#include "engine/model/Transformer.h"

#include <utility>

namespace engine {

namespace {

std::vector<std::int32_t> namedAmong(int vocabularySize, const Tokenizer& tokenizer)
{
    std::vector<std::int32_t> named;
    for (std::int32_t id = 0; id < vocabularySize; ++id)
        if (tokenizer.piece(TokenId{id}).kind != TokenKind::Unused)
            named.push_back(id);
    if (named.size() == static_cast<std::size_t>(vocabularySize))
        named = {};
    return named;
}

} // namespace

struct LanguageModel::Impl
{
    explicit Impl(ModelParts parts)
        : info(std::move(parts.info)), notes(std::move(parts.notes)),
          transformer(std::move(parts.file.config), std::move(parts.file.weights)),
          tokenizer(std::move(*parts.tokenizer)),
          namedIds(namedAmong(transformer.config().vocabularySize, *tokenizer)),
          fingerprint(transformer.weights(), parts.file.path, parts.openedNanoseconds)
    {}

    ModelInfo info; ///< without its digest
    ModelNotes notes;
    Transformer transformer;
    std::shared_ptr<const Tokenizer> tokenizer;
    std::vector<std::int32_t> namedIds; ///< empty: all
    ModelFingerprint fingerprint;       ///< of the transformer's weights
};

LanguageModel::LanguageModel(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
LanguageModel::~LanguageModel() = default;

Result<std::shared_ptr<const LanguageModel>> LanguageModel::load(const std::filesystem::path& path)
{
    auto parts = openParts(path);
    if (!parts)
        return parts.error();
    if (!parts->tokenizer)
        return parts->tokenizer.error();
    auto impl = std::make_unique<Impl>(std::move(*parts));
    return std::shared_ptr<const LanguageModel>(new LanguageModel(std::move(impl)));
}

const Transformer& LanguageModel::transformer() const
{
    return m_impl->transformer;
}

const Tokenizer& LanguageModel::tokenizer() const
{
    return *m_impl->tokenizer;
}

ModelInfo LanguageModel::info() const
{
    ModelInfo info = m_impl->info;
    info.sha256 = m_impl->fingerprint.known().value_or("");
    return info;
}

const ModelNotes& LanguageModel::notes() const
{
    return m_impl->notes;
}

TokenizerInfo LanguageModel::tokenizerInfo() const
{
    return m_impl->tokenizer->info();
}

std::string LanguageModel::fingerprint() const
{
    return *fingerprint(FingerprintCache(), {});
}

Result<std::string> LanguageModel::fingerprint(const FingerprintCache& cache,
                                               const std::stop_token& stop,
                                               const FingerprintProgress& progress) const
{
    return m_impl->fingerprint.compute(cache, stop, progress);
}

const std::vector<TokenId>& LanguageModel::stopTokens() const
{
    return m_impl->tokenizer->stopTokens();
}

const std::vector<std::int32_t>& LanguageModel::namedIds() const
{
    return m_impl->namedIds;
}

} // namespace engine
