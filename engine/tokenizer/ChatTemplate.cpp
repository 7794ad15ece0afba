#include "engine/tokenizer/ChatTemplate.h"

#include <optional>

namespace engine {

namespace {

/// What is put around the user's message.
struct Frame
{
    std::string before;
    std::string after;
    bool trims = false; ///< white space at the ends of the message is dropped
};

Error unsupported(std::string_view why)
{
    return {ErrorCode::UnsupportedFeature, "chat template: " + std::string(why) +
                                               "; write the prompt in the model's chat format "
                                               "yourself, with special tokens parsed"};
}

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view space = " \t\n\r\f\v";
    const std::size_t begin = text.find_first_not_of(space);
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(space) - begin + 1);
}

/// The template with "\n" in its string literals as line feeds, so that both ways to write one look
/// the same.
std::string withLineFeeds(std::string_view source)
{
    std::string text;
    text.reserve(source.size());
    for (std::size_t i = 0; i < source.size(); ++i) {
        if (source[i] == '\\' && i + 1 < source.size() && source[i + 1] == 'n') {
            text += '\n';
            ++i;
        } else {
            text += source[i];
        }
    }
    return text;
}

void replaceAll(std::string& text, std::string_view from, std::string_view to)
{
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

/// The template with the ways to write the same thing made one, for looking things up in it: no
/// spaces, none of the white space around tags, single quotes, dots for subscripts, + for ~.
std::string compacted(const std::string& source)
{
    std::string text;
    for (std::size_t i = 0; i < source.size(); ++i) {
        const char c = source[i];
        if (c == ' ' || (c == '-' && (text.ends_with("{%") || text.ends_with("{{"))) ||
            (c == '-' && i + 2 < source.size() && source[i + 2] == '}' &&
             (source[i + 1] == '%' || source[i + 1] == '}')))
            continue;
        if (c == '\n' && (text.ends_with("%}") || text.ends_with("}}")))
            continue;
        if (c == '{' && i + 1 < source.size() && (source[i + 1] == '%' || source[i + 1] == '{'))
            while (text.ends_with('\n'))
                text.pop_back();
        text += c == '"' ? '\'' : c == '~' ? '+' : c;
    }
    replaceAll(text, "['content']", ".content");
    replaceAll(text, "['role']", ".role");
    return text;
}

class ChatTemplate
{
public:
    explicit ChatTemplate(const TokenizerInfo& info)
        : m_info(info), m_text(withLineFeeds(info.chatTemplate)), m_compact(compacted(m_text))
    {}

    Result<Frame> frame() const
    {
        if (trimmed(m_text).empty())
            return unsupported("the model has none");
        if (has("<|im_start|>") && !has("<|im_sep|>") && !has("<end_of_utterance>"))
            return chatMl();
        if (has("<|start_header_id|>") && has("<|end_header_id|>"))
            return llama3();
        if (has("[INST]"))
            return instructions();
        if (has("<start_of_turn>") && has("message.content|trim"))
            return Frame{bos() + "<start_of_turn>user\n", "<end_of_turn>\n<start_of_turn>model\n",
                         true};
        if ((has("'<|user|>\n'+message.content") || has("'<|user|>'+'\n'+message.content")) &&
            has("<|assistant|>"))
            return phi3OrZephyr();
        return unsupported("it is of no known family (ChatML, Llama 2, Llama 3, Mistral, Gemma, "
                           "Phi-3, Zephyr)");
    }

private:
    bool has(std::string_view text) const { return m_compact.find(text) != std::string::npos; }

    std::string role(std::string_view name) const
    {
        for (const NamedToken& token : m_info.specialTokens)
            if (token.role == name)
                return token.piece.bytes;
        return {};
    }

    std::string bos() const { return has("bos_token") ? role("bos") : std::string(); }

    Result<Frame> chatMl() const
    {
        const bool plain =
            has("message.content+'<|im_end|>") || (has("+content+'<|im_end|>") && !has("trim"));
        const bool trims = has("message.content|trim+'<|im_end|>");
        if (plain == trims)
            return unsupported("it has <|im_start|>, but not a user message as ChatML has it");
        const auto system = chatMlSystem();
        if (!system)
            return system.error();
        const auto answer = chatMlAnswer();
        if (!answer)
            return answer.error();
        return Frame{bos() + *system + "<|im_start|>user\n", "<|im_end|>\n" + *answer, trims};
    }

    /// The system message that stands in for none, if there is one.
    Result<std::string> chatMlSystem() const
    {
        constexpr std::string_view open = "<|im_start|>system";
        constexpr std::string_view end = "<|im_end|>";
        std::string standIn;
        for (std::size_t at = m_compact.find(open); at != std::string::npos;
             at = m_compact.find(open, at + 1)) {
            const std::string_view rest = std::string_view(m_compact).substr(at + open.size());
            const std::string_view ahead = std::string_view(m_compact).substr(0, at);
            // The user's own system message, or the one that describes tools: there is neither.
            if (rest.starts_with("\n'+messages[0].content") || ahead.ends_with("{%iftools%}{{'"))
                continue;
            if (!rest.starts_with("\n") || rest.find(end) > rest.find_first_of("'{}"))
                return unsupported("this ChatML template puts a system message together");
            standIn = end; // its words are in the text with spaces
        }
        if (standIn.empty())
            return standIn;
        for (std::size_t at = m_text.find(open); at != std::string::npos;
             at = m_text.find(open, at + 1)) {
            const std::string_view rest = std::string_view(m_text).substr(at);
            const std::size_t stop = rest.find(end);
            if (stop < rest.find_first_of("'\"{}"))
                return std::string(rest.substr(0, stop + end.size())) + "\n";
        }
        return unsupported("this ChatML template puts a system message together");
    }

    /// How the answer begins: some templates begin a thought in it.
    Result<std::string> chatMlAnswer() const
    {
        constexpr std::string_view open = "'<|im_start|>assistant\n";
        constexpr std::string_view noThought =
            "'}}{%ifenable_thinkingisdefinedandenable_thinkingisfalse%}"
            "{{'<think>\n\n</think>\n\n'}}{%endif%}";
        constexpr std::string_view thought = "<think>\n'";
        const std::size_t at = m_compact.rfind(open);
        if (at == std::string::npos)
            return unsupported("this ChatML template does not begin an answer");
        std::string_view rest = std::string_view(m_compact).substr(at + open.size());
        std::string answer = "<|im_start|>assistant\n";
        if (rest.starts_with(noThought)) {
            rest.remove_prefix(noThought.size());
        } else if (rest.starts_with(thought)) {
            answer += "<think>\n";
            rest.remove_prefix(thought.size());
        }
        // Other conditions on thinking would have to be run to know what they write.
        if (rest.find("think") != std::string_view::npos)
            return unsupported("this ChatML template begins an answer that is not understood");
        return answer;
    }

    Result<Frame> llama3() const
    {
        const auto header = [](std::string_view role) {
            return "<|start_header_id|>" + std::string(role) + "<|end_header_id|>\n\n";
        };
        if (!has("+message.role+'<|end_header_id|>\n\n'+message.content|trim+'<|eot_id|>'"))
            return unsupported("it has <|start_header_id|>, but not a message as Llama 3 has it");
        Frame frame{bos(), "<|eot_id|>" + header("assistant"), true};
        if (has("<|start_header_id|>system<|end_header_id|>\n\n'}}")) {
            constexpr std::string_view fixedDate = "26 Jul 2024";
            if (!has("{{'CuttingKnowledgeDate:December2023\n'}}"
                     "{{'TodayDate:'+date_string+'\n\n'}}") ||
                m_text.find("date_string = \"" + std::string(fixedDate) + "\"") ==
                    std::string::npos)
                return unsupported("this Llama 3 template puts a system message together");
            frame.before +=
                header("system") +
                "Cutting Knowledge Date: December 2023\nToday Date: " + std::string(fixedDate) +
                "\n\n<|eot_id|>";
        } else if (has("<|start_header_id|>system")) {
            return unsupported("this Llama 3 template puts a system message together");
        }
        frame.before += header("user");
        return frame;
    }

    /// Llama 2 and Mistral: the spaces inside the literals "[INST] " and " [/INST]" differ.
    Result<Frame> instructions() const
    {
        if (has("default_system_message"))
            return unsupported("this Mistral template puts a system message together");
        const auto open = literalBefore("[INST]");
        const auto close = literalAfter("[/INST]");
        if (!open || !close)
            return unsupported("it has [INST], but not in the way that Llama 2 and Mistral have");
        return Frame{bos() + *open, *close, has("content|trim") || has("content.strip()")};
    }

    /// The string literal around `mark` that the message is added to: '[INST] ' + message…
    std::optional<std::string> literalBefore(std::string_view mark) const
    {
        for (std::size_t at = m_text.find(mark); at != std::string::npos;
             at = m_text.find(mark, at + 1)) {
            const auto literal = literalAround(at, mark.size());
            if (!literal)
                continue;
            const std::string_view rest = std::string_view(m_text).substr(literal->end + 1);
            const std::size_t plus = rest.find_first_not_of(' ');
            if (plus == std::string_view::npos || rest[plus] != '+')
                continue;
            const std::string_view operand = trimmed(rest.substr(plus + 1));
            if (operand.starts_with("message") || operand.starts_with("content"))
                return std::string(literal->of(m_text));
        }
        return std::nullopt;
    }

    /// The string literal around `mark` that is added to the message: …content'] + ' [/INST]'.
    std::optional<std::string> literalAfter(std::string_view mark) const
    {
        for (std::size_t at = m_text.find(mark); at != std::string::npos;
             at = m_text.find(mark, at + 1)) {
            const auto literal = literalAround(at, mark.size());
            if (!literal)
                continue;
            const std::string_view ahead =
                trimmed(std::string_view(m_text).substr(0, literal->begin - 1));
            if (ahead.ends_with('+'))
                return std::string(literal->of(m_text));
        }
        return std::nullopt;
    }

    /// The inside of a quoted literal that has nothing but spaces around [at, at + size).
    std::optional<ByteRange> literalAround(std::size_t at, std::size_t size) const
    {
        std::size_t begin = at;
        while (begin > 0 && m_text[begin - 1] == ' ')
            --begin;
        std::size_t end = at + size;
        while (end < m_text.size() && m_text[end] == ' ')
            ++end;
        if (begin == 0 || end >= m_text.size())
            return std::nullopt;
        const char quote = m_text[begin - 1];
        if ((quote != '\'' && quote != '"') || m_text[end] != quote)
            return std::nullopt;
        return ByteRange{begin, end};
    }

    Result<Frame> phi3OrZephyr() const
    {
        std::string end;
        if (has("message.content+'<|end|>"))
            end = "<|end|>";
        else if (has("message.content+eos_token"))
            end = role("eos");
        else if (has("message.content+'<|endoftext|>"))
            end = "<|endoftext|>";
        if (end.empty())
            return unsupported("it has <|user|>, but not in the way that Phi-3 and Zephyr have");
        return Frame{bos() + "<|user|>\n", end + "\n<|assistant|>\n", false};
    }

    const TokenizerInfo& m_info;
    std::string m_text;
    std::string m_compact;
};

} // namespace

Result<ChatPrompt> chatPrompt(const TokenizerInfo& info, std::string_view userText)
{
    Result<Frame> frame = ChatTemplate(info).frame();
    if (!frame)
        return frame.error();
    const std::string_view message = frame->trims ? trimmed(userText) : userText;
    ChatPrompt prompt;
    prompt.text = frame->before;
    prompt.userText.begin = prompt.text.size();
    prompt.text += message;
    prompt.userText.end = prompt.text.size();
    prompt.text += frame->after;
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
