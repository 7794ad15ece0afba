// Rows of a matrix, in each stored format, to vectors of floats. Included once for each instruction
// set, as Highway's -inl.h files are; layouts are drawn in Dequantize.cpp.
#if defined(TOKENSCOPE_STORED_ROWS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TOKENSCOPE_STORED_ROWS_INL_H
#undef TOKENSCOPE_STORED_ROWS_INL_H
#else
#define TOKENSCOPE_STORED_ROWS_INL_H
#endif

#include "engine/tensor/Dequantize.h"
#include "engine/tensor/Tensor.h"

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace engine {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// At most 16 lanes, so that 32 columns are always a whole number of steps.
using FloatTag = hn::CappedTag<float, 16>;
using Vector = hn::Vec<FloatTag>;

constexpr std::size_t partSize = 32; // columns that one turn of the inner loops covers

// A format is a struct that says how its rows are read, in three levels:
//
//     block(bytes)      what the columns of one stored block share; `parts` times 32 columns
//     part(block, p)    32 of these columns, their packed integers spread out to one byte each
//     load(part, c)     one vector of floats, the columns from c on; c is a multiple of its lanes
//
// The first two cost little beside the third, and the compiler sees through all of them.

// ------------------------------------------------------------------ numbers one by one

/// One vector of numbers that may begin at any address.
template <typename Tag>
HWY_INLINE hn::Vec<Tag> loadBytes(Tag tag, const std::uint8_t* bytes)
{
#if HWY_TARGET == HWY_SCALAR
    hn::TFromD<Tag> value;
    std::memcpy(&value, bytes, sizeof(value));
    return hn::LoadU(tag, &value);
#else
    return hn::BitCast(tag, hn::LoadU(hn::Repartition<std::uint8_t, Tag>(), bytes));
#endif
}

template <DType format, std::size_t elementBytes>
struct DenseRows
{
    static constexpr DType type = format;
    static constexpr std::size_t parts = 1;
    static constexpr std::size_t blockBytes = partSize * elementBytes;
    using Part = const std::uint8_t*;
    static HWY_INLINE Part block(const std::uint8_t* bytes) { return bytes; }
    static HWY_INLINE Part part(Part bytes, std::size_t) { return bytes; }
};

struct F32Rows : DenseRows<DType::F32, 4>
{
    static HWY_INLINE Vector load(Part part, std::size_t column)
    {
        return loadBytes(FloatTag(), part + column * 4);
    }
};

struct F16Rows : DenseRows<DType::F16, 2>
{
    static HWY_INLINE Vector load(Part part, std::size_t column)
    {
        const hn::Rebind<hwy::float16_t, FloatTag> halves;
        return hn::PromoteTo(FloatTag(), loadBytes(halves, part + column * 2));
    }
};

struct BF16Rows : DenseRows<DType::BF16, 2>
{
    static HWY_INLINE Vector load(Part part, std::size_t column)
    {
        const hn::Rebind<hwy::bfloat16_t, FloatTag> halves;
        return hn::PromoteTo(FloatTag(), loadBytes(halves, part + column * 2));
    }
};

// ------------------------------------------------------------------ what blocks are made of

/// The half-precision number at `bytes`.
HWY_INLINE float half(const std::uint8_t* bytes)
{
    const hn::CappedTag<float, 1> one;
    const hn::Rebind<hwy::float16_t, decltype(one)> stored;
    hwy::float16_t bits;
    std::memcpy(&bits, bytes, sizeof(bits));
    return hn::GetLane(hn::PromoteTo(one, hn::LoadU(stored, &bits)));
}

HWY_INLINE Vector everywhere(float value)
{
    return hn::Set(FloatTag(), value);
}

/// Integers of one byte, signed or not, as floats.
template <typename Byte>
HWY_INLINE Vector wholeNumbers(const Byte* bytes)
{
    const hn::Rebind<Byte, FloatTag> stored;
    const hn::Rebind<std::int32_t, FloatTag> whole;
    return hn::ConvertTo(FloatTag(), hn::PromoteTo(whole, hn::LoadU(stored, bytes)));
}

/// 32 columns as scale * q. Columns 0 to 15 have the first scale, 16 to 31 the second.
struct ScaledPart
{
    alignas(32) std::int8_t q[partSize];
    Vector scale[2];
};

/// 32 columns as scale * q + offset.
struct ShiftedPart
{
    alignas(32) std::int8_t q[partSize];
    Vector scale[2];
    Vector offset[2];
};

/// Formats whose part is one of these; products are exact, see Dequantize.cpp.
template <DType format, std::size_t bytes, std::size_t partsOfBlock>
struct BlockRows
{
    static constexpr DType type = format;
    static constexpr std::size_t parts = partsOfBlock;
    static constexpr std::size_t blockBytes = bytes;
    static HWY_INLINE Vector load(const ScaledPart& part, std::size_t column)
    {
        return hn::Mul(part.scale[column / 16], wholeNumbers(part.q + column));
    }
    static HWY_INLINE Vector load(const ShiftedPart& part, std::size_t column)
    {
        return hn::MulAdd(part.scale[column / 16], wholeNumbers(part.q + column),
                          part.offset[column / 16]);
    }
};

// Packed integers are unpacked as vectors of bytes: 16 where a format packs 16 together, else 32.
using Bytes16 = hn::CappedTag<std::uint8_t, 16>;
using Bytes32 = hn::CappedTag<std::uint8_t, 32>;

template <typename Tag>
HWY_INLINE void storeAt(hn::Vec<Tag> values, Tag tag, std::int8_t* q)
{
    hn::StoreU(values, tag, reinterpret_cast<std::uint8_t*>(q));
}

/// Bits [shift, shift + width) of each byte, moved down.
template <int width, typename V>
HWY_INLINE V bitsOf(V bytes, int shift)
{
    const hn::DFromV<V> tag;
    const V mask = hn::Set(tag, static_cast<std::uint8_t>((1 << width) - 1));
#if HWY_TARGET == HWY_SCALAR
    return hn::And(hn::ShiftRightSame(bytes, shift), mask);
#else
    // What comes over from the next byte is masked out.
    const hn::Repartition<std::uint16_t, decltype(tag)> pairs;
    return hn::And(hn::BitCast(tag, hn::ShiftRightSame(hn::BitCast(pairs, bytes), shift)), mask);
#endif
}

/// `value` where bit `bit` of a byte is set, else 0.
template <typename V>
HWY_INLINE V whereBit(V bytes, int bit, std::uint8_t value)
{
    const hn::DFromV<V> tag;
    const V wanted = hn::Set(tag, static_cast<std::uint8_t>(1 << bit));
    return hn::IfThenElseZero(hn::TestBit(bytes, wanted), hn::Set(tag, value));
}

/// `value` where bits[i + lane] is set, else 0. Up to 8 bytes are read; i is a multiple of 8 unless
/// there is one lane.
template <typename Tag>
HWY_INLINE hn::Vec<Tag> whereBits(Tag tag, const std::uint8_t* bits, std::size_t i,
                                  std::uint8_t value)
{
#if HWY_TARGET == HWY_SCALAR
    return hn::Set(tag, static_cast<std::uint8_t>((bits[i / 8] >> i % 8 & 1) * value));
#else
    return hn::IfThenElseZero(hn::LoadMaskBits(tag, bits + i / 8), hn::Set(tag, value));
#endif
}

/// 16 bytes of pairs to 32 numbers, low nibbles first; `minus` is taken from each.
template <std::uint8_t minus>
HWY_INLINE void unpackNibbles(const std::uint8_t* pairs, std::int8_t* q)
{
    const Bytes16 tag;
    const auto less = hn::Set(tag, minus);
    for (std::size_t i = 0; i < 16; i += hn::Lanes(tag)) {
        const auto pair = hn::LoadU(tag, pairs + i);
        storeAt(hn::Sub(bitsOf<4>(pair, 0), less), tag, q + i);
        storeAt(hn::Sub(bitsOf<4>(pair, 4), less), tag, q + 16 + i);
    }
}

/// The same with a fifth bit: bit i of the 4 bytes at `high` belongs to number i.
template <std::uint8_t minus>
HWY_INLINE void unpackFiveBits(const std::uint8_t* high, const std::uint8_t* pairs, std::int8_t* q)
{
    const Bytes16 tag;
    const auto less = hn::Set(tag, minus);
    for (std::size_t i = 0; i < 16; i += hn::Lanes(tag)) {
        const auto pair = hn::LoadU(tag, pairs + i);
        const auto low16 = whereBits(tag, high, i, 16);
        const auto high16 = whereBits(tag, high + 2, i, 16); // and 6 bytes of pairs are read
        storeAt(hn::Sub(hn::Or(bitsOf<4>(pair, 0), low16), less), tag, q + i);
        storeAt(hn::Sub(hn::Or(bitsOf<4>(pair, 4), high16), less), tag, q + 16 + i);
    }
}

/// What each byte, below 16, of IQ4_NL's nibbles stands for.
template <typename V>
HWY_INLINE V nonLinear(V nibbles)
{
    const auto* values = reinterpret_cast<const std::uint8_t*>(nonLinearValues.data());
#if HWY_TARGET == HWY_SCALAR
    return hn::Set(hn::DFromV<V>(), values[hn::GetLane(nibbles)]);
#else
    return hn::TableLookupBytes(hn::LoadU(hn::Full128<std::uint8_t>(), values), nibbles);
#endif
}

/// 16 bytes of pairs to the 32 values that their nibbles stand for.
HWY_INLINE void unpackNonLinear(const std::uint8_t* pairs, std::int8_t* q)
{
    const Bytes16 tag;
    for (std::size_t i = 0; i < 16; i += hn::Lanes(tag)) {
        const auto pair = hn::LoadU(tag, pairs + i);
        storeAt(nonLinear(bitsOf<4>(pair, 0)), tag, q + i);
        storeAt(nonLinear(bitsOf<4>(pair, 4)), tag, q + 16 + i);
    }
}

// ------------------------------------------------------------------ blocks of 32

struct Q8_0Rows : BlockRows<DType::Q8_0, 34, 1>
{
    static HWY_INLINE const std::uint8_t* block(const std::uint8_t* bytes) { return bytes; }
    struct Part
    {
        const std::int8_t* q;
        Vector scale;
    };
    static HWY_INLINE Part part(const std::uint8_t* bytes, std::size_t)
    {
        return {reinterpret_cast<const std::int8_t*>(bytes + 2), everywhere(half(bytes))};
    }
    static HWY_INLINE Vector load(const Part& part, std::size_t column)
    {
        return hn::Mul(part.scale, wholeNumbers(part.q + column));
    }
};

/// Nibbles that are taken from where they lie: for four bits alone that is quicker than spreading
/// them out. Element = scale * q + offset, exact for Q4_0 too: a scale has 11 significant bits,
/// q 4.
struct NibblePart
{
    const std::uint8_t* pairs;
    Vector scale;
    Vector offset;

    HWY_INLINE Vector load(std::size_t column) const
    {
        const hn::Rebind<std::uint8_t, FloatTag> stored;
        const hn::Rebind<std::int32_t, FloatTag> whole;
        const auto pair = hn::PromoteTo(whole, hn::LoadU(stored, pairs + column % 16));
        const auto q = column < 16 ? hn::And(pair, hn::Set(whole, 15)) : hn::ShiftRight<4>(pair);
        return hn::MulAdd(scale, hn::ConvertTo(FloatTag(), q), offset);
    }
};

struct Q4_0Rows : BlockRows<DType::Q4_0, 18, 1>
{
    static HWY_INLINE const std::uint8_t* block(const std::uint8_t* bytes) { return bytes; }
    static HWY_INLINE NibblePart part(const std::uint8_t* bytes, std::size_t)
    {
        const Vector scale = everywhere(half(bytes));
        return {bytes + 2, scale, hn::Mul(scale, everywhere(-8))};
    }
    static HWY_INLINE Vector load(const NibblePart& part, std::size_t c) { return part.load(c); }
};

struct Q4_1Rows : BlockRows<DType::Q4_1, 20, 1>
{
    static HWY_INLINE const std::uint8_t* block(const std::uint8_t* bytes) { return bytes; }
    static HWY_INLINE NibblePart part(const std::uint8_t* bytes, std::size_t)
    {
        return {bytes + 4, everywhere(half(bytes)), everywhere(half(bytes + 2))};
    }
    static HWY_INLINE Vector load(const NibblePart& part, std::size_t c) { return part.load(c); }
};

struct Q5_0Rows : BlockRows<DType::Q5_0, 22, 1>
{
    static HWY_INLINE const std::uint8_t* block(const std::uint8_t* bytes) { return bytes; }
    static HWY_INLINE ScaledPart part(const std::uint8_t* bytes, std::size_t)
    {
        ScaledPart part;
        part.scale[0] = part.scale[1] = everywhere(half(bytes));
        unpackFiveBits<16>(bytes + 2, bytes + 6, part.q);
        return part;
    }
};

struct Q5_1Rows : BlockRows<DType::Q5_1, 24, 1>
{
    static HWY_INLINE const std::uint8_t* block(const std::uint8_t* bytes) { return bytes; }
    static HWY_INLINE ShiftedPart part(const std::uint8_t* bytes, std::size_t)
    {
        ShiftedPart part;
        part.scale[0] = part.scale[1] = everywhere(half(bytes));
        part.offset[0] = part.offset[1] = everywhere(half(bytes + 2));
        unpackFiveBits<0>(bytes + 4, bytes + 8, part.q);
        return part;
    }
};

struct IQ4_NLRows : BlockRows<DType::IQ4_NL, 18, 1>
{
    static HWY_INLINE const std::uint8_t* block(const std::uint8_t* bytes) { return bytes; }
    static HWY_INLINE ScaledPart part(const std::uint8_t* bytes, std::size_t)
    {
        ScaledPart part;
        part.scale[0] = part.scale[1] = everywhere(half(bytes));
        unpackNonLinear(bytes + 2, part.q);
        return part;
    }
};

} // namespace HWY_NAMESPACE
} // namespace engine
HWY_AFTER_NAMESPACE();

#endif
