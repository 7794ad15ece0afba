#include "engine/tokenizer/VocabMerges.h"

#include "engine/io/FileError.h"
#include "engine/io/Json.h"
#include "engine/io/MappedFile.h"
#include "engine/tokenizer/NamedPreTokenizers.h"

#include <algorithm>
#include <array>

namespace engine {

namespace {

constexpr std::string_view kEndOfText = "<|endoftext|>";

bool isGpt2Class(std::string_view name)
{
    constexpr std::array<std::string_view, 6> names = {"",
                                                       "GPT2Tokenizer",
                                                       "GPT2TokenizerFast",
                                                       "CodeGenTokenizer",
                                                       "CodeGenTokenizerFast",
                                                       "PreTrainedTokenizerFast"};
    return std::find(names.begin(), names.end(), name) != names.end();
}

Result<Done> readRules(const FolderConfig& config, const std::filesystem::path& file,
                       TokenizerSpec& spec)
{
    std::string_view rule = "gpt-2";
    if (config.tokenizerClass.starts_with("Qwen2Tokenizer")) {
        rule = "qwen2";
        spec.normalizer.addForm(Normalizer::Form::Nfc);
    } else if (!isGpt2Class(config.tokenizerClass)) {
        return fileError(ErrorCode::UnsupportedFeature, file,
                         "the split rules of tokenizer class \"" +
                             printable(config.tokenizerClass) +
                             "\" are not known; GPT2Tokenizer and Qwen2Tokenizer are, and so is "
                             "any that comes with a tokenizer.json");
    }
    NamedPreTokenizer named = preTokenizerByName(rule);
    if (config.addPrefixSpace) {
        spec.preTokenizer.addPrefixSpace();
        spec.preTokenizer.append(std::move(named.rules));
    } else {
        spec.preTokenizer = std::move(named.rules);
    }
    return Done{};
}

Result<Done> readVocabulary(const std::filesystem::path& file, const FolderConfig& config,
                            TokenizerSpec& spec)
{
    const auto document = JsonDocument::read(file);
    if (!document)
        return document.error();
    if (!document->root().isObject() || document->root().size() == 0)
        return fileError(ErrorCode::BadFormat, file,
                         "expected an object of tokens and ids that is not empty");
    VocabularyBuilder builder(file.string());
    Result<Done> done = Done{};
    document->root().forEachMember([&](std::string_view piece, JsonValue id) {
        if (done)
            done = builder.add(id.integer().value_or(-1), piece, TokenKind::Normal);
    });
    for (const AddedToken& token : config.addedTokens)
        if (done)
            done = builder.add(token.id.value, token.content,
                               token.special ? TokenKind::Control : TokenKind::UserDefined);
    if (!done)
        return done;
    Result<Vocabulary> built = std::move(builder).build();
    if (!built)
        return built.error();
    spec.vocabulary = *std::move(built);
    spec.addedTokens = config.addedTokens;
    return Done{};
}

Result<Done> readMerges(const std::filesystem::path& file, TokenizerSpec& spec)
{
    const auto mapped = MappedFile::open(file);
    if (!mapped)
        return mapped.error();
    const auto bytes = mapped->bytes();
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const std::string name = file.string();
    std::size_t number = 0;
    for (std::size_t offset = 0; offset < text.size();) {
        const std::size_t end = std::min(text.find('\n', offset), text.size());
        std::string_view line = text.substr(offset, end - offset);
        offset = end + 1;
        ++number;
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        if (line.empty() || (number == 1 && line.starts_with("#version")))
            continue;
        const Result<Merge> merge =
            parseMerge(line, spec.vocabulary, name + ": line " + std::to_string(number));
        if (!merge)
            return merge.error();
        spec.merges.push_back(*merge);
    }
    if (spec.merges.empty())
        return fileError(ErrorCode::BadFormat, file, "expected a merge a line, found none");
    return Done{};
}

} // namespace

Result<TokenizerSpec> readVocabMerges(const std::filesystem::path& vocabularyFile,
                                      const std::filesystem::path& mergesFile,
                                      const FolderConfig& config)
{
    TokenizerSpec spec;
    if (const auto done = readRules(config, vocabularyFile, spec); !done)
        return done.error();
    if (const auto done = readVocabulary(vocabularyFile, config, spec); !done)
        return done.error();
    if (const auto done = readMerges(mergesFile, spec); !done)
        return done.error();
    // What GPT-2's own tokenizer class has where its folder says nothing.
    const auto endOfText = spec.vocabulary.find(kEndOfText);
    if (endOfText && isGpt2Class(config.tokenizerClass)) {
        spec.makeSpecial(*endOfText);
        for (const char* role : {"bos", "eos"})
            if (!config.roles.contains(role))
                spec.addRole(role, *endOfText);
    }
    return spec;
}

} // namespace engine
