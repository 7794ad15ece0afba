#include "engine/generation/ModelParts.h"

#include "engine/generation/ModelFingerprint.h"
#include "engine/generation/SamplingDefaultsFile.h"
#include "engine/generation/StopTokenOrigins.h"
#include "engine/io/FileError.h"
#include "engine/tokenizer/ChatTemplate.h"

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

Result<std::shared_ptr<const Tokenizer>> openTokenizer(const ModelFile& file)
{
    auto tokenizer = file.gguf ? loadTokenizer(*file.gguf) : loadTokenizer(file.path);
    if (!tokenizer)
        return tokenizer;
    const int tokens = (*tokenizer)->vocabularySize();
    if (tokens > file.config.vocabularySize)
        return fileError(ErrorCode::BadFormat, file.path,
                         "the tokenizer has " + std::to_string(tokens) +
                             " tokens, but the model gives scores for " +
                             std::to_string(file.config.vocabularySize) +
                             " only: they do not belong together");
    return tokenizer;
}

ChatSupport chatSupport(const TokenizerInfo& info)
{
    ChatSupport support;
    support.hasTemplate = !info.chatTemplate.empty();
    // A template may also refuse, or need what is not covered, so it is tried.
    const auto rendered = chatPrompt(info, "Hello");
    support.usable = bool(rendered);
    if (!rendered)
        support.reason = rendered.error().message;
    return support;
}

Result<ModelNotes> notesOf(const ModelFile& file, const Tokenizer* tokenizer)
{
    ModelNotes notes;
    for (const SourceFile& source : file.weights.sources())
        notes.fileBytes += source.bytes.size();
    auto suggested = file.gguf ? suggestedSampling(*file.gguf) : suggestedSampling(file.path);
    if (!suggested)
        return suggested.error();
    notes.sampling = std::move(suggested->defaults);
    notes.warnings = std::move(suggested->warnings);
    if (tokenizer == nullptr)
        return notes;
    notes.stopTokens = file.gguf ? stopTokenOrigins(*tokenizer, *file.gguf)
                                 : stopTokenOrigins(*tokenizer, file.path);
    notes.chat = chatSupport(tokenizer->info());
    for (const std::string& warning : tokenizer->info().warnings)
        notes.warnings.push_back("tokenizer: " + warning);
    return notes;
}

} // namespace

Result<ModelParts> openParts(const fs::path& path)
{
    const std::int64_t opened = ModelFingerprint::now();
    if (const auto possible = checkPath(path); !possible)
        return possible.error();
    auto file = openModel(path);
    if (!file)
        return file.error();
    auto tokenizer = openTokenizer(*file);
    auto notes = notesOf(*file, tokenizer ? tokenizer->get() : nullptr);
    if (!notes)
        return notes.error();
    ModelInfo info = describe(path, file->config, file->weights);
    return ModelParts{std::move(*file), std::move(tokenizer), std::move(info), std::move(*notes),
                      opened};
}

} // namespace engine
