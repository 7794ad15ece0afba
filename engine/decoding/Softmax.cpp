#include "engine/decoding/Softmax.h"

#include "engine/decoding/Exponential.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

namespace engine {

namespace {

Error notFinite(std::span<const float> logits)
{
    const auto bad =
        std::find_if(logits.begin(), logits.end(), [](float x) { return !std::isfinite(x); });
    const std::string found = std::isnan(*bad) ? "NaN" : (*bad > 0 ? "infinity" : "-infinity");
    return {ErrorCode::NotFinite,
            "logits: the score of token " + std::to_string(bad - logits.begin()) +
                ": expected a finite number, found " + found +
                "; the model file may be damaged, or its numbers too large for this computation"};
}

/// False where a logit is NaN or infinite. In lanes, so that it becomes vector code.
bool findRange(std::span<const float> logits, float& least, float& largest)
{
    constexpr std::size_t lanes = 8;
    constexpr std::uint32_t infinityBits = 0x7F800000;
    float low[lanes];
    float high[lanes];
    std::uint32_t magnitude[lanes] = {};
    std::fill_n(low, lanes, logits[0]);
    std::fill_n(high, lanes, logits[0]);
    const auto look = [&](float x, std::size_t lane) {
        low[lane] = x < low[lane] ? x : low[lane];
        high[lane] = x > high[lane] ? x : high[lane];
        const std::uint32_t bits = std::bit_cast<std::uint32_t>(x) & 0x7FFFFFFF;
        magnitude[lane] = bits > magnitude[lane] ? bits : magnitude[lane];
    };
    std::size_t i = 0;
    for (; i + lanes <= logits.size(); i += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane)
            look(logits[i + lane], lane);
    for (; i < logits.size(); ++i)
        look(logits[i], 0);
    least = *std::min_element(low, low + lanes);
    largest = *std::max_element(high, high + lanes);
    return *std::max_element(magnitude, magnitude + lanes) < infinityBits;
}

} // namespace

Result<Distribution> softmax(std::span<const float> logits, std::vector<double> buffer)
{
    if (logits.empty())
        return Error{ErrorCode::InvalidArgument, "logits: expected at least one, found none"};
    Distribution result;
    if (!findRange(logits, result.minLogit, result.maxLogit))
        return notFinite(logits);

    const double maximum = result.maxLogit;
    result.weights = std::move(buffer);
    result.weights.resize(logits.size());
    const WeightSums sums = softmaxWeights(logits, maximum, 1.0, result.weights);
    result.total = sums.total;

    // H = log(total) + sum_i p_i (max - x_i), in nats: no term is negative, so none cancels
    // another.
    const double logTotal = std::log(sums.total);
    result.logSumExp = maximum + logTotal;
    result.entropyBits = (logTotal + sums.weightedDistance / sums.total) / std::numbers::ln2;
    return result;
}

} // namespace engine
