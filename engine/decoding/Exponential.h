#pragma once

#include <cstddef>
#include <span>

namespace engine {

// exp for whole vocabularies: several times as quick as calls of std::exp, and the same bits on
// every machine. Within one unit in the last place; 0 where the argument is -708 or less, for which
// the result would be no normal number. Source: exp(x) = 2^n exp(r) with n = round(x / ln 2), and
// the Taylor series of exp(r) to r^13 / 13!, whose rest is below 1e-17 for |r| <= ln(2) / 2. Each
// multiplication and addition is a fused one, by instruction where there is one (every x86 since
// AVX2, every ARM64), else by the mathematics library, which is slow but gives the same.

/// Replaces each x <= 0, which may be -infinity, by exp(x).
void exponentiate(std::span<double> values);

/// What softmax needs to know of its weights w_i = exp((x_i - maximum) / temperature).
struct WeightSums
{
    double total = 0;            ///< sum of w_i, equal to the bit to sum(weights)
    double weightedDistance = 0; ///< sum of w_i (maximum - x_i) / temperature, in the same order
};

/// Fills `weights` from as many logits, none of which is above `maximum`; `temperature` > 0. In
/// one pass over memory.
WeightSums softmaxWeights(std::span<const float> logits, double maximum, double temperature,
                          std::span<double> weights);
WeightSums softmaxWeights(std::span<const double> logits, double maximum, double temperature,
                          std::span<double> weights);

/// Eight interleaved partial sums: always added in the same order, and as vector code.
class LaneSum
{
public:
    static constexpr std::size_t lanes = 8;

    /// Any number of values, but a multiple of `lanes` in all calls but the last.
    [[gnu::always_inline]] void add(const double* values, std::size_t count)
    {
        std::size_t i = 0;
        for (; i + lanes <= count; i += lanes)
            for (std::size_t lane = 0; lane < lanes; ++lane)
                m_parts[lane] += values[i + lane];
        for (; i < count; ++i)
            m_rest += values[i];
    }
    double value() const
    {
        return (((m_parts[0] + m_parts[1]) + (m_parts[2] + m_parts[3])) +
                ((m_parts[4] + m_parts[5]) + (m_parts[6] + m_parts[7]))) +
               m_rest;
    }

private:
    double m_parts[lanes] = {};
    double m_rest = 0;
};

inline double sum(std::span<const double> values)
{
    LaneSum result;
    result.add(values.data(), values.size());
    return result.value();
}

} // namespace engine
