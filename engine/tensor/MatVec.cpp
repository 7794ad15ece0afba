#include "engine/tensor/MatVec.h"

#include "engine/tensor/Dequantize.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <memory>

// This file is compiled once for each instruction set; Highway picks one when the program runs.
// Scalable vectors are left out: the kernels below keep vectors in arrays.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "MatVec.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace engine {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// At most 16 lanes, so that a block of 32 numbers is always a whole number of steps.
using FloatTag = hn::CappedTag<float, 16>;
using Vector = hn::Vec<FloatTag>;

constexpr std::size_t blockSize = 32; // columns that one turn of the inner loop covers

// Each output is summed in two interleaved partial sums of one vector each: the order that every
// kernel here follows. With N lanes, column c goes to partial sum (c / N) % 2, lane c % N; then
// sum = lanes(first + second). Rows that do not fill a block are padded with zeros.
constexpr int partialSums = 2;

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

// A format's decoder: `Block` is what the columns of one block of 32 share, `load` gives one vector
// of columns starting at `column`, which is a multiple of N below 32.

struct F32Rows
{
    static constexpr DType type = DType::F32;
    using Block = const std::uint8_t*;
    static HWY_INLINE Block block(const std::uint8_t* row, std::size_t index)
    {
        return row + index * blockSize * 4;
    }
    static HWY_INLINE Vector load(Block block, std::size_t column)
    {
        return loadBytes(FloatTag(), block + column * 4);
    }
};

struct F16Rows
{
    static constexpr DType type = DType::F16;
    using Block = const std::uint8_t*;
    static HWY_INLINE Block block(const std::uint8_t* row, std::size_t index)
    {
        return row + index * blockSize * 2;
    }
    static HWY_INLINE Vector load(Block block, std::size_t column)
    {
        const hn::Rebind<hwy::float16_t, FloatTag> halves;
        return hn::PromoteTo(FloatTag(), loadBytes(halves, block + column * 2));
    }
};

struct BF16Rows
{
    static constexpr DType type = DType::BF16;
    using Block = const std::uint8_t*;
    static HWY_INLINE Block block(const std::uint8_t* row, std::size_t index)
    {
        return row + index * blockSize * 2;
    }
    static HWY_INLINE Vector load(Block block, std::size_t column)
    {
        const hn::Rebind<hwy::bfloat16_t, FloatTag> halves;
        return hn::PromoteTo(FloatTag(), loadBytes(halves, block + column * 2));
    }
};

/// The scale in front of a block, in every lane.
HWY_INLINE Vector halfScale(const std::uint8_t* bytes)
{
    const hn::CappedTag<float, 1> one;
    const hn::Rebind<hwy::float16_t, decltype(one)> half;
    hwy::float16_t bits;
    std::memcpy(&bits, bytes, sizeof(bits));
    return hn::Set(FloatTag(), hn::GetLane(hn::PromoteTo(one, hn::LoadU(half, &bits))));
}

// Layouts are drawn in Dequantize.cpp.
struct Q8_0Rows
{
    static constexpr DType type = DType::Q8_0;
    struct Block
    {
        const std::int8_t* values;
        Vector scale;
    };
    static HWY_INLINE Block block(const std::uint8_t* row, std::size_t index)
    {
        const std::uint8_t* bytes = row + index * 34;
        return {reinterpret_cast<const std::int8_t*>(bytes + 2), halfScale(bytes)};
    }
    static HWY_INLINE Vector load(const Block& block, std::size_t column)
    {
        const hn::Rebind<std::int8_t, FloatTag> stored;
        const hn::Rebind<std::int32_t, FloatTag> whole;
        const auto values = hn::PromoteTo(whole, hn::LoadU(stored, block.values + column));
        return hn::Mul(block.scale, hn::ConvertTo(FloatTag(), values));
    }
};

struct Q4_0Rows
{
    static constexpr DType type = DType::Q4_0;
    struct Block
    {
        const std::uint8_t* pairs;
        Vector scale;
        Vector offset; // -8 * scale
    };
    static HWY_INLINE Block block(const std::uint8_t* row, std::size_t index)
    {
        const std::uint8_t* bytes = row + index * 18;
        const Vector scale = halfScale(bytes);
        return {bytes + 2, scale, hn::Mul(scale, hn::Set(FloatTag(), -8.0F))};
    }
    static HWY_INLINE Vector load(const Block& block, std::size_t column)
    {
        const hn::Rebind<std::uint8_t, FloatTag> stored;
        const hn::Rebind<std::int32_t, FloatTag> whole;
        const auto pairs = hn::PromoteTo(whole, hn::LoadU(stored, block.pairs + column % 16));
        const auto nibbles =
            column < 16 ? hn::And(pairs, hn::Set(whole, 15)) : hn::ShiftRight<4>(pairs);
        // scale * (q - 8), exact in either form: scale has 11 significant bits, q has 4.
        return hn::MulAdd(block.scale, hn::ConvertTo(FloatTag(), nibbles), block.offset);
    }
};

HWY_INLINE float total(Vector first, Vector second)
{
    return hn::GetLane(hn::SumOfLanes(FloatTag(), hn::Add(first, second)));
}

/// The columns behind the last whole block of a row, as one block padded with zeros.
template <typename Rows>
void decodeTail(const std::uint8_t* row, std::size_t columns, float* tail)
{
    const std::size_t whole = columns / blockSize * blockSize;
    const std::size_t elementBytes = static_cast<std::size_t>(traits(Rows::type).bytesPerBlock);
    std::fill_n(tail, blockSize, 0.0F);
    dequantize(
        Rows::type,
        std::as_bytes(std::span(row + whole * elementBytes, (columns - whole) * elementBytes)),
        {tail, columns - whole});
}

// How far ahead of its use a weight is asked for: decoding leaves the processor's own prefetching
// too little room to look ahead. (Past the end of the matrix it does no harm.)
constexpr std::size_t prefetchDistance = 4096;

/// `rows` dot products with one x, each row decoded in registers: reads each weight once.
template <typename Rows, int rows>
HWY_INLINE void dotRows(const std::uint8_t* weights, std::size_t rowBytes, std::size_t columns,
                        const float* x, float* y)
{
    const FloatTag tag;
    const std::size_t lanes = hn::Lanes(tag);
    Vector sums[rows][partialSums];
    for (int r = 0; r < rows; ++r)
        sums[r][0] = sums[r][1] = hn::Zero(tag);
    const std::size_t blocks = columns / blockSize;
    const std::size_t blockBytes = blocks == 0 ? 0 : rowBytes / blocks;
    for (std::size_t b = 0; b < blocks; ++b) {
        const float* xBlock = x + b * blockSize;
        for (int r = 0; r < rows; ++r) {
            const std::uint8_t* row = weights + static_cast<std::size_t>(r) * rowBytes;
            const typename Rows::Block block = Rows::block(row, b);
            hwy::Prefetch(row + b * blockBytes + prefetchDistance);
            for (std::size_t c = 0; c < blockSize; c += partialSums * lanes) {
                sums[r][0] =
                    hn::MulAdd(Rows::load(block, c), hn::LoadU(tag, xBlock + c), sums[r][0]);
                sums[r][1] = hn::MulAdd(Rows::load(block, c + lanes),
                                        hn::LoadU(tag, xBlock + c + lanes), sums[r][1]);
            }
        }
    }
    if (columns % blockSize != 0) {
        const float* xTail = x + blocks * blockSize;
        for (int r = 0; r < rows; ++r) {
            float tail[blockSize];
            decodeTail<Rows>(weights + static_cast<std::size_t>(r) * rowBytes, columns, tail);
            for (std::size_t c = 0; c < blockSize; c += partialSums * lanes) {
                sums[r][0] =
                    hn::MulAdd(hn::LoadU(tag, tail + c), hn::LoadU(tag, xTail + c), sums[r][0]);
                sums[r][1] = hn::MulAdd(hn::LoadU(tag, tail + c + lanes),
                                        hn::LoadU(tag, xTail + c + lanes), sums[r][1]);
            }
        }
    }
    for (int r = 0; r < rows; ++r)
        y[r] = total(sums[r][0], sums[r][1]);
}

template <typename Rows>
void multiplyOneToken(const Product& product, std::int64_t begin, std::int64_t end)
{
    constexpr int group = 4;
    const std::size_t columns = static_cast<std::size_t>(product.weight->inputs());
    const std::size_t rowBytes =
        product.weight->view.bytes.size() / static_cast<std::size_t>(product.weight->outputs());
    const auto* weights = reinterpret_cast<const std::uint8_t*>(product.weight->view.bytes.data());
    const float* x = product.x->row(0).data();
    float* y = product.y->row(0).data();
    std::int64_t r = begin;
    for (; r + group <= end; r += group)
        dotRows<Rows, group>(weights + static_cast<std::size_t>(r) * rowBytes, rowBytes, columns, x,
                             y + r);
    for (; r < end; ++r)
        dotRows<Rows, 1>(weights + static_cast<std::size_t>(r) * rowBytes, rowBytes, columns, x,
                         y + r);
}

/// The same dot products for `rows` decoded rows and `tokens` tokens at once: each number loaded
/// serves several sums. y[t * yStride + r].
template <int rows, int tokens>
HWY_INLINE void dotTile(const float* weights, std::size_t stride, const float* x,
                        std::size_t xStride, float* y, std::size_t yStride)
{
    const FloatTag tag;
    const std::size_t lanes = hn::Lanes(tag);
    Vector sums[rows][tokens][partialSums];
    for (int r = 0; r < rows; ++r)
        for (int t = 0; t < tokens; ++t)
            sums[r][t][0] = sums[r][t][1] = hn::Zero(tag);
    for (std::size_t c = 0; c < stride; c += partialSums * lanes) {
        for (int part = 0; part < partialSums; ++part) {
            const std::size_t column = c + static_cast<std::size_t>(part) * lanes;
            Vector w[rows];
            for (int r = 0; r < rows; ++r)
                w[r] = hn::LoadU(tag, weights + static_cast<std::size_t>(r) * stride + column);
            for (int t = 0; t < tokens; ++t) {
                const Vector xs =
                    hn::LoadU(tag, x + static_cast<std::size_t>(t) * xStride + column);
                for (int r = 0; r < rows; ++r)
                    sums[r][t][part] = hn::MulAdd(w[r], xs, sums[r][t][part]);
            }
        }
    }
    for (int t = 0; t < tokens; ++t)
        for (int r = 0; r < rows; ++r)
            y[static_cast<std::size_t>(t) * yStride + static_cast<std::size_t>(r)] =
                total(sums[r][t][0], sums[r][t][1]);
}

template <typename Rows>
void decodeRow(const std::uint8_t* row, std::size_t columns, float* out)
{
    const FloatTag tag;
    const std::size_t lanes = hn::Lanes(tag);
    const std::size_t blocks = columns / blockSize;
    for (std::size_t b = 0; b < blocks; ++b) {
        const typename Rows::Block block = Rows::block(row, b);
        for (std::size_t c = 0; c < blockSize; c += lanes)
            hn::StoreU(Rows::load(block, c), tag, out + b * blockSize + c);
    }
    if (columns % blockSize != 0)
        decodeTail<Rows>(row, columns, out + blocks * blockSize);
}

/// Decoded rows times `tokens` tokens from `token` on. Row pairs are the inner loop, so that the
/// tokens' x stay in the first cache while the rows pass by.
template <int tokens>
void multiplyDecoded(const float* weights, std::size_t stride, std::int64_t rows,
                     const Product& product, std::int64_t token, std::int64_t firstRow)
{
    const std::size_t xStride = static_cast<std::size_t>(product.x->stride());
    const std::size_t yStride = static_cast<std::size_t>(product.y->stride());
    const float* x = product.x->row(token).data();
    float* y = product.y->row(token).data() + firstRow;
    std::int64_t r = 0;
    for (; r + 2 <= rows; r += 2)
        dotTile<2, tokens>(weights + static_cast<std::size_t>(r) * stride, stride, x, xStride,
                           y + r, yStride);
    if (r < rows)
        dotTile<1, tokens>(weights + static_cast<std::size_t>(r) * stride, stride, x, xStride,
                           y + r, yStride);
}

template <typename Rows>
void multiplyTokens(const Product& product, std::int64_t tokens, std::int64_t begin,
                    std::int64_t end)
{
    constexpr std::int64_t group = 8; // rows decoded at a time
    constexpr int tile = 3; // 2 rows x 3 tokens x 2 sums leave AVX2 registers for what is loaded
    const std::size_t columns = static_cast<std::size_t>(product.weight->inputs());
    const std::size_t stride = (columns + blockSize - 1) / blockSize * blockSize;
    const std::size_t rowBytes =
        product.weight->view.bytes.size() / static_cast<std::size_t>(product.weight->outputs());
    const auto* weights = reinterpret_cast<const std::uint8_t*>(product.weight->view.bytes.data());
    const std::unique_ptr<float[]> decoded(new float[group * stride]);
    for (std::int64_t r = begin; r < end; r += group) {
        const std::int64_t rows = std::min(group, end - r);
        for (std::int64_t i = 0; i < rows; ++i)
            decodeRow<Rows>(weights + static_cast<std::size_t>(r + i) * rowBytes, columns,
                            decoded.get() + static_cast<std::size_t>(i) * stride);
        std::int64_t t = 0;
        for (; t + tile <= tokens; t += tile)
            multiplyDecoded<tile>(decoded.get(), stride, rows, product, t, r);
        for (; t < tokens; ++t)
            multiplyDecoded<1>(decoded.get(), stride, rows, product, t, r);
    }
}

/// Columns [begin, end) of y += W^T x for `rows` rows of an InputRows matrix, from input `i` on.
/// Each output adds its inputs one after the other, in order.
template <typename Rows, int rows>
HWY_INLINE void addInputRows(const Product& product, std::int64_t tokens, std::int64_t i,
                             std::int64_t begin, std::int64_t end)
{
    const FloatTag tag;
    const std::int64_t lanes = static_cast<std::int64_t>(hn::Lanes(tag));
    const std::int64_t elementBytes = traits(Rows::type).bytesPerBlock;
    const std::int64_t rowBytes = product.weight->outputs() * elementBytes;
    const auto* weights =
        reinterpret_cast<const std::uint8_t*>(product.weight->view.bytes.data()) + i * rowBytes;
    std::int64_t c = begin;
    for (; c + lanes <= end; c += lanes) {
        Vector w[rows];
        for (int r = 0; r < rows; ++r)
            w[r] = Rows::load(Rows::block(weights + r * rowBytes + c * elementBytes, 0), 0);
        for (std::int64_t t = 0; t < tokens; ++t) {
            const float* x = product.x->row(t).data() + i;
            float* y = product.y->row(t).data() + c;
            Vector sum = hn::LoadU(tag, y);
            for (int r = 0; r < rows; ++r)
                sum = hn::MulAdd(hn::Set(tag, x[r]), w[r], sum);
            hn::StoreU(sum, tag, y);
        }
    }
    for (; c < end; ++c) {
        float w[rows];
        for (int r = 0; r < rows; ++r)
            dequantize(Rows::type,
                       std::as_bytes(std::span(weights + r * rowBytes + c * elementBytes,
                                               static_cast<std::size_t>(elementBytes))),
                       {w + r, 1});
        for (std::int64_t t = 0; t < tokens; ++t) {
            const float* x = product.x->row(t).data() + i;
            float& sum = product.y->row(t).data()[c];
            for (int r = 0; r < rows; ++r)
                sum += x[r] * w[r];
        }
    }
}

template <typename Rows>
void multiplyInputRows(const Product& product, std::int64_t tokens, std::int64_t begin,
                       std::int64_t end)
{
    constexpr int group = 4; // rows read side by side for each visit of y
    for (std::int64_t t = 0; t < tokens; ++t)
        std::fill_n(product.y->row(t).data() + begin, end - begin, 0.0F);
    const std::int64_t inputs = product.weight->inputs();
    std::int64_t i = 0;
    for (; i + group <= inputs; i += group)
        addInputRows<Rows, group>(product, tokens, i, begin, end);
    for (; i < inputs; ++i)
        addInputRows<Rows, 1>(product, tokens, i, begin, end);
}

template <typename Rows>
void multiplyOutputs(const Product& product, std::int64_t tokens, std::int64_t begin,
                     std::int64_t end)
{
    if (tokens == 1)
        multiplyOneToken<Rows>(product, begin, end);
    else
        multiplyTokens<Rows>(product, tokens, begin, end);
}

/// Outputs [begin, end) of one product.
void multiplyPart(const Product& product, std::int64_t tokens, std::int64_t begin, std::int64_t end)
{
    const bool inputRows = product.weight->layout == MatrixLayout::InputRows;
    switch (product.weight->view.type) {
    case DType::F32:
        return inputRows ? multiplyInputRows<F32Rows>(product, tokens, begin, end)
                         : multiplyOutputs<F32Rows>(product, tokens, begin, end);
    case DType::F16:
        return inputRows ? multiplyInputRows<F16Rows>(product, tokens, begin, end)
                         : multiplyOutputs<F16Rows>(product, tokens, begin, end);
    case DType::BF16:
        return inputRows ? multiplyInputRows<BF16Rows>(product, tokens, begin, end)
                         : multiplyOutputs<BF16Rows>(product, tokens, begin, end);
    case DType::Q8_0:
        return multiplyOutputs<Q8_0Rows>(product, tokens, begin, end);
    case DType::Q4_0:
        return multiplyOutputs<Q4_0Rows>(product, tokens, begin, end);
    }
}

const char* targetName()
{
    return hwy::TargetName(HWY_TARGET);
}

} // namespace HWY_NAMESPACE
} // namespace engine
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace engine {

HWY_EXPORT(multiplyPart);
HWY_EXPORT(targetName);

namespace {

/// Outputs that one thread takes at least: whole vectors of an InputRows matrix, so that an output
/// is computed the same way however the work is cut.
std::int64_t granule(const Product& product)
{
    return product.weight->layout == MatrixLayout::InputRows ? 128 : 8;
}

std::int64_t granules(const Product& product)
{
    return (product.weight->outputs() + granule(product) - 1) / granule(product);
}

} // namespace

void multiply(std::span<const Product> products, std::int64_t tokens, ThreadPool& pool)
{
    std::int64_t count = 0;
    for (const Product& product : products) {
        assert(product.x->width() == product.weight->inputs());
        assert(product.y->width() == product.weight->outputs());
        assert(product.x->tokens() >= tokens && product.y->tokens() >= tokens);
        assert(product.weight->layout == MatrixLayout::OutputRows ||
               traits(product.weight->view.type).elementsPerBlock == 1);
        count += granules(product);
    }
    const auto part = HWY_DYNAMIC_DISPATCH(multiplyPart);
    pool.parallelFor(count, [&](std::int64_t begin, std::int64_t end) {
        std::int64_t first = 0; // of this product, among the granules of all
        for (const Product& product : products) {
            const std::int64_t last = first + granules(product);
            const std::int64_t from = std::max(begin, first);
            const std::int64_t to = std::min(end, last);
            if (from < to)
                part(product, tokens, (from - first) * granule(product),
                     std::min((to - first) * granule(product), product.weight->outputs()));
            first = last;
        }
    });
}

std::string kernelTarget()
{
    return HWY_DYNAMIC_DISPATCH(targetName)();
}

} // namespace engine
#endif
