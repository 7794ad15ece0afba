#pragma once

#include "engine/tokenizer/TokenizerSpec.h"

#include <string>

namespace engine {

/// SHA-256 of what decides ids and text: family, pieces in use with their ids and kinds, merges in
/// order (for SentencePiece the order in which pieces are made, which scores and merge lists both
/// tell), normaliser and split rules, added tokens, BOS and EOS rules, spaces dropped in decoding.
/// Not of the chat template, the roles or the file format, so that the same tokenizer read from
/// GGUF and from tokenizer.json has the same digest. It differs where one of the files has lost a
/// rule: GGUF does not keep Qwen's NFC step.
std::string tokenizerSha256(const TokenizerSpec& spec);

} // namespace engine
