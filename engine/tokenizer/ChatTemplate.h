#pragma once

#include "engine/api/Error.h"
#include "engine/api/ModelInfo.h"
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

/// Templates are Jinja programs, which this does not run: it knows the families ChatML, Llama 2,
/// Llama 3, Mistral, Gemma, Phi-3 and Zephyr by the template's text, and takes what differs within
/// a family (spaces, trimming, the system message that stands in for none) from there. A template
/// that asks the clock for a date has the fixed date that it holds for where there is no clock, so
/// that the same prompt gives the same tokens tomorrow.
/// Errors: UnsupportedFeature for a model without a template, and for a template of no known family
/// or with a part that is not understood; a template is never guessed.
Result<ChatPrompt> chatPrompt(const TokenizerInfo& info, std::string_view userText);

/// The text of chatPrompt.
Result<std::string> renderChat(const TokenizerInfo& info, std::string_view userText);

/// The tokens of chatPrompt: special tokens are parsed outside the user's words only, and BOS is
/// put before it by the tokenizer's own rule unless the template already did or `options` has it
/// left out. Errors: those of chatPrompt and Tokenizer::encode.
Result<std::vector<EncodedToken>> encodeChat(const Tokenizer& tokenizer, std::string_view userText,
                                             EncodeOptions options = {});

} // namespace engine
