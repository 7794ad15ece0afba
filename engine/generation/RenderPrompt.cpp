#include "engine/generation/RenderPrompt.h"

#include "engine/generation/LanguageModel.h"
#include "engine/tokenizer/ChatTemplate.h"
#include "engine/tokenizer/Tokenizer.h"

#include <algorithm>
#include <utility>

namespace engine {

namespace {

using Kind = PromptSpan::Kind;

/// Where the special tokens stand in the text, which has them in order. What lies in `plain` is
/// none.
std::vector<PromptSpan> specialSpans(const std::string& text, ByteRange plain,
                                     const std::vector<ContextToken>& tokens)
{
    std::vector<PromptSpan> spans;
    std::size_t cursor = 0;
    for (const ContextToken& token : tokens) {
        const std::string& form = token.piece.bytes;
        if (token.origin != TokenOrigin::Special || form.empty())
            continue;
        std::size_t at = text.find(form, cursor);
        if (at != std::string::npos && at < plain.end && at + form.size() > plain.begin)
            at = text.find(form, plain.end);
        if (at == std::string::npos)
            continue; // an EOS that the tokenizer adds
        cursor = at + form.size();
        spans.push_back({Kind::Special, at, cursor});
    }
    return spans;
}

/// The spans of the special tokens and, between them, those of the rest.
std::vector<PromptSpan> allSpans(const std::string& text, ByteRange user,
                                 const std::vector<PromptSpan>& special)
{
    std::vector<PromptSpan> spans;
    std::size_t done = 0;
    const auto fillTo = [&](std::size_t end) {
        while (done < end) {
            const bool isUser = user.begin <= done && done < user.end;
            const std::size_t change = isUser ? user.end : done < user.begin ? user.begin : end;
            spans.push_back({isUser ? Kind::User : Kind::Template, done, std::min(change, end)});
            done = spans.back().end;
        }
    };
    for (const PromptSpan& span : special) {
        fillTo(span.begin);
        spans.push_back(span);
        done = span.end;
    }
    fillTo(text.size());
    return spans;
}

} // namespace

Result<PromptRendering> renderPrompt(const LanguageModel& model, const std::string& text,
                                     const RunConfig& config)
{
    const Tokenizer& tokenizer = model.tokenizer();
    PromptRendering rendering;
    EncodeOptions options;
    options.addSpecialTokens = config.addSpecialTokens;
    options.parseSpecial = config.parseSpecial || config.chat;
    ByteRange user{0, text.size()};
    rendering.text = text;
    if (config.chat) {
        auto prompt = chatPrompt(tokenizer.info(), text);
        if (!prompt)
            return prompt.error();
        rendering.text = std::move(prompt->text);
        user = prompt->userText;
        options.plainText = user;
    }
    const auto encoded = tokenizer.encode(rendering.text, options);
    if (!encoded)
        return encoded.error();
    for (const EncodedToken& token : *encoded)
        rendering.tokens.push_back({tokenizer.piece(token.id), token.origin});
    std::vector<PromptSpan> special;
    if (options.parseSpecial)
        special = specialSpans(rendering.text, options.plainText, rendering.tokens);
    rendering.spans = allSpans(rendering.text, user, special);
    return rendering;
}

} // namespace engine
