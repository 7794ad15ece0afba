#include "engine/tokenizer/FolderConfig.h"

#include "engine/io/FileError.h"
#include "engine/io/Json.h"
#include "engine/io/MappedFile.h"
#include "engine/tokenizer/TokenizerJson.h"
#include "engine/tokenizer/TokenizerJsonParts.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace engine {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kRoleKeys = {
    {{"bos_token", "bos"},
     {"eos_token", "eos"},
     {"unk_token", "unknown"},
     {"pad_token", "padding"},
     {"sep_token", "separator"},
     {"cls_token", "class"},
     {"mask_token", "mask"}}};

/// A special token is written as a string or as an object that describes it; null says "none".
std::optional<std::string> contentOf(JsonValue token)
{
    if (token.isNull())
        return std::string();
    if (const auto text = token.string())
        return std::string(*text);
    if (const auto text = token["content"].string())
        return std::string(*text);
    return std::nullopt;
}

/// "<|endoftext|>", "</s>", "[EOS]".
bool looksSpecial(std::string_view piece)
{
    return piece.size() > 2 && ((piece.front() == '<' && piece.back() == '>') ||
                                (piece.front() == '[' && piece.back() == ']'));
}

bool isThere(const std::filesystem::path& file)
{
    std::error_code ignored;
    return std::filesystem::exists(file, ignored);
}

} // namespace

Result<FolderConfig> FolderConfig::read(const std::filesystem::path& folder)
{
    using Reader = Result<Done> (FolderConfig::*)(const std::filesystem::path&);
    constexpr std::array<std::pair<const char*, Reader>, 7> files = {
        {{"tokenizer_config.json", &FolderConfig::readTokenizerConfig},
         {"special_tokens_map.json", &FolderConfig::readSpecialTokensMap},
         {"added_tokens.json", &FolderConfig::readAddedTokens},
         {"chat_template.json", &FolderConfig::readChatTemplateJson},
         {"chat_template.jinja", &FolderConfig::readChatTemplate},
         {"generation_config.json", &FolderConfig::readModelFile},
         {"config.json", &FolderConfig::readModelFile}}};
    FolderConfig config;
    for (const auto& [name, reader] : files)
        if (isThere(folder / name))
            if (const auto done = (config.*reader)(folder / name); !done)
                return done.error();
    return config;
}

Result<Done> FolderConfig::readTokenizerConfig(const std::filesystem::path& file)
{
    const auto document = JsonDocument::read(file);
    if (!document)
        return document.error();
    const JsonValue root = document->root();
    tokenizerClass = root["tokenizer_class"].string().value_or("");
    addBos = root["add_bos_token"].boolean();
    addEos = root["add_eos_token"].boolean();
    isLegacy = root["legacy"].boolean();
    addPrefixSpace = root["add_prefix_space"].boolean().value_or(false);
    for (const auto& [key, role] : kRoleKeys)
        if (auto content = contentOf(root[key]))
            roles.emplace(role, *std::move(content));

    Result<Done> done = Done{};
    root["added_tokens_decoder"].forEachMember([&](std::string_view key, JsonValue value) {
        std::int32_t id = -1;
        const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), id);
        auto token = addedTokenFrom(value, id);
        if (error != std::errc() || end != key.data() + key.size() || id < 0 || !token)
            done = fileError(ErrorCode::BadFormat, file,
                             "added_tokens_decoder: expected a token with an id, found \"" +
                                 printable(key) + "\"");
        else
            addedTokens.push_back(*std::move(token));
    });
    if (!done)
        return done;

    for (const JsonValue token : elementsOf(root["additional_special_tokens"]))
        if (auto content = contentOf(token))
            additionalSpecial.push_back(*std::move(content));

    takeChatTemplate(root["chat_template"]);
    return Done{};
}

/// A template, or several with names, of which "default" or else the first counts.
void FolderConfig::takeChatTemplate(JsonValue chat)
{
    if (const auto single = chat.string())
        chatTemplate = *single;
    for (const JsonValue named : elementsOf(chat))
        if (named["name"].string() == "default" || chatTemplate.empty())
            chatTemplate = named["template"].string().value_or("");
}

Result<Done> FolderConfig::readChatTemplateJson(const std::filesystem::path& file)
{
    const auto document = JsonDocument::read(file);
    if (!document)
        return document.error();
    if (chatTemplate.empty())
        takeChatTemplate(document->root()["chat_template"]);
    return Done{};
}

Result<Done> FolderConfig::readSpecialTokensMap(const std::filesystem::path& file)
{
    const auto document = JsonDocument::read(file);
    if (!document)
        return document.error();
    for (const auto& [key, role] : kRoleKeys)
        if (auto content = contentOf(document->root()[key]))
            roles.emplace(role, *std::move(content));
    return Done{};
}

Result<Done> FolderConfig::readAddedTokens(const std::filesystem::path& file)
{
    const auto document = JsonDocument::read(file);
    if (!document)
        return document.error();
    Result<Done> done = Done{};
    document->root().forEachMember([&](std::string_view content, JsonValue value) {
        const std::int64_t id = value.integer().value_or(-1);
        if (id < 0 || id >= Vocabulary::kMaximumSize)
            done = fileError(ErrorCode::BadFormat, file,
                             "token \"" + printable(content) + "\": expected an id from 0 to " +
                                 std::to_string(Vocabulary::kMaximumSize - 1));
        else if (std::none_of(addedTokens.begin(), addedTokens.end(),
                              [&](const AddedToken& known) { return known.content == content; }))
            addedTokens.push_back(
                {.id = {static_cast<std::int32_t>(id)}, .content = std::string(content)});
    });
    return done;
}

/// config.json and generation_config.json name special tokens by id.
Result<Done> FolderConfig::readModelFile(const std::filesystem::path& file)
{
    const auto document = JsonDocument::read(file);
    if (!document)
        return document.error();
    const auto idsOf = [&](std::string_view key) {
        const JsonValue value = document->root()[key];
        std::vector<JsonValue> elements = elementsOf(value);
        elements.push_back(value); // a single one is written without an array
        std::vector<std::int64_t> ids;
        for (const JsonValue element : elements)
            if (const auto id = element.integer())
                ids.push_back(*id);
        return ids;
    };
    for (const std::int64_t id : idsOf("bos_token_id"))
        roleIds.emplace("bos", id);
    const std::vector<std::int64_t> stops = idsOf("eos_token_id");
    for (const std::int64_t id : stops)
        roleIds.emplace("eos", id);
    if (stopIds.empty()) // generation_config.json, read first, has the last word
        stopIds = stops;
    return Done{};
}

Result<Done> FolderConfig::readChatTemplate(const std::filesystem::path& file)
{
    const auto mapped = MappedFile::open(file);
    if (!mapped)
        return mapped.error();
    const auto bytes = mapped->bytes();
    chatTemplate.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return Done{};
}

void FolderConfig::applyTo(TokenizerSpec& spec) const
{
    applyRoles(spec);
    applyRules(spec);
    if (const auto eos = spec.role("eos"))
        spec.stopTokens.push_back(*eos);
    for (const std::int64_t id : stopIds) {
        if (id < 0 || id >= spec.vocabulary.size())
            continue;
        const TokenId token{static_cast<std::int32_t>(id)};
        if (std::find(spec.stopTokens.begin(), spec.stopTokens.end(), token) ==
            spec.stopTokens.end())
            spec.stopTokens.push_back(token);
    }
    findStopTokens(spec);
    spec.chatTemplate = chatTemplate;
}

void FolderConfig::applyRoles(TokenizerSpec& spec) const
{
    for (const auto& [role, content] : roles) {
        if (content.empty())
            continue;
        const auto id = spec.vocabulary.find(content);
        if (!id) {
            spec.warnings.push_back("the " + role + " token \"" + printable(content) +
                                    "\" is not in the vocabulary");
            continue;
        }
        spec.addRole(role, *id);
        spec.makeSpecial(*id);
    }
    for (const std::string& content : additionalSpecial)
        if (const auto id = spec.vocabulary.find(content))
            spec.makeSpecial(*id);
    // A model's configuration may have ids by default that are no special tokens of this
    // vocabulary.
    for (const auto& [role, id] : roleIds) {
        const TokenId token{static_cast<std::int32_t>(id)};
        if (roles.contains(role) || id < 0 || id >= spec.vocabulary.size())
            continue;
        const VocabularyEntry& entry = spec.vocabulary[token];
        if (entry.kind == TokenKind::Control || looksSpecial(entry.piece)) {
            spec.addRole(role, token);
            spec.makeSpecial(token);
        }
    }
}

void FolderConfig::applyRules(TokenizerSpec& spec) const
{
    const auto apply = [&spec](std::optional<bool> adds, const char* role,
                               std::vector<TokenId>& ids) {
        if (!adds)
            return;
        const auto id = spec.role(role);
        if (!*adds)
            ids.clear();
        else if (!id)
            spec.warnings.push_back("tokenizer_config.json has add_" + std::string(role) +
                                    "_token, but there is no " + role + " token");
        else if (std::find(ids.begin(), ids.end(), *id) == ids.end())
            ids = {*id};
    };
    apply(addBos, "bos", spec.before);
    apply(addEos, "eos", spec.after);
}

} // namespace engine
