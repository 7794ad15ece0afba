#include "engine/generation/StartingTokens.h"

#include "engine/generation/LanguageModel.h"
#include "engine/model/ModelConfig.h"
#include "engine/model/Transformer.h"
#include "engine/tokenizer/ChatTemplate.h"
#include "engine/tokenizer/Tokenizer.h"

namespace engine {

namespace {

Result<StartingContext> fromText(const Tokenizer& tokenizer, const std::string& text,
                                 const RunConfig& config)
{
    EncodeOptions options;
    options.addSpecialTokens = config.addSpecialTokens;
    options.parseSpecial = config.parseSpecial;
    const auto encoded =
        config.chat ? encodeChat(tokenizer, text, options) : tokenizer.encode(text, options);
    if (!encoded)
        return encoded.error();
    StartingContext context;
    context.text = text;
    for (const EncodedToken& token : *encoded)
        context.tokens.push_back({tokenizer.piece(token.id), token.origin});
    return context;
}

Result<StartingContext> fromIds(const Tokenizer& tokenizer, const std::vector<TokenId>& ids,
                                int vocabularySize)
{
    StartingContext context;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (ids[i].value < 0 || ids[i].value >= vocabularySize)
            return Error{ErrorCode::InvalidArgument, "prompt ids: expected ids from 0 to " +
                                                         std::to_string(vocabularySize - 1) +
                                                         ", found " + std::to_string(ids[i].value) +
                                                         " at position " + std::to_string(i)};
        const TokenPiece piece = tokenizer.piece(ids[i]);
        const bool special = piece.kind == TokenKind::Control;
        context.tokens.push_back({piece, special ? TokenOrigin::Special : TokenOrigin::Prompt});
    }
    return context;
}

} // namespace

Result<StartingContext> startingContext(const LanguageModel& model, const Prompt& prompt,
                                        const RunConfig& config)
{
    const Tokenizer& tokenizer = model.tokenizer();
    const auto* text = std::get_if<std::string>(&prompt);
    auto context = text != nullptr ? fromText(tokenizer, *text, config)
                                   : fromIds(tokenizer, std::get<std::vector<TokenId>>(prompt),
                                             model.transformer().config().vocabularySize);
    if (context && context->tokens.empty())
        return Error{ErrorCode::InvalidArgument,
                     "prompt: expected at least one token for the model to read, found none; write "
                     "some text, or give the id of a token to begin with"};
    return context;
}

} // namespace engine
