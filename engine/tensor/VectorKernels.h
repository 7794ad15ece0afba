#pragma once

#include <cstdint>
#include <span>

namespace engine {

// Loops over many numbers that need more than the compiler finds by itself. As everywhere in the
// engine, the order of every sum is fixed: it depends on its length and the instruction set only.
// NaN in gives NaN out.

/// p_i = exp(x_i - max x) / sum_j exp(x_j - max x), in place. In single precision: for attention;
/// the softmax of the logits is decoding's.
void softmaxInPlace(std::span<float> x);

/// gate = silu(gate) * up with silu(x) = x / (1 + exp(-x)).
/// Source: SwiGLU, Shazeer 2020 (arXiv:2002.05202).
void siluMultiply(std::span<float> gate, std::span<const float> up);

/// x = 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))), the form GPT-2 uses ("gelu_new").
/// Source: Hendrycks and Gimpel 2016 (arXiv:1606.08415).
void geluTanh(std::span<float> x);

/// x = cap tanh(x / cap): numbers far below the cap stay nearly as they are, none goes beyond it.
/// Source: Gemma 2 (arXiv:2408.00118), section 2.
void softCap(std::span<float> x, float cap);

/// Rows of a cache: `count` vectors, `stride` numbers apart.
struct VectorRows
{
    const float* first = nullptr;
    std::int64_t stride = 0;
    std::int64_t count = 0;
};

/// scores_j = scale * (q . key_j), one for each row of `keys`.
void scoreKeys(std::span<const float> q, const VectorRows& keys, float scale, float* scores);

/// out += sum_j weights_j value_j, j in order.
void addWeighted(const float* weights, const VectorRows& values, std::span<float> out);

} // namespace engine
