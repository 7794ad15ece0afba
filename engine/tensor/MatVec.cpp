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

// The order matters: foreach_target.h comes before all that is compiled for each target.
// clang-format off
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include "engine/tensor/StoredRows-inl.h"
#include "engine/tensor/StoredRows256-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace engine {
namespace HWY_NAMESPACE {

// Each output is summed in two interleaved partial sums of one vector each: the order that every
// kernel here follows, whatever the format. With N lanes, column c goes to partial sum (c / N) % 2,
// lane c % N; then sum = lanes(first + second). Rows that do not fill a part of 32 columns are
// padded with zeros.
constexpr int partialSums = 2;

HWY_INLINE float total(Vector first, Vector second)
{
    return hn::GetLane(hn::SumOfLanes(FloatTag(), hn::Add(first, second)));
}

/// The columns behind the last whole part of a row, as one part padded with zeros.
template <typename Rows>
void decodeTail(const std::uint8_t* row, std::size_t columns, float* tail)
{
    const std::size_t whole = columns / partSize * partSize;
    const std::size_t elementBytes = static_cast<std::size_t>(traits(Rows::type).bytesPerBlock);
    std::fill_n(tail, partSize, 0.0F);
    dequantize(
        Rows::type,
        std::as_bytes(std::span(row + whole * elementBytes, (columns - whole) * elementBytes)),
        {tail, columns - whole});
}

// How far ahead of its use a weight is asked for: decoding leaves the processor's own prefetching
// too little room to look ahead. (Past the end of the matrix it does no harm.)
constexpr std::size_t prefetchDistance = 4096;
constexpr std::size_t cacheLine = 64;

/// Adds 32 columns' products to a row's partial sums. `load(c)` gives the weights from c on.
template <typename Load>
HWY_INLINE void addPart(Load load, const float* x, Vector* sums)
{
    const FloatTag tag;
    const std::size_t lanes = hn::Lanes(tag);
    for (std::size_t c = 0; c < partSize; c += partialSums * lanes) {
        sums[0] = hn::MulAdd(load(c), hn::LoadU(tag, x + c), sums[0]);
        sums[1] = hn::MulAdd(load(c + lanes), hn::LoadU(tag, x + c + lanes), sums[1]);
    }
}

/// `rows` dot products with one x, each row decoded in registers: reads each weight once.
template <typename Rows, int rows>
HWY_INLINE void dotRows(const std::uint8_t* weights, std::size_t rowBytes, std::size_t columns,
                        const float* x, float* y)
{
    using Block = decltype(Rows::block(weights));
    const FloatTag tag;
    Vector sums[rows][partialSums];
    for (int r = 0; r < rows; ++r)
        sums[r][0] = sums[r][1] = hn::Zero(tag);
    constexpr std::size_t blockColumns = Rows::parts * partSize;
    const std::size_t blocks = columns / blockColumns;
    for (std::size_t b = 0; b < blocks; ++b) {
        Block stored[rows];
        for (int r = 0; r < rows; ++r) {
            const std::uint8_t* bytes =
                weights + static_cast<std::size_t>(r) * rowBytes + b * Rows::blockBytes;
            stored[r] = Rows::block(bytes);
            for (std::size_t line = 0; line < Rows::blockBytes; line += cacheLine)
                hwy::Prefetch(bytes + line + prefetchDistance);
        }
        for (std::size_t p = 0; p < Rows::parts; ++p)
            for (int r = 0; r < rows; ++r) {
                const auto part = Rows::part(stored[r], p);
                addPart([&](std::size_t c) HWY_ATTR { return Rows::load(part, c); },
                        x + b * blockColumns + p * partSize, sums[r]);
            }
    }
    if (columns % blockColumns != 0) // never of formats in blocks
        for (int r = 0; r < rows; ++r) {
            float tail[partSize];
            decodeTail<Rows>(weights + static_cast<std::size_t>(r) * rowBytes, columns, tail);
            addPart([&](std::size_t c) HWY_ATTR { return hn::LoadU(tag, tail + c); },
                    x + blocks * blockColumns, sums[r]);
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
    constexpr std::size_t blockColumns = Rows::parts * partSize;
    const std::size_t blocks = columns / blockColumns;
    for (std::size_t b = 0; b < blocks; ++b) {
        const auto block = Rows::block(row + b * Rows::blockBytes);
        for (std::size_t p = 0; p < Rows::parts; ++p) {
            const auto part = Rows::part(block, p);
            for (std::size_t c = 0; c < partSize; c += lanes)
                hn::StoreU(Rows::load(part, c), tag, out + b * blockColumns + p * partSize + c);
        }
    }
    if (columns % blockColumns != 0)
        decodeTail<Rows>(row, columns, out + blocks * blockColumns);
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
    const std::size_t stride = (columns + partSize - 1) / partSize * partSize;
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
            w[r] = Rows::load(weights + r * rowBytes + c * elementBytes, 0);
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

template <typename Rows>
void multiplyDense(const Product& product, std::int64_t tokens, std::int64_t begin,
                   std::int64_t end)
{
    if (product.weight->layout == MatrixLayout::InputRows)
        multiplyInputRows<Rows>(product, tokens, begin, end);
    else
        multiplyOutputs<Rows>(product, tokens, begin, end);
}

/// Outputs [begin, end) of one product.
void multiplyPart(const Product& product, std::int64_t tokens, std::int64_t begin, std::int64_t end)
{
    switch (product.weight->view.type) {
    case DType::F32:
        return multiplyDense<F32Rows>(product, tokens, begin, end);
    case DType::F16:
        return multiplyDense<F16Rows>(product, tokens, begin, end);
    case DType::BF16:
        return multiplyDense<BF16Rows>(product, tokens, begin, end);
    case DType::Q8_0:
        return multiplyOutputs<Q8_0Rows>(product, tokens, begin, end);
    case DType::Q4_0:
        return multiplyOutputs<Q4_0Rows>(product, tokens, begin, end);
    case DType::Q4_1:
        return multiplyOutputs<Q4_1Rows>(product, tokens, begin, end);
    case DType::Q5_0:
        return multiplyOutputs<Q5_0Rows>(product, tokens, begin, end);
    case DType::Q5_1:
        return multiplyOutputs<Q5_1Rows>(product, tokens, begin, end);
    case DType::IQ4_NL:
        return multiplyOutputs<IQ4_NLRows>(product, tokens, begin, end);
    case DType::Q2_K:
        return multiplyOutputs<Q2_KRows>(product, tokens, begin, end);
    case DType::Q3_K:
        return multiplyOutputs<Q3_KRows>(product, tokens, begin, end);
    case DType::Q4_K:
        return multiplyOutputs<Q4_KRows>(product, tokens, begin, end);
    case DType::Q5_K:
        return multiplyOutputs<Q5_KRows>(product, tokens, begin, end);
    case DType::Q6_K:
        return multiplyOutputs<Q6_KRows>(product, tokens, begin, end);
    case DType::IQ4_XS:
        return multiplyOutputs<IQ4_XSRows>(product, tokens, begin, end);
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
