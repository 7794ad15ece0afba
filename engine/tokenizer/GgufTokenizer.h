#pragma once

#include "engine/api/Error.h"
#include "engine/io/GgufFile.h"
#include "engine/tokenizer/TokenizerSpec.h"

namespace engine {

/// Reads the tokenizer.* metadata of a GGUF file: tokenizer.ggml.model "gpt2" (byte-level BPE),
/// "llama" (SentencePiece BPE) and "t5" (Unigram). Where a key is missing, llama.cpp's default
/// holds, since the files were written for it. A split rule whose name is not known is a warning,
/// and the default rule. Errors: MissingTokenizer, UnsupportedFeature (another model, by name),
/// BadFormat. Source: the GGUF specification, section "Tokenizer".
Result<TokenizerSpec> readGgufTokenizer(const GgufFile& file);

} // namespace engine
