#pragma once

#include "engine/api/Error.h"
#include "engine/tokenizer/Tokenizer.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

// The two helpers that examples of the field name this way: the ends of the loop, in one call each.

/// Text to token ids by the tokenizer's own rules. Errors: those of Tokenizer::encode.
Result<std::vector<TokenId>> text_to_token_ids(std::string_view text, const Tokenizer& tokenizer,
                                               const EncodeOptions& options = {});

/// Token ids to exactly the bytes they stand for (UTF-8 wherever they make whole characters).
/// Errors: InvalidArgument for an id outside the vocabulary.
Result<std::string> token_ids_to_text(std::span<const TokenId> ids, const Tokenizer& tokenizer);

} // namespace engine
