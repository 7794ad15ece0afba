#pragma once

#include "engine/api/Error.h"
#include "engine/tokenizer/FolderConfig.h"
#include "engine/tokenizer/TokenizerSpec.h"

#include <cstdint>
#include <filesystem>

namespace engine {

/// What a number in SentencePiece.Type means, which GGUF took over for tokenizer.ggml.token_type.
/// A number that has no meaning is that of an unused token.
TokenKind tokenKindOfType(std::uint64_t type);

/// Reads SentencePiece's own file, tokenizer.model: a BPE or a Unigram vocabulary with its rules
/// for spaces and characters. BOS and EOS are put as the tokenizer class in `config` does by
/// default, and text behind a special token is begun anew unless `config` says that the class is
/// not the legacy one. Of `config` the added tokens count as well. Errors: those of reading the
/// file, BadFormat, UnsupportedFeature (word and character models, spaces behind words; by name).
/// Source: sentencepiece_model.proto of google/sentencepiece.
Result<TokenizerSpec> readSentencePieceModel(const std::filesystem::path& file,
                                             const FolderConfig& config);

} // namespace engine
