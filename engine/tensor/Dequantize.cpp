#include "engine/tensor/Dequantize.h"

#include <algorithm>
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

float loadHalf(const std::byte* bytes)
{
    return halfToFloat(load<std::uint16_t>(bytes));
}

int loadByte(const std::byte* bytes)
{
    return std::to_integer<int>(*bytes);
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
        out[i] = loadHalf(bytes + 2 * i);
}

// BF16: each element is 2 bytes, the upper half of a little-endian single.
void decodeBF16(const std::byte* bytes, std::span<float> out)
{
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = std::bit_cast<float>(std::uint32_t{load<std::uint16_t>(bytes + 2 * i)} << 16);
}

// ---------------------------------------------------------------------------------------------
// Formats of blocks. Each function decodes one block; what it draws is in the order of the bytes,
// F16 and integers little-endian. Source: the block structures of the GGUF reference
// implementation (ggml, ggml-common.h). Every product below is exact in single precision, so that
// an element has one rounding at most: that of a sum.
// ---------------------------------------------------------------------------------------------

// Q8_0: 32 elements in 34 bytes.
//
//     | scale: F16 | q[0] | q[1] | ... | q[31] |      q: int8
//
//     element[i] = scale * q[i]
void decodeQ8_0(const std::byte* block, float* out)
{
    const float scale = loadHalf(block);
    for (int i = 0; i < 32; ++i)
        out[i] = scale * static_cast<float>(load<std::int8_t>(block + 2 + i));
}

// Nibbles of a block of 32 in 16 bytes: the low ones are the first half, the high ones the second.
//
//     | q[16] q[0] | q[17] q[1] | ... | q[31] q[15] |      q: 0 ... 15
//       high  low
int nibbleOf32(const std::byte* pairs, int i)
{
    const int pair = loadByte(pairs + i % 16);
    return i < 16 ? pair & 15 : pair >> 4;
}

// Q4_0: 32 elements in 18 bytes.
//
//     | scale: F16 | nibbles: 16 bytes |
//
//     element[i] = scale * (q[i] - 8)
void decodeQ4_0(const std::byte* block, float* out)
{
    const float scale = loadHalf(block);
    for (int i = 0; i < 32; ++i)
        out[i] = scale * static_cast<float>(nibbleOf32(block + 2, i) - 8);
}

// Q4_1: 32 elements in 20 bytes.
//
//     | scale: F16 | offset: F16 | nibbles: 16 bytes |
//
//     element[i] = scale * q[i] + offset
void decodeQ4_1(const std::byte* block, float* out)
{
    const float scale = loadHalf(block);
    const float offset = loadHalf(block + 2);
    for (int i = 0; i < 32; ++i)
        out[i] = scale * static_cast<float>(nibbleOf32(block + 4, i)) + offset;
}

// Q5_0: 32 elements in 22 bytes; bit i of `high` is the fifth bit of q[i].
//
//     | scale: F16 | high: 4 bytes | nibbles: 16 bytes |      q: 0 ... 31
//
//     element[i] = scale * (q[i] - 16)
void decodeQ5_0(const std::byte* block, float* out)
{
    const float scale = loadHalf(block);
    const auto high = load<std::uint32_t>(block + 2);
    for (int i = 0; i < 32; ++i) {
        const int q = nibbleOf32(block + 6, i) | static_cast<int>(high >> i & 1) << 4;
        out[i] = scale * static_cast<float>(q - 16);
    }
}

// Q5_1: 32 elements in 24 bytes; bit i of `high` is the fifth bit of q[i].
//
//     | scale: F16 | offset: F16 | high: 4 bytes | nibbles: 16 bytes |      q: 0 ... 31
//
//     element[i] = scale * q[i] + offset
void decodeQ5_1(const std::byte* block, float* out)
{
    const float scale = loadHalf(block);
    const float offset = loadHalf(block + 2);
    const auto high = load<std::uint32_t>(block + 4);
    for (int i = 0; i < 32; ++i) {
        const int q = nibbleOf32(block + 8, i) | static_cast<int>(high >> i & 1) << 4;
        out[i] = scale * static_cast<float>(q) + offset;
    }
}

// IQ4_NL: 32 elements in 18 bytes; a nibble is an index into `nonLinearValues`.
//
//     | scale: F16 | nibbles: 16 bytes |
//
//     element[i] = scale * nonLinearValues[q[i]]
void decodeIQ4_NL(const std::byte* block, float* out)
{
    const float scale = loadHalf(block);
    for (int i = 0; i < 32; ++i)
        out[i] = scale * static_cast<float>(nonLinearValues[nibbleOf32(block + 2, i)]);
}

// Two bits of each of 256 elements in 64 bytes: 32 bytes for each half of the block, in which
// element i of 128 is in byte i % 32 at bit 2 * (i / 32).
int twoBitsOf256(const std::byte* bytes, int i)
{
    return loadByte(bytes + i / 128 * 32 + i % 32) >> 2 * (i / 32 % 4) & 3;
}

// One bit of each of 256 elements in 32 bytes: element i is bit i / 32 of byte i % 32.
int bitOf256(const std::byte* bytes, int i)
{
    return loadByte(bytes + i % 32) >> i / 32 & 1;
}

// Q2_K: 256 elements in 84 bytes; groups of 16 have a scale (low nibble) and an offset (high).
//
//     | s[0] ... s[15] | two bits: 64 bytes | scale: F16 | offsetScale: F16 |      q: 0 ... 3
//
//     element[i] = scale * low(s[i / 16]) * q[i] - offsetScale * high(s[i / 16])
void decodeQ2_K(const std::byte* block, float* out)
{
    const float scale = loadHalf(block + 80);
    const float offsetScale = loadHalf(block + 82);
    for (int i = 0; i < 256; ++i) {
        const int group = loadByte(block + i / 16);
        const float offset = offsetScale * static_cast<float>(group >> 4);
        const float step = scale * static_cast<float>(group & 15);
        out[i] = step * static_cast<float>(twoBitsOf256(block + 16, i)) - offset;
    }
}

// Q3_K: 256 elements in 110 bytes; groups of 16 have a scale of 6 bits, 0 ... 63. Its low 4 bits
// are, for groups 0 to 7, the low nibble of byte `group`, for 8 to 15 the high nibble of byte
// `group - 8`; its high 2 bits are those of byte 8 + group % 4 at bit 2 * (group / 4).
//
//     | high bit: 32 bytes | two bits: 64 bytes | s: 12 bytes | scale: F16 |      q: 0 ... 7
//
//     element[i] = scale * (s[i / 16] - 32) * (q[i] - 4)
void decodeQ3_K(const std::byte* block, float* out)
{
    const float scale = loadHalf(block + 108);
    const std::byte* packed = block + 96;
    for (int i = 0; i < 256; ++i) {
        const int group = i / 16;
        const int low = loadByte(packed + group % 8) >> group / 8 * 4 & 15;
        const int high = loadByte(packed + 8 + group % 4) >> group / 4 * 2 & 3;
        const int q = twoBitsOf256(block + 32, i) | bitOf256(block, i) << 2;
        out[i] = scale * static_cast<float>((low | high << 4) - 32) * static_cast<float>(q - 4);
    }
}

struct GroupOf32
{
    int scale;  ///< 0 ... 63
    int offset; ///< 0 ... 63
};

// Scales and offsets of 8 groups, 6 bits each, in 12 bytes (Q4_K, Q5_K). Of groups 0 to 3 they are
// the low 6 bits of bytes `group` and 4 + group; of groups 4 to 7 their low 4 bits are the nibbles
// of byte 4 + group, and their high 2 bits the ones that the former left over.
GroupOf32 groupOf32(const std::byte* packed, int group)
{
    if (group < 4)
        return {loadByte(packed + group) & 63, loadByte(packed + 4 + group) & 63};
    const int low = loadByte(packed + 4 + group);
    return {(low & 15) | loadByte(packed + group - 4) >> 6 << 4,
            low >> 4 | loadByte(packed + group) >> 6 << 4};
}

// Nibbles of 256 elements in 128 bytes: 32 bytes for each 64 elements, the low nibbles of which are
// the first 32 and the high ones the rest.
int nibbleOf256(const std::byte* pairs, int i)
{
    return loadByte(pairs + i / 64 * 32 + i % 32) >> i / 32 % 2 * 4 & 15;
}

// Q4_K: 256 elements in 144 bytes; groups of 32 have a scale s and an offset o.
//
//     | scale: F16 | offsetScale: F16 | s and o: 12 bytes | nibbles: 128 bytes |      q: 0 ... 15
//
//     element[i] = scale * s[i / 32] * q[i] - offsetScale * o[i / 32]
void decodeQ4_K(const std::byte* block, float* out)
{
    const float scale = loadHalf(block);
    const float offsetScale = loadHalf(block + 2);
    for (int i = 0; i < 256; ++i) {
        const GroupOf32 group = groupOf32(block + 4, i / 32);
        const float step = scale * static_cast<float>(group.scale);
        out[i] = step * static_cast<float>(nibbleOf256(block + 16, i)) -
                 offsetScale * static_cast<float>(group.offset);
    }
}

// Q5_K: 256 elements in 176 bytes; as Q4_K, with a fifth bit for each element.
//
//     | scale: F16 | offsetScale: F16 | s and o: 12 bytes | high bit: 32 bytes | nibbles: 128 bytes
//     |
//
//     element[i] = scale * s[i / 32] * q[i] - offsetScale * o[i / 32]      q: 0 ... 31
void decodeQ5_K(const std::byte* block, float* out)
{
    const float scale = loadHalf(block);
    const float offsetScale = loadHalf(block + 2);
    for (int i = 0; i < 256; ++i) {
        const GroupOf32 group = groupOf32(block + 4, i / 32);
        const float step = scale * static_cast<float>(group.scale);
        const int q = nibbleOf256(block + 48, i) | bitOf256(block + 16, i) << 4;
        out[i] = step * static_cast<float>(q) - offsetScale * static_cast<float>(group.offset);
    }
}

// Q6_K: 256 elements in 210 bytes; groups of 16 have a scale s. Nibbles: 64 bytes for each half of
// the block, the low nibbles of which are the first 64 of 128 elements and the high ones the rest.
//
//     | nibbles: 128 bytes | two bits: 64 bytes | s[0] ... s[15]: int8 | scale: F16 |
//
//     element[i] = scale * s[i / 16] * (q[i] - 32)      q: 0 ... 63, the two bits its highest
void decodeQ6_K(const std::byte* block, float* out)
{
    const float scale = loadHalf(block + 208);
    for (int i = 0; i < 256; ++i) {
        const int pair = loadByte(block + i / 128 * 64 + i % 64);
        const int q = (pair >> i / 64 % 2 * 4 & 15) | twoBitsOf256(block + 128, i) << 4;
        const float step = scale * static_cast<float>(load<std::int8_t>(block + 192 + i / 16));
        out[i] = step * static_cast<float>(q - 32);
    }
}

// IQ4_XS: 256 elements in 136 bytes; groups of 32 have a scale s of 6 bits, whose low 4 are nibble
// `group` of `low`, and the high 2 at bit 2 * group of `high`. Nibbles: 16 bytes for each group.
//
//     | scale: F16 | high: 2 bytes | low: 4 bytes | nibbles: 128 bytes |
//
//     element[i] = scale * (s[i / 32] - 32) * nonLinearValues[q[i]]
void decodeIQ4_XS(const std::byte* block, float* out)
{
    const float scale = loadHalf(block);
    const auto high = load<std::uint16_t>(block + 2);
    const auto low = load<std::uint32_t>(block + 4);
    for (int i = 0; i < 256; ++i) {
        const int group = i / 32;
        const int s = static_cast<int>(low >> 4 * group & 15) | (high >> 2 * group & 3) << 4;
        const int value = nonLinearValues[nibbleOf32(block + 8 + group * 16, i % 32)];
        out[i] = scale * static_cast<float>(s - 32) * static_cast<float>(value);
    }
}

using Decode = void (*)(const std::byte*, std::span<float>);

/// Whole blocks straight into `out`; of the last one perhaps only its first elements.
template <DType type, auto decodeBlock>
void decodeBlocks(const std::byte* bytes, std::span<float> out)
{
    constexpr std::size_t largestBlock = 256;
    const auto elements = static_cast<std::size_t>(traits(type).elementsPerBlock);
    while (out.size() >= elements) {
        decodeBlock(bytes, out.data());
        bytes += traits(type).bytesPerBlock;
        out = out.subspan(elements);
    }
    if (out.empty())
        return;
    std::array<float, largestBlock> last;
    decodeBlock(bytes, last.data());
    std::copy_n(last.begin(), out.size(), out.begin());
}

// In the order of DType.
constexpr std::array<Decode, dtypeCount> decoders = {
    decodeF32,
    decodeF16,
    decodeBF16,
    decodeBlocks<DType::Q8_0, decodeQ8_0>,
    decodeBlocks<DType::Q4_0, decodeQ4_0>,
    decodeBlocks<DType::Q4_1, decodeQ4_1>,
    decodeBlocks<DType::Q5_0, decodeQ5_0>,
    decodeBlocks<DType::Q5_1, decodeQ5_1>,
    decodeBlocks<DType::IQ4_NL, decodeIQ4_NL>,
    decodeBlocks<DType::Q2_K, decodeQ2_K>,
    decodeBlocks<DType::Q3_K, decodeQ3_K>,
    decodeBlocks<DType::Q4_K, decodeQ4_K>,
    decodeBlocks<DType::Q5_K, decodeQ5_K>,
    decodeBlocks<DType::Q6_K, decodeQ6_K>,
    decodeBlocks<DType::IQ4_XS, decodeIQ4_XS>,
};

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
