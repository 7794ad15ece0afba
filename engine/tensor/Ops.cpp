#include "engine/tensor/Ops.h"

#include <Eigen/Core>

#include <cassert>
#include <cmath>

namespace engine {

namespace {

using ConstMap = Eigen::Map<const Eigen::ArrayXf>;
using Map = Eigen::Map<Eigen::ArrayXf>;

ConstMap map(std::span<const float> x)
{
    return {x.data(), std::ssize(x)};
}

Map map(std::span<float> x)
{
    return {x.data(), std::ssize(x)};
}

/// Sum of term(x_i) in double precision. Written out rather than left to Eigen, whose order of
/// summation depends on where the numbers lie in memory.
template <typename Term>
double sum(std::span<const float> x, Term term)
{
    double sums[4] = {};
    std::size_t i = 0;
    for (; i + 4 <= x.size(); i += 4)
        for (std::size_t lane = 0; lane < 4; ++lane)
            sums[lane] += term(static_cast<double>(x[i + lane]));
    for (; i < x.size(); ++i)
        sums[0] += term(static_cast<double>(x[i]));
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

} // namespace

void rmsNorm(std::span<const float> x, std::span<const float> weight, double epsilon,
             std::span<float> out)
{
    assert(x.size() == weight.size() && x.size() == out.size());
    const double squares = sum(x, [](double value) { return value * value; });
    const double scale = 1.0 / std::sqrt(squares / static_cast<double>(x.size()) + epsilon);
    map(out) = map(x) * static_cast<float>(scale) * map(weight);
}

void layerNorm(std::span<const float> x, std::span<const float> weight, std::span<const float> bias,
               double epsilon, std::span<float> out)
{
    assert(x.size() == weight.size() && x.size() == out.size());
    assert(bias.empty() || bias.size() == x.size());
    const double size = static_cast<double>(x.size());
    const double mean = sum(x, [](double value) { return value; }) / size;
    const double variance =
        sum(x, [mean](double value) { return (value - mean) * (value - mean); }) / size;
    const double scale = 1.0 / std::sqrt(variance + epsilon);
    map(out) = (map(x) - static_cast<float>(mean)) * static_cast<float>(scale) * map(weight);
    if (!bias.empty())
        map(out) += map(bias);
}

void add(std::span<float> x, std::span<const float> y)
{
    assert(x.size() == y.size());
    map(x) += map(y);
}

void multiplyInPlace(std::span<float> x, std::span<const float> y)
{
    assert(x.size() == y.size());
    map(x) *= map(y);
}

void scale(std::span<float> x, float factor)
{
    map(x) *= factor;
}

// erfc rather than 1 + erf, which would cancel for x far below 0.
void geluErf(std::span<float> x)
{
    constexpr float rootOfHalf = 0.70710678118654752F;
    for (float& value : x)
        value *= 0.5F * std::erfc(-value * rootOfHalf);
}

RopeAngles ropeAngles(std::span<const double> frequencies, std::int64_t position, double length)
{
    RopeAngles angles;
    for (const double frequency : frequencies) {
        const double angle = static_cast<double>(position) * frequency;
        angles.cosine.push_back(static_cast<float>(length * std::cos(angle)));
        angles.sine.push_back(static_cast<float>(length * std::sin(angle)));
    }
    return angles;
}

void rope(std::span<float> head, const RopeAngles& angles, RopePairs pairs)
{
    const std::size_t count = angles.cosine.size();
    assert(2 * count <= head.size());
    const std::size_t step = pairs == RopePairs::Adjacent ? 2 : 1;
    const std::size_t distance = pairs == RopePairs::Adjacent ? 1 : count;
    for (std::size_t i = 0; i < count; ++i) {
        const float a = head[i * step];
        const float b = head[i * step + distance];
        head[i * step] = a * angles.cosine[i] - b * angles.sine[i];
        head[i * step + distance] = a * angles.sine[i] + b * angles.cosine[i];
    }
}

} // namespace engine
