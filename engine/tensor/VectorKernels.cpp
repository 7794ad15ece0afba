#include "engine/tensor/VectorKernels.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

// Compiled once for each instruction set, like MatVec.cpp.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "VectorKernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// After foreach_target, which compiles it for each instruction set.
#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace engine {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::CappedTag<float, 16>;
using Vector = hn::Vec<FloatTag>;
constexpr std::int64_t mostLanes = 16;

/// Replaces each x_i by function(x_i), or function(x_i, other_i); the numbers that do not fill a
/// vector take the same way in a padded one.
template <typename Function>
HWY_INLINE void mapInPlace(float* x, const float* other, std::int64_t count, Function function)
{
    const FloatTag tag;
    const std::int64_t lanes = static_cast<std::int64_t>(hn::Lanes(tag));
    std::int64_t i = 0;
    for (; i + lanes <= count; i += lanes)
        hn::StoreU(function(hn::LoadU(tag, x + i), hn::LoadU(tag, other + i)), tag, x + i);
    if (i < count) {
        float values[mostLanes] = {};
        float others[mostLanes] = {};
        std::copy_n(x + i, count - i, values);
        std::copy_n(other + i, count - i, others);
        hn::StoreU(function(hn::LoadU(tag, values), hn::LoadU(tag, others)), tag, values);
        std::copy_n(values, count - i, x + i);
    }
}

/// x / (1 + exp(-z)); -z is kept where exp is finite, and NaN comes through x.
HWY_INLINE Vector timesSigmoid(Vector x, Vector z)
{
    const FloatTag tag;
    const Vector exponent = hn::Min(hn::Neg(z), hn::Set(tag, 88.0F));
    return hn::Div(x, hn::Add(hn::Set(tag, 1.0F), hn::Exp(tag, exponent)));
}

void siluMultiplyKernel(float* gate, const float* up, std::int64_t count)
{
    mapInPlace(gate, up, count, [](Vector x, Vector y) { return hn::Mul(timesSigmoid(x, x), y); });
}

// 0.5 x (1 + tanh(u)) = x / (1 + exp(-2u)), without the cancellation near u = -1.
void geluTanhKernel(float* x, std::int64_t count)
{
    mapInPlace(x, x, count, [](Vector v, Vector) {
        const FloatTag tag;
        constexpr float twiceRoot = 1.5957691216057308F; // 2 sqrt(2 / pi)
        const Vector cubic = hn::Mul(hn::Set(tag, 0.044715F), hn::Mul(v, hn::Mul(v, v)));
        return timesSigmoid(v, hn::Mul(hn::Set(tag, twiceRoot), hn::Add(v, cubic)));
    });
}

void softCapKernel(float* x, std::int64_t count, float cap)
{
    mapInPlace(x, x, count, [cap](Vector v, Vector) {
        const FloatTag tag;
        const Vector bound = hn::Set(tag, cap);
        // Tanh could hide NaN.
        const Vector ratio = hn::Div(v, bound);
        return hn::IfThenElse(hn::IsNaN(ratio), ratio, hn::Mul(bound, hn::Tanh(tag, ratio)));
    });
}

void softmaxKernel(float* x, std::int64_t count)
{
    const FloatTag tag;
    const std::int64_t lanes = static_cast<std::int64_t>(hn::Lanes(tag));
    float largest = -std::numeric_limits<float>::infinity();
    bool hasNan = false;
    for (std::int64_t i = 0; i < count; ++i) {
        hasNan = hasNan || std::isnan(x[i]);
        largest = std::max(largest, x[i]);
    }
    const Vector shift = hn::Set(tag, largest);
    mapInPlace(x, x, count, [&](Vector v, Vector) { return hn::Exp(tag, hn::Sub(v, shift)); });
    Vector sums = hn::Zero(tag);
    std::int64_t i = 0;
    for (; i + lanes <= count; i += lanes)
        sums = hn::Add(sums, hn::LoadU(tag, x + i));
    float sum = hn::GetLane(hn::SumOfLanes(tag, sums));
    for (; i < count; ++i)
        sum += x[i];
    // Exp gives 0 for NaN, which must not pass for a weight of 0.
    const Vector factor =
        hn::Set(tag, hasNan ? std::numeric_limits<float>::quiet_NaN() : 1.0F / sum);
    mapInPlace(x, x, count, [&](Vector v, Vector) { return hn::Mul(v, factor); });
}

/// One dot product for each of `rows` keys; two partial sums of one vector each.
template <int rows>
HWY_INLINE void scoreRows(const float* q, std::int64_t size, const float* keys, std::int64_t stride,
                          float scale, float* scores)
{
    const FloatTag tag;
    const std::int64_t lanes = static_cast<std::int64_t>(hn::Lanes(tag));
    Vector sums[rows][2];
    for (int r = 0; r < rows; ++r)
        sums[r][0] = sums[r][1] = hn::Zero(tag);
    std::int64_t c = 0;
    for (int part = 0; c + lanes <= size; c += lanes, part ^= 1) {
        const Vector query = hn::LoadU(tag, q + c);
        for (int r = 0; r < rows; ++r) {
            const Vector key = hn::LoadU(tag, keys + r * stride + c);
            Vector& sum = part == 0 ? sums[r][0] : sums[r][1];
            sum = hn::MulAdd(query, key, sum);
        }
    }
    for (int r = 0; r < rows; ++r) {
        float sum = hn::GetLane(hn::SumOfLanes(tag, hn::Add(sums[r][0], sums[r][1])));
        for (std::int64_t tail = c; tail < size; ++tail)
            sum += q[tail] * keys[r * stride + tail];
        scores[r] = scale * sum;
    }
}

void scoreKeysKernel(const float* q, std::int64_t size, const VectorRows& keys, float scale,
                     float* scores)
{
    constexpr int group = 4;
    std::int64_t j = 0;
    for (; j + group <= keys.count; j += group)
        scoreRows<group>(q, size, keys.first + j * keys.stride, keys.stride, scale, scores + j);
    for (; j < keys.count; ++j)
        scoreRows<1>(q, size, keys.first + j * keys.stride, keys.stride, scale, scores + j);
}

/// `vectors` vectors of out from column `c` on, held in registers over all rows.
template <int vectors>
HWY_INLINE void addWeightedColumns(const float* weights, const VectorRows& values, float* out,
                                   std::int64_t c)
{
    const FloatTag tag;
    const std::int64_t lanes = static_cast<std::int64_t>(hn::Lanes(tag));
    Vector sums[vectors];
    for (int v = 0; v < vectors; ++v)
        sums[v] = hn::LoadU(tag, out + c + v * lanes);
    for (std::int64_t j = 0; j < values.count; ++j) {
        const Vector weight = hn::Set(tag, weights[j]);
        const float* row = values.first + j * values.stride + c;
        for (int v = 0; v < vectors; ++v)
            sums[v] = hn::MulAdd(weight, hn::LoadU(tag, row + v * lanes), sums[v]);
    }
    for (int v = 0; v < vectors; ++v)
        hn::StoreU(sums[v], tag, out + c + v * lanes);
}

void addWeightedKernel(const float* weights, const VectorRows& values, float* out,
                       std::int64_t size)
{
    constexpr int group = 8;
    const std::int64_t lanes = static_cast<std::int64_t>(hn::Lanes(FloatTag()));
    std::int64_t c = 0;
    for (; c + group * lanes <= size; c += group * lanes)
        addWeightedColumns<group>(weights, values, out, c);
    for (; c + lanes <= size; c += lanes)
        addWeightedColumns<1>(weights, values, out, c);
    for (; c < size; ++c)
        for (std::int64_t j = 0; j < values.count; ++j)
            out[c] += weights[j] * values.first[j * values.stride + c];
}

} // namespace HWY_NAMESPACE
} // namespace engine
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace engine {

HWY_EXPORT(softmaxKernel);
HWY_EXPORT(siluMultiplyKernel);
HWY_EXPORT(geluTanhKernel);
HWY_EXPORT(softCapKernel);
HWY_EXPORT(scoreKeysKernel);
HWY_EXPORT(addWeightedKernel);

void softmaxInPlace(std::span<float> x)
{
    HWY_DYNAMIC_DISPATCH(softmaxKernel)(x.data(), std::ssize(x));
}

void siluMultiply(std::span<float> gate, std::span<const float> up)
{
    assert(gate.size() == up.size());
    HWY_DYNAMIC_DISPATCH(siluMultiplyKernel)(gate.data(), up.data(), std::ssize(gate));
}

void geluTanh(std::span<float> x)
{
    HWY_DYNAMIC_DISPATCH(geluTanhKernel)(x.data(), std::ssize(x));
}

void softCap(std::span<float> x, float cap)
{
    HWY_DYNAMIC_DISPATCH(softCapKernel)(x.data(), std::ssize(x), cap);
}

void scoreKeys(std::span<const float> q, const VectorRows& keys, float scale, float* scores)
{
    HWY_DYNAMIC_DISPATCH(scoreKeysKernel)(q.data(), std::ssize(q), keys, scale, scores);
}

void addWeighted(const float* weights, const VectorRows& values, std::span<float> out)
{
    HWY_DYNAMIC_DISPATCH(addWeightedKernel)(weights, values, out.data(), std::ssize(out));
}

} // namespace engine
#endif
