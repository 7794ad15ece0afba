#pragma once

#include "engine/api/Error.h"
#include "engine/io/GgufFile.h"

#include <filesystem>
#include <memory>

namespace engine {

/// Opens a model's GGUF file. Where the file is one part of a split model (whichever), all parts
/// are opened, from the same folder: NAME-00001-of-00003.gguf and so on; the result is the first,
/// which has the metadata, joined with the others. No two parts have a tensor of the same name, and
/// together they have as many as split.tensors.count says.
/// Errors: those of GgufFile; FileNotFound (a part); BadFormat (a name that does not lead to the
/// others, a part of another model).
/// Source: split.no, split.count, split.tensors.count as llama.cpp's gguf-split writes them.
Result<std::shared_ptr<const GgufFile>> openGguf(const std::filesystem::path& path);

} // namespace engine
