#include "engine/tokenizer/ChatTemplate.h"

#include "engine/tokenizer/JinjaSyntax.h"

#include <array>
#include <utility>

namespace engine {

namespace {

Error withAdvice(Error error)
{
    error.message += "; write the prompt in the model's chat format yourself, with special tokens "
                     "parsed";
    return error;
}

/// What Hugging Face's transformers give a template for one user message, no tools, and the answer
/// to be begun.
std::vector<std::pair<std::string, JinjaValue>> variables(const TokenizerInfo& info,
                                                          std::string_view userText)
{
    constexpr std::array<std::pair<std::string_view, const char*>, 7> roles = {
        {{"bos", "bos_token"},
         {"eos", "eos_token"},
         {"unknown", "unk_token"},
         {"padding", "pad_token"},
         {"separator", "sep_token"},
         {"class", "cls_token"},
         {"mask", "mask_token"}}};
    std::vector<std::pair<std::string, JinjaValue>> result;
    for (const NamedToken& token : info.specialTokens)
        for (const auto& [role, name] : roles)
            if (token.role == role)
                result.emplace_back(name, JinjaValue::string(token.piece.bytes));
    const JinjaValue message =
        JinjaValue::mapOf({{"role", JinjaValue::string("user")},
                           {"content", JinjaValue::string(MarkedText::users(userText))}});
    result.emplace_back("messages", JinjaValue::listOf({message}));
    result.emplace_back("tools", JinjaValue::none());
    result.emplace_back("documents", JinjaValue::none());
    result.emplace_back("add_generation_prompt", JinjaValue::boolean(true));
    return result;
}

} // namespace

Result<ChatPrompt> chatPrompt(const TokenizerInfo& info, std::string_view userText,
                              CalendarDay today)
{
    if (info.chatTemplate.find_first_not_of(" \t\r\n") == std::string::npos)
        return withAdvice({ErrorCode::UnsupportedFeature, "chat template: the model has none"});
    const Result<JinjaBody> body = parseJinja(info.chatTemplate);
    if (!body)
        return withAdvice(body.error());
    Result<MarkedText> rendered = renderJinja(*body, variables(info, userText), today);
    if (!rendered)
        return withAdvice(rendered.error());
    ChatPrompt prompt;
    const std::size_t begin = rendered->marks.find('\1');
    if (begin != std::string::npos) {
        prompt.userText = {begin, rendered->marks.rfind('\1') + 1};
        if (prompt.userText.of(rendered->marks).find('\0') != std::string_view::npos)
            return withAdvice({ErrorCode::UnsupportedFeature,
                               "chat template: it puts other text between the user's words"});
    }
    prompt.text = std::move(rendered->bytes);
    return prompt;
}

Result<std::string> renderChat(const TokenizerInfo& info, std::string_view userText)
{
    Result<ChatPrompt> prompt = chatPrompt(info, userText);
    if (!prompt)
        return prompt.error();
    return std::move(prompt->text);
}

Result<std::vector<EncodedToken>> encodeChat(const Tokenizer& tokenizer, std::string_view userText,
                                             EncodeOptions options)
{
    const Result<ChatPrompt> prompt = chatPrompt(tokenizer.info(), userText);
    if (!prompt)
        return prompt.error();
    options.parseSpecial = true;
    options.plainText = prompt->userText;
    return tokenizer.encode(prompt->text, options);
}

} // namespace engine
