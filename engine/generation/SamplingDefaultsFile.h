#pragma once

#include "engine/api/Error.h"
#include "engine/api/ModelNotes.h"

#include <filesystem>
#include <string>
#include <vector>

namespace engine {

class GgufFile;

/// What a file suggests, and a sentence for each value of it that makes no sense and so is not
/// offered, naming file and key.
struct SuggestedSampling
{
    SamplingDefaults defaults;
    std::vector<std::string> warnings;
};

/// From the metadata general.sampling.* of a GGUF file (temp, top_k, top_p, min_p, penalty_repeat),
/// which llama.cpp's converter takes from generation_config.json. They name no rule.
SuggestedSampling suggestedSampling(const GgufFile& file);

/// From generation_config.json of a Hugging Face folder (do_sample, temperature, top_k, top_p,
/// min_p, repetition_penalty); nothing where the folder has none.
/// Errors: those of reading JSON.
Result<SuggestedSampling> suggestedSampling(const std::filesystem::path& folder);

} // namespace engine
