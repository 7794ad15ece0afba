#pragma once

#include "engine/api/Error.h"
#include "engine/tokenizer/FolderConfig.h"
#include "engine/tokenizer/TokenizerSpec.h"

#include <filesystem>

namespace engine {

/// Reads the two files of the first byte-level tokenizers, vocab.json (piece to id) and merges.txt
/// (a merge a line, first learned first). They say nothing of split rules, which follow from the
/// tokenizer class in `config`: GPT-2's, or Qwen 2's.
/// Errors: those of reading the files, BadFormat, UnsupportedFeature (another class, by name).
Result<TokenizerSpec> readVocabMerges(const std::filesystem::path& vocabularyFile,
                                      const std::filesystem::path& mergesFile,
                                      const FolderConfig& config);

} // namespace engine
