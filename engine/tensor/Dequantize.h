#pragma once

#include "engine/tensor/Tensor.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace engine {

/// IEEE 754 half precision (1 sign, 5 exponent, 10 fraction bits) to single; exact.
float halfToFloat(std::uint16_t bits);

/// What a nibble of IQ4_NL and IQ4_XS stands for, before it is scaled: steps that are finer about
/// zero. Constants of the format (ggml, kvalues_iq4nl).
constexpr std::array<std::int8_t, 16> nonLinearValues = {-127, -104, -83, -65, -49, -35, -22, -10,
                                                         1,    13,   25,  38,  53,  69,  89,  113};

/// Stored numbers to float, exactly. `bytes` holds whole blocks that start with the first element;
/// `out` takes the first out.size() of them. The layout of each format is drawn in Dequantize.cpp.
void dequantize(DType type, std::span<const std::byte> bytes, std::span<float> out);

/// All of a tensor, row-major. For small ones: matrices are used as they are stored.
std::vector<float> toFloats(const TensorView& tensor);

} // namespace engine
