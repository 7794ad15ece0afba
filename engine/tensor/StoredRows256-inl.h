// Rows of a matrix in the formats with blocks of 256 columns, as StoredRows-inl.h has those with
// smaller ones. Included once for each instruction set, as Highway's -inl.h files are.
#if defined(TOKENSCOPE_STORED_ROWS_256_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TOKENSCOPE_STORED_ROWS_256_INL_H
#undef TOKENSCOPE_STORED_ROWS_256_INL_H
#else
#define TOKENSCOPE_STORED_ROWS_256_INL_H
#endif

#include "engine/tensor/StoredRows-inl.h"

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace engine {
namespace HWY_NAMESPACE {

// Scales of groups are worked out for a whole block at once, as vectors of at most 8 of them.
using GroupTag = hn::CappedTag<float, 8>;

/// out[i] = scale * groups[i]
template <int count, typename Byte>
HWY_INLINE void scaleGroups(float scale, const Byte* groups, float* out)
{
    const GroupTag tag;
    const hn::Rebind<Byte, GroupTag> stored;
    const hn::Rebind<std::int32_t, GroupTag> whole;
    for (std::size_t i = 0; i < count; i += hn::Lanes(tag)) {
        const auto values = hn::PromoteTo(whole, hn::LoadU(stored, groups + i));
        hn::StoreU(hn::Mul(hn::Set(tag, scale), hn::ConvertTo(tag, values)), tag, out + i);
    }
}

HWY_INLINE std::uint32_t word(const std::uint8_t* bytes)
{
    std::uint32_t value;
    std::memcpy(&value, bytes, sizeof(value));
    return value;
}

// Four bytes at once: `every` repeats a byte in a word.
constexpr std::uint32_t every(std::uint32_t byte)
{
    return byte * 0x01010101U;
}

/// 32 fields of `width` bits from bit `shift` of the bytes at `bytes` on.
template <int width>
HWY_INLINE hn::Vec<Bytes32> fields(const std::uint8_t* bytes, std::size_t i, std::size_t shift)
{
    return bitsOf<width>(hn::LoadU(Bytes32(), bytes + i), static_cast<int>(shift));
}

struct Q2_KRows : BlockRows<DType::Q2_K, 84, 8>
{
    struct Block
    {
        const std::uint8_t* twoBits;
        float scales[16];
        float offsets[16];
    };
    static HWY_INLINE Block block(const std::uint8_t* bytes)
    {
        std::uint8_t low[16];
        std::uint8_t high[16];
        const Bytes16 tag;
        for (std::size_t i = 0; i < 16; i += hn::Lanes(tag)) {
            const auto groups = hn::LoadU(tag, bytes + i);
            hn::StoreU(bitsOf<4>(groups, 0), tag, low + i);
            hn::StoreU(bitsOf<4>(groups, 4), tag, high + i);
        }
        Block block;
        block.twoBits = bytes + 16;
        scaleGroups<16>(half(bytes + 80), low, block.scales);
        scaleGroups<16>(-half(bytes + 82), high, block.offsets);
        return block;
    }
    static HWY_INLINE ShiftedPart part(const Block& block, std::size_t p)
    {
        ShiftedPart part;
        for (std::size_t i = 0; i < 2; ++i) {
            part.scale[i] = everywhere(block.scales[2 * p + i]);
            part.offset[i] = everywhere(block.offsets[2 * p + i]);
        }
        const Bytes32 tag;
        for (std::size_t i = 0; i < partSize; i += hn::Lanes(tag))
            storeAt(fields<2>(block.twoBits + p / 4 * 32, i, 2 * (p % 4)), tag, part.q + i);
        return part;
    }
};

struct Q3_KRows : BlockRows<DType::Q3_K, 110, 8>
{
    struct Block
    {
        const std::uint8_t* highBits;
        const std::uint8_t* twoBits;
        float scales[16];
    };
    static HWY_INLINE Block block(const std::uint8_t* bytes)
    {
        const std::uint32_t low[2] = {word(bytes + 96), word(bytes + 100)};
        const std::uint32_t high = word(bytes + 104);
        std::uint32_t groups[4];
        for (std::uint32_t i = 0; i < 4; ++i)
            groups[i] = (low[i % 2] >> i / 2 * 4 & every(15)) | (high >> 2 * i & every(3)) << 4;
        std::int8_t scales[16];
        std::memcpy(scales, groups, sizeof(scales));
        for (std::int8_t& scale : scales)
            scale = static_cast<std::int8_t>(scale - 32);
        Block block;
        block.highBits = bytes;
        block.twoBits = bytes + 32;
        scaleGroups<16>(half(bytes + 108), scales, block.scales);
        return block;
    }
    static HWY_INLINE ScaledPart part(const Block& block, std::size_t p)
    {
        ScaledPart part;
        part.scale[0] = everywhere(block.scales[2 * p]);
        part.scale[1] = everywhere(block.scales[2 * p + 1]);
        const Bytes32 tag;
        for (std::size_t i = 0; i < partSize; i += hn::Lanes(tag)) {
            const auto low = fields<2>(block.twoBits + p / 4 * 32, i, 2 * (p % 4));
            const auto high = whereBit(hn::LoadU(tag, block.highBits + i), static_cast<int>(p), 4);
            storeAt(hn::Sub(hn::Or(low, high), hn::Set(tag, 4)), tag, part.q + i);
        }
        return part;
    }
};

/// What Q4_K and Q5_K share: scales and offsets of 8 groups, from the first 16 bytes of a block.
struct GroupsOf32
{
    static HWY_INLINE GroupsOf32 of(const std::uint8_t* bytes)
    {
        const std::uint32_t a = word(bytes + 4);
        const std::uint32_t b = word(bytes + 8);
        const std::uint32_t c = word(bytes + 12);
        const std::uint32_t scaleGroup[2] = {a & every(63), (c & every(15)) | (a >> 2 & every(48))};
        const std::uint32_t offsetGroup[2] = {b & every(63),
                                              (c >> 4 & every(15)) | (b >> 2 & every(48))};
        GroupsOf32 groups;
        scaleGroups<8>(half(bytes), reinterpret_cast<const std::uint8_t*>(scaleGroup),
                       groups.scales);
        scaleGroups<8>(-half(bytes + 2), reinterpret_cast<const std::uint8_t*>(offsetGroup),
                       groups.offsets);
        return groups;
    }

    HWY_INLINE void give(ShiftedPart& part, std::size_t p) const
    {
        part.scale[0] = part.scale[1] = everywhere(scales[p]);
        part.offset[0] = part.offset[1] = everywhere(offsets[p]);
    }

    float scales[8];
    float offsets[8];
};

struct Q4_KRows : BlockRows<DType::Q4_K, 144, 8>
{
    struct Block
    {
        const std::uint8_t* nibbles;
        GroupsOf32 groups;
    };
    static HWY_INLINE Block block(const std::uint8_t* bytes)
    {
        return {bytes + 16, GroupsOf32::of(bytes)};
    }
    static HWY_INLINE ShiftedPart part(const Block& block, std::size_t p)
    {
        ShiftedPart part;
        block.groups.give(part, p);
        const Bytes32 tag;
        for (std::size_t i = 0; i < partSize; i += hn::Lanes(tag))
            storeAt(fields<4>(block.nibbles + p / 2 * 32, i, p % 2 * 4), tag, part.q + i);
        return part;
    }
};

struct Q5_KRows : BlockRows<DType::Q5_K, 176, 8>
{
    struct Block
    {
        const std::uint8_t* highBits;
        const std::uint8_t* nibbles;
        GroupsOf32 groups;
    };
    static HWY_INLINE Block block(const std::uint8_t* bytes)
    {
        return {bytes + 16, bytes + 48, GroupsOf32::of(bytes)};
    }
    static HWY_INLINE ShiftedPart part(const Block& block, std::size_t p)
    {
        ShiftedPart part;
        block.groups.give(part, p);
        const Bytes32 tag;
        for (std::size_t i = 0; i < partSize; i += hn::Lanes(tag)) {
            const auto low = fields<4>(block.nibbles + p / 2 * 32, i, p % 2 * 4);
            const auto high = whereBit(hn::LoadU(tag, block.highBits + i), static_cast<int>(p), 16);
            storeAt(hn::Or(low, high), tag, part.q + i);
        }
        return part;
    }
};

struct Q6_KRows : BlockRows<DType::Q6_K, 210, 8>
{
    struct Block
    {
        const std::uint8_t* nibbles;
        const std::uint8_t* twoBits;
        float scales[16];
    };
    static HWY_INLINE Block block(const std::uint8_t* bytes)
    {
        Block block;
        block.nibbles = bytes;
        block.twoBits = bytes + 128;
        scaleGroups<16>(half(bytes + 208), reinterpret_cast<const std::int8_t*>(bytes + 192),
                        block.scales);
        return block;
    }
    static HWY_INLINE ScaledPart part(const Block& block, std::size_t p)
    {
        ScaledPart part;
        part.scale[0] = everywhere(block.scales[2 * p]);
        part.scale[1] = everywhere(block.scales[2 * p + 1]);
        const std::size_t ofHalf = p % 4; // which 32 of the 128 columns of this half
        const Bytes32 tag;
        for (std::size_t i = 0; i < partSize; i += hn::Lanes(tag)) {
            const auto low =
                fields<4>(block.nibbles + p / 4 * 64 + ofHalf % 2 * 32, i, ofHalf / 2 * 4);
            const auto high = fields<2>(block.twoBits + p / 4 * 32, i, 2 * ofHalf);
            const auto q = hn::Or(low, hn::ShiftLeft<4>(high));
            storeAt(hn::Sub(q, hn::Set(tag, 32)), tag, part.q + i);
        }
        return part;
    }
};

struct IQ4_XSRows : BlockRows<DType::IQ4_XS, 136, 8>
{
    struct Block
    {
        const std::uint8_t* nibbles;
        float scales[8];
    };
    static HWY_INLINE Block block(const std::uint8_t* bytes)
    {
        std::uint16_t high;
        std::memcpy(&high, bytes + 2, sizeof(high));
        const std::uint32_t low = word(bytes + 4);
        std::int8_t scales[8];
        for (std::uint32_t i = 0; i < 8; ++i)
            scales[i] = static_cast<std::int8_t>(
                static_cast<int>((low >> 4 * i & 15) | (std::uint32_t{high} >> 2 * i & 3) << 4) -
                32);
        Block block;
        block.nibbles = bytes + 8;
        scaleGroups<8>(half(bytes), scales, block.scales);
        return block;
    }
    static HWY_INLINE ScaledPart part(const Block& block, std::size_t p)
    {
        ScaledPart part;
        part.scale[0] = part.scale[1] = everywhere(block.scales[p]);
        unpackNonLinear(block.nibbles + p * 16, part.q);
        return part;
    }
};

} // namespace HWY_NAMESPACE
} // namespace engine
HWY_AFTER_NAMESPACE();

#endif
