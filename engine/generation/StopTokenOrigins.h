#pragma once

#include "engine/api/ModelNotes.h"

#include <filesystem>
#include <vector>

namespace engine {

class GgufFile;
class Tokenizer;

/// The tokenizer's stop tokens, each with what makes it one: the metadata key of a GGUF file, the
/// file of a Hugging Face folder that names it as eos_token_id, or else its role or its name.
std::vector<StopToken> stopTokenOrigins(const Tokenizer& tokenizer, const GgufFile& file);
std::vector<StopToken> stopTokenOrigins(const Tokenizer& tokenizer,
                                        const std::filesystem::path& folder);

} // namespace engine
