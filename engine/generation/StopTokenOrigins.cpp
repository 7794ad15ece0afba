#include "engine/generation/StopTokenOrigins.h"

#include "engine/io/GgufFile.h"
#include "engine/io/Json.h"
#include "engine/tokenizer/Tokenizer.h"

#include <algorithm>
#include <functional>
#include <optional>

namespace engine {

namespace {

/// Of a token that no file names by its id.
std::string originByRole(const TokenizerInfo& info, TokenId id)
{
    for (const char* role : {"eos", "eot", "eom"})
        for (const NamedToken& token : info.specialTokens)
            if (token.piece.id == id && token.role == role)
                return "the tokenizer's " + token.role + " token";
    return "ends a turn by its name";
}

std::vector<StopToken> withOrigins(const Tokenizer& tokenizer,
                                   const std::function<std::optional<std::string>(TokenId)>& named)
{
    std::vector<StopToken> result;
    for (const TokenId id : tokenizer.stopTokens()) {
        auto origin = named(id);
        result.push_back({tokenizer.piece(id),
                          origin ? std::move(*origin) : originByRole(tokenizer.info(), id)});
    }
    return result;
}

/// Does this file name `id` as one that ends a text, alone or in a list? A file that cannot be read
/// names nothing: the tokenizer has read it before.
bool namesAsEnd(const std::filesystem::path& file, TokenId id)
{
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored))
        return false;
    const auto document = JsonDocument::read(file);
    if (!document)
        return false;
    const JsonValue ends = document->root()["eos_token_id"];
    bool found = ends.integer() == id.value;
    ends.forEachElement([&](JsonValue value) { found = found || value.integer() == id.value; });
    return found;
}

} // namespace

std::vector<StopToken> stopTokenOrigins(const Tokenizer& tokenizer, const GgufFile& file)
{
    return withOrigins(tokenizer, [&](TokenId id) -> std::optional<std::string> {
        for (const char* name : {"eos", "eot", "eom"}) {
            const std::string key = std::string("tokenizer.ggml.") + name + "_token_id";
            if (file.integer(key) == id.value)
                return key;
        }
        return std::nullopt;
    });
}

std::vector<StopToken> stopTokenOrigins(const Tokenizer& tokenizer,
                                        const std::filesystem::path& folder)
{
    return withOrigins(tokenizer, [&](TokenId id) -> std::optional<std::string> {
        for (const char* name : {"generation_config.json", "config.json"})
            if (namesAsEnd(folder / name, id))
                return name;
        return std::nullopt;
    });
}

} // namespace engine
