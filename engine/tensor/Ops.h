#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace engine {

/// out_i = x_i / sqrt(mean_j x_j^2 + epsilon) * weight_i; out may be x.
/// Source: RMSNorm, Zhang and Sennrich 2019 (arXiv:1910.07467).
void rmsNorm(std::span<const float> x, std::span<const float> weight, double epsilon,
             std::span<float> out);

/// out_i = (x_i - mean x) / sqrt(variance x + epsilon) * weight_i + bias_i; an empty bias is zero.
/// Source: LayerNorm, Ba et al. 2016 (arXiv:1607.06450).
void layerNorm(std::span<const float> x, std::span<const float> weight, std::span<const float> bias,
               double epsilon, std::span<float> out);

/// x += y.
void add(std::span<float> x, std::span<const float> y);

/// x *= y, number by number.
void multiplyInPlace(std::span<float> x, std::span<const float> y);

/// x *= factor.
void scale(std::span<float> x, float factor);

/// x = x / 2 (1 + erf(x / sqrt 2)). Source: Hendrycks and Gimpel 2016 (arXiv:1606.08415).
void geluErf(std::span<float> x);

/// Which two numbers of a head turn together, of the first `n` that turn.
enum class RopePairs
{
    Adjacent, ///< 2i and 2i + 1: llama's GGUF files
    Halves,   ///< i and i + n/2: Hugging Face files, and the GGUF files of other architectures
};

/// The turn of each pair at one position: cosine and sine of position * frequency, and how much
/// longer it becomes.
struct RopeAngles
{
    std::vector<float> cosine;
    std::vector<float> sine;
};

/// `frequencies` in radians for each position, one for each pair; computed in double precision.
/// Cosines and sines are multiplied by `length`.
RopeAngles ropeAngles(std::span<const double> frequencies, std::int64_t position,
                      double length = 1);

/// Turns each pair of one head, in place: (a, b) becomes (a cos - b sin, a sin + b cos). Numbers
/// behind the pairs stay as they are. Source: rotary position embedding, Su et al. 2021
/// (arXiv:2104.09864).
void rope(std::span<float> head, const RopeAngles& angles, RopePairs pairs);

} // namespace engine
