#pragma once

#include <cstddef>
#include <span>

namespace engine {

/// Replaces each x <= 0, which may be -infinity, by exp(x), within one unit in the last place; 0
/// from -708 down, where the result would be no normal number. For a whole vocabulary this is
/// several times as quick as calls of std::exp, and every machine gets the same bits. Source:
/// exp(x) = 2^n exp(r) with n = round(x / ln 2), and the Taylor series of exp(r) to r^13 / 13!,
/// whose rest is below 1e-17 for |r| <= ln(2) / 2.
void exponentiate(std::span<double> values);

/// The sum of term(0) ... term(count - 1) in eight interleaved partial sums: always in the same
/// order, and as vector code.
template <typename Term>
double sumOf(std::size_t count, const Term& term)
{
    constexpr std::size_t lanes = 8;
    double parts[lanes] = {};
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane)
            parts[lane] += term(i + lane);
    double rest = 0;
    for (; i < count; ++i)
        rest += term(i);
    return (((parts[0] + parts[1]) + (parts[2] + parts[3])) +
            ((parts[4] + parts[5]) + (parts[6] + parts[7]))) +
           rest;
}

inline double sum(std::span<const double> values)
{
    return sumOf(values.size(), [values](std::size_t i) { return values[i]; });
}

} // namespace engine
