#pragma once

#include "engine/tensor/Tensor.h"

#include <cstdint>
#include <optional>
#include <string>

namespace engine {

/// The type that a GGUF file means by this number; nothing where it cannot be read.
/// Source: the GGUF specification (ggml_type).
std::optional<DType> ggufTensorType(std::uint32_t number);

/// The end of a message about a number without a type: what it is called, and what could be read
/// instead.
std::string unsupportedGgufType(std::uint32_t number);

/// What general.file_type calls the mixture of types in a file ("Q4_K_M"); empty for a number that
/// names none. Source: the GGUF specification and llama.cpp's llama_ftype.
std::string ggufFileType(std::int64_t number);

} // namespace engine
