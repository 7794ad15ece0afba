#pragma once

#include "engine/tensor/Tensor.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace engine {

/// IEEE 754 half precision (1 sign, 5 exponent, 10 fraction bits) to single; exact.
float halfToFloat(std::uint16_t bits);

/// Stored numbers to float, exactly. `bytes` holds whole blocks that start with the first element;
/// `out` takes the first out.size() of them. The layout of each format is drawn in Dequantize.cpp.
void dequantize(DType type, std::span<const std::byte> bytes, std::span<float> out);

/// All of a tensor, row-major. For small ones: matrices are used as they are stored.
std::vector<float> toFloats(const TensorView& tensor);

} // namespace engine
