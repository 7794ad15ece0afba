#pragma once

#include "engine/tokenizer/PreTokenizer.h"

#include <string_view>

namespace engine {

/// The split pattern of GPT-2. Source: Radford et al. 2019.
std::string_view gpt2SplitPattern();

/// The rules that GGUF's tokenizer.ggml.pre names ("gpt-2", "llama-bpe", "qwen2", "tekken",
/// "gpt-4o", "default", ...), with what else the name implies. The names, which of them are one
/// rule, and the patterns are those of llama.cpp, the format's own reader; where it simplifies what
/// a model's tokenizer.json says ("tekken", "gpt-4o"), so does this, since files of the format are
/// run by it.
struct NamedPreTokenizer
{
    PreTokenizer rules;
    bool known = true; ///< false: the default rule stands in
    bool ignoresMerges = false;
    bool addsBos = false;
};
NamedPreTokenizer preTokenizerByName(std::string_view name);

} // namespace engine
