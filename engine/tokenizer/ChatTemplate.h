#pragma once

#include "engine/api/Error.h"
#include "engine/api/ModelInfo.h"
#include "engine/tokenizer/JinjaRenderer.h"
#include "engine/tokenizer/Tokenizer.h"
#include "engine/tokenizer/Utf8.h"

#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// One user message in a model's chat format, with the prompt for the answer behind it.
struct ChatPrompt
{
    std::string text;   ///< special tokens in their written form, BOS where the template has it
    ByteRange userText; ///< where the user's words are, in which nothing is a special token
};

/// Runs the model's own template, a Jinja program, as Hugging Face's transformers do. Debian has no
/// Jinja engine for C++, so it is run by one of our own (JinjaRenderer), which covers what chat
/// templates use; a template that needs more is refused by what it needs, never guessed.
/// `today` matters only to templates that ask the clock without a date for where there is none.
/// Errors: UnsupportedFeature for a model without a template, for what is not covered, where the
/// template itself refuses the conversation, and where it tears the user's words apart; BadFormat
/// for what is no template.
Result<ChatPrompt> chatPrompt(const TokenizerInfo& info, std::string_view userText,
                              CalendarDay today = CalendarDay::today());

/// The text of chatPrompt.
Result<std::string> renderChat(const TokenizerInfo& info, std::string_view userText);

/// The tokens of chatPrompt: special tokens are parsed outside the user's words only, and BOS is
/// put before it by the tokenizer's own rule unless the template already did or `options` has it
/// left out. Errors: those of chatPrompt and Tokenizer::encode.
Result<std::vector<EncodedToken>> encodeChat(const Tokenizer& tokenizer, std::string_view userText,
                                             EncodeOptions options = {});

} // namespace engine
