#include "engine/tensor/Dequantize.h"

#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>

namespace engine {

namespace {

// Files give no promise about alignment, so every number is copied out of its bytes.
template <typename T>
T load(const std::byte* bytes)
{
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return value;
}

// F32: each element is 4 bytes, IEEE 754 single precision, little-endian.
void decodeF32(const std::byte* bytes, std::span<float> out)
{
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = load<float>(bytes + 4 * i);
}

// F16: each element is 2 bytes, IEEE 754 half precision, little-endian.
void decodeF16(const std::byte* bytes, std::span<float> out)
{
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = halfToFloat(load<std::uint16_t>(bytes + 2 * i));
}

// BF16: each element is 2 bytes, the upper half of a little-endian single.
void decodeBF16(const std::byte* bytes, std::span<float> out)
{
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = std::bit_cast<float>(std::uint32_t{load<std::uint16_t>(bytes + 2 * i)} << 16);
}

// Q8_0: 32 elements in 34 bytes.
//
//     | scale: F16 | q[0] | q[1] | ... | q[31] |      q: int8
//
//     element[i] = scale * q[i]
void decodeQ8_0(const std::byte* bytes, std::span<float> out)
{
    constexpr std::size_t blockElements = 32;
    constexpr std::size_t blockBytes = 34;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::byte* block = bytes + i / blockElements * blockBytes;
        const float scale = halfToFloat(load<std::uint16_t>(block));
        out[i] = scale * static_cast<float>(load<std::int8_t>(block + 2 + i % blockElements));
    }
}

// Q4_0: 32 elements in 18 bytes. The low nibbles hold the first half of the block, the high ones
// the second.
//
//     | scale: F16 | q[16] q[0] | q[17] q[1] | ... | q[31] q[15] |      q: 0 ... 15
//                    high  low
//
//     element[i] = scale * (q[i] - 8)
void decodeQ4_0(const std::byte* bytes, std::span<float> out)
{
    constexpr std::size_t blockElements = 32;
    constexpr std::size_t blockBytes = 18;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::byte* block = bytes + i / blockElements * blockBytes;
        const std::size_t within = i % blockElements;
        const auto pair = load<std::uint8_t>(block + 2 + within % 16);
        const int nibble = within < 16 ? pair & 15 : pair >> 4;
        out[i] = halfToFloat(load<std::uint16_t>(block)) * static_cast<float>(nibble - 8);
    }
}

using Decode = void (*)(const std::byte*, std::span<float>);

// In the order of DType.
constexpr std::array<Decode, 5> decoders = {decodeF32, decodeF16, decodeBF16, decodeQ8_0,
                                            decodeQ4_0};

} // namespace

float halfToFloat(std::uint16_t bits)
{
    const std::uint32_t sign = std::uint32_t{bits & 0x8000U} << 16;
    const std::uint32_t exponent = (bits >> 10) & 0x1FU;
    const std::uint32_t fraction = bits & 0x3FFU;
    if (exponent == 0) { // zero and subnormal: fraction * 2^-24
        const float magnitude = std::ldexp(static_cast<float>(fraction), -24);
        return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) | sign);
    }
    if (exponent == 31) // infinity and NaN
        return std::bit_cast<float>(sign | 0x7F800000U | (fraction << 13));
    constexpr std::uint32_t biasDifference = 127 - 15;
    return std::bit_cast<float>(sign | ((exponent + biasDifference) << 23) | (fraction << 13));
}

void dequantize(DType type, std::span<const std::byte> bytes, std::span<float> out)
{
    [[maybe_unused]] const DTypeTraits& format = traits(type);
    assert(static_cast<std::int64_t>(out.size() + format.elementsPerBlock - 1) /
               format.elementsPerBlock * format.bytesPerBlock <=
           static_cast<std::int64_t>(bytes.size()));
    decoders[static_cast<std::size_t>(type)](bytes.data(), out);
}

std::vector<float> toFloats(const TensorView& tensor)
{
    std::vector<float> values(static_cast<std::size_t>(elementCount(tensor.shape).value_or(0)));
    dequantize(tensor.type, tensor.bytes, values);
    return values;
}

} // namespace engine
