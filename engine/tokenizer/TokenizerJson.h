#pragma once

#include "engine/api/Error.h"
#include "engine/io/Json.h"
#include "engine/tokenizer/FolderConfig.h"
#include "engine/tokenizer/TokenizerSpec.h"

#include <filesystem>
#include <optional>

namespace engine {

/// Reads Hugging Face's tokenizer.json: its BPE (byte-level or SentencePiece) or Unigram model,
/// with all steps around it. Of `config` the added tokens count that the file itself does not have.
/// Errors: those of reading the file, BadFormat, UnsupportedFeature (by name).
Result<TokenizerSpec> readTokenizerJson(const std::filesystem::path& file,
                                        const FolderConfig& config);

/// An added token as tokenizer.json and tokenizer_config.json describe it.
std::optional<AddedToken> addedTokenFrom(JsonValue value, std::int64_t id);

} // namespace engine
