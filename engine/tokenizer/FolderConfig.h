#pragma once

#include "engine/api/Error.h"
#include "engine/io/Json.h"
#include "engine/tokenizer/TokenizerSpec.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace engine {

/// What the small files of a Hugging Face folder say about its tokenizer: tokenizer_config.json,
/// special_tokens_map.json, added_tokens.json, chat_template.json, chat_template.jinja,
/// generation_config.json and config.json. Each may be missing.
struct FolderConfig
{
    std::string tokenizerClass;                  ///< "GPT2Tokenizer", ...; empty if not said
    std::map<std::string, std::string> roles;    ///< role to written form; empty: said to have none
    std::map<std::string, std::int64_t> roleIds; ///< from the model's files, by id
    std::vector<AddedToken> addedTokens;
    std::vector<std::string> additionalSpecial; ///< written forms
    std::vector<std::int64_t> stopIds;
    std::optional<bool> addBos;
    std::optional<bool> addEos;
    std::optional<bool> isLegacy; ///< of SentencePiece classes: each text behind a special token is
                                  ///< begun anew
    bool addPrefixSpace = false;
    std::string chatTemplate;

    /// Errors: those of reading the files, BadFormat.
    static Result<FolderConfig> read(const std::filesystem::path& folder);

    /// Completes what was read from the vocabulary's own file: roles and their kinds, BOS and EOS
    /// rules, stop tokens, chat template. What does not fit becomes a warning.
    void applyTo(TokenizerSpec& spec) const;

private:
    Result<Done> readTokenizerConfig(const std::filesystem::path& file);
    Result<Done> readSpecialTokensMap(const std::filesystem::path& file);
    Result<Done> readAddedTokens(const std::filesystem::path& file);
    Result<Done> readModelFile(const std::filesystem::path& file);
    Result<Done> readChatTemplate(const std::filesystem::path& file);
    Result<Done> readChatTemplateJson(const std::filesystem::path& file);
    void takeChatTemplate(JsonValue chat);

    void applyRoles(TokenizerSpec& spec) const;
    void applyRules(TokenizerSpec& spec) const;
};

} // namespace engine
