#include "engine/tokenizer/TextAndIds.h"

namespace engine {

Result<std::vector<TokenId>> text_to_token_ids(std::string_view text, const Tokenizer& tokenizer,
                                               const EncodeOptions& options)
{
    const Result<std::vector<EncodedToken>> tokens = tokenizer.encode(text, options);
    if (!tokens)
        return tokens.error();
    std::vector<TokenId> ids;
    ids.reserve(tokens->size());
    for (const EncodedToken& token : *tokens)
        ids.push_back(token.id);
    return ids;
}

Result<std::string> token_ids_to_text(std::span<const TokenId> ids, const Tokenizer& tokenizer)
{
    for (const TokenId id : ids)
        if (id.value < 0 || id.value >= tokenizer.vocabularySize())
            return Error{ErrorCode::InvalidArgument,
                         "token ids: expected ids from 0 to " +
                             std::to_string(tokenizer.vocabularySize() - 1) + ", found " +
                             std::to_string(id.value)};
    return tokenizer.decode(ids);
}

} // namespace engine
