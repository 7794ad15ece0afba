#pragma once

#include "engine/api/Error.h"
#include "engine/api/ModelInfo.h"
#include "engine/api/ModelNotes.h"
#include "engine/model/ModelFile.h"
#include "engine/tokenizer/Tokenizer.h"

#include <cstdint>
#include <filesystem>
#include <memory>

namespace engine {

/// What a LanguageModel is made of, as opened: a file may have a network that can be described
/// without a tokenizer that it could run with.
struct ModelParts
{
    ModelFile file;
    Result<std::shared_ptr<const Tokenizer>> tokenizer;
    ModelInfo info;
    ModelNotes notes;
    std::int64_t openedNanoseconds = 0; ///< when opening began, since 1970
};

/// Errors: every fault of the files but for the tokenizer's, each naming the file and the value.
Result<ModelParts> openParts(const std::filesystem::path& path);

} // namespace engine
