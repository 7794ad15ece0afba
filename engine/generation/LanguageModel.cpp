#include "engine/generation/LanguageModel.h"

#include "engine/io/FileError.h"
#include "engine/model/ModelFile.h"
#include "engine/model/Transformer.h"
#include "engine/tokenizer/Tokenizer.h"

#include <atomic>
#include <mutex>
#include <utility>

namespace engine {

namespace {

namespace fs = std::filesystem;

/// What can be told from the path alone, said in the words of someone who picks a model.
Result<Done> checkPath(const fs::path& path)
{
    const std::string text = path.string();
    if (text.empty())
        return Error{ErrorCode::FileNotFound, "model: expected a file or a folder, found no name"};
    if (text.starts_with("http:") || text.starts_with("https:"))
        return Error{ErrorCode::UnsupportedFeature,
                     text + ": completions servers are not supported by this version; give a .gguf "
                            "file or a Hugging Face folder"};
    std::error_code ignored;
    if (fs::is_directory(path, ignored) && !fs::exists(path / "config.json", ignored))
        return fileError(ErrorCode::FileNotFound, path,
                         "expected config.json in this folder, found none; a model folder holds "
                         "config.json, *.safetensors and the files of a tokenizer");
    return Done{};
}

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
    Impl(ModelInfo described, Transformer network, std::shared_ptr<const Tokenizer> words)
        : info(std::move(described)), transformer(std::move(network)), tokenizer(std::move(words)),
          namedIds(namedAmong(transformer.config().vocabularySize, *tokenizer))
    {}

    ModelInfo info; ///< without its digest
    Transformer transformer;
    std::shared_ptr<const Tokenizer> tokenizer;
    std::vector<std::int32_t> namedIds; ///< empty: all

    std::mutex fingerprintLock; ///< held by the one that computes it
    std::string fingerprint;
    std::atomic<bool> fingerprintKnown{false}; ///< from then on `fingerprint` never changes
};

LanguageModel::LanguageModel(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
LanguageModel::~LanguageModel() = default;

Result<std::shared_ptr<const LanguageModel>> LanguageModel::load(const fs::path& path)
{
    if (const auto possible = checkPath(path); !possible)
        return possible.error();
    auto file = openModel(path);
    if (!file)
        return file.error();
    auto tokenizer = file->gguf ? loadTokenizer(*file->gguf) : loadTokenizer(file->path);
    if (!tokenizer)
        return tokenizer.error();
    const int tokens = (*tokenizer)->vocabularySize();
    if (tokens > file->config.vocabularySize)
        return fileError(ErrorCode::BadFormat, path,
                         "the tokenizer has " + std::to_string(tokens) +
                             " tokens, but the model gives scores for " +
                             std::to_string(file->config.vocabularySize) +
                             " only: they do not belong together");
    ModelInfo info = describe(path, file->config, file->weights);
    auto impl = std::make_unique<Impl>(
        std::move(info), Transformer(std::move(file->config), std::move(file->weights)),
        std::move(*tokenizer));
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
    if (m_impl->fingerprintKnown.load(std::memory_order_acquire))
        info.sha256 = m_impl->fingerprint;
    return info;
}

TokenizerInfo LanguageModel::tokenizerInfo() const
{
    return m_impl->tokenizer->info();
}

const std::string& LanguageModel::fingerprint() const
{
    const std::lock_guard lock(m_impl->fingerprintLock);
    if (!m_impl->fingerprintKnown.load(std::memory_order_relaxed)) {
        m_impl->fingerprint = m_impl->transformer.weights().fingerprint();
        m_impl->fingerprintKnown.store(true, std::memory_order_release);
    }
    return m_impl->fingerprint;
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
