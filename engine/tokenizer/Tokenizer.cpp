#include "engine/tokenizer/Tokenizer.h"

#include "engine/io/FileError.h"
#include "engine/tokenizer/FolderConfig.h"
#include "engine/tokenizer/GgufTokenizer.h"
#include "engine/tokenizer/SentencePieceModel.h"
#include "engine/tokenizer/SubwordTokenizer.h"
#include "engine/tokenizer/TokenizerJson.h"
#include "engine/tokenizer/VocabMerges.h"

namespace engine {

namespace {

bool isThere(const std::filesystem::path& file)
{
    std::error_code ignored;
    return std::filesystem::exists(file, ignored);
}

Result<TokenizerSpec> readFolder(const std::filesystem::path& folder, const FolderConfig& config)
{
    if (isThere(folder / "tokenizer.json"))
        return readTokenizerJson(folder / "tokenizer.json", config);
    if (isThere(folder / "vocab.json") && isThere(folder / "merges.txt"))
        return readVocabMerges(folder / "vocab.json", folder / "merges.txt", config);
    if (isThere(folder / "tokenizer.model"))
        return readSentencePieceModel(folder / "tokenizer.model", config);
    return fileError(ErrorCode::MissingTokenizer, folder,
                     "expected a tokenizer.json, a tokenizer.model, or a vocab.json with a "
                     "merges.txt");
}

} // namespace

Result<std::shared_ptr<const Tokenizer>> loadTokenizer(const GgufFile& file)
{
    Result<TokenizerSpec> spec = readGgufTokenizer(file);
    if (!spec)
        return spec.error();
    return SubwordTokenizer::make(*std::move(spec));
}

Result<std::shared_ptr<const Tokenizer>> loadTokenizer(const std::filesystem::path& folder)
{
    const Result<FolderConfig> config = FolderConfig::read(folder);
    if (!config)
        return config.error();
    Result<TokenizerSpec> spec = readFolder(folder, *config);
    if (!spec)
        return spec.error();
    config->applyTo(*spec);
    return SubwordTokenizer::make(*std::move(spec));
}

} // namespace engine
