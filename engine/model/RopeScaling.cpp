#include "engine/model/RopeScaling.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace engine {

namespace {

double llama3Frequency(double frequency, const RopeScaling& scaling)
{
    const double wavelength = 2 * std::numbers::pi / frequency;
    const double turns = scaling.originalContext / wavelength; // in the context of training
    if (turns > scaling.highFrequencyFactor)
        return frequency;
    if (turns < scaling.lowFrequencyFactor)
        return frequency / scaling.factor;
    const double smooth = (turns - scaling.lowFrequencyFactor) /
                          (scaling.highFrequencyFactor - scaling.lowFrequencyFactor);
    return (1 - smooth) * frequency / scaling.factor + smooth * frequency;
}

/// The pair, as a real number, that turns `turns` times in the original context.
double yarnPair(double turns, double theta, int rotaryDim, const RopeScaling& scaling)
{
    return rotaryDim * std::log(scaling.originalContext / (turns * 2 * std::numbers::pi)) /
           (2 * std::log(theta));
}

std::vector<double> yarnFrequencies(const std::vector<double>& plain, double theta, int rotaryDim,
                                    const RopeScaling& scaling)
{
    double first = yarnPair(scaling.betaFast, theta, rotaryDim, scaling);
    double last = yarnPair(scaling.betaSlow, theta, rotaryDim, scaling);
    if (scaling.wholePairs) {
        first = std::floor(first);
        last = std::ceil(last);
    }
    first = std::max(first, 0.0);
    last = std::min(last, rotaryDim - 1.0);
    const double width = std::max(last - first, 0.001); // no division by zero
    std::vector<double> frequencies;
    for (std::size_t i = 0; i < plain.size(); ++i) {
        const double scaled = std::clamp((static_cast<double>(i) - first) / width, 0.0, 1.0);
        frequencies.push_back(scaled * plain[i] / scaling.factor + (1 - scaled) * plain[i]);
    }
    return frequencies;
}

std::vector<double> divided(std::vector<double> frequencies, const std::vector<double>& factors)
{
    assert(factors.size() == frequencies.size());
    for (std::size_t i = 0; i < frequencies.size(); ++i)
        frequencies[i] /= factors[i];
    return frequencies;
}

} // namespace

Rope makeRope(double theta, int rotaryDim, const RopeScaling& scaling)
{
    Rope rope;
    rope.attentionFactor = scaling.attentionFactor;
    std::vector<double>& frequencies = rope.frequencies;
    for (int i = 0; i < rotaryDim; i += 2)
        frequencies.push_back(std::pow(theta, -static_cast<double>(i) / rotaryDim));
    switch (scaling.kind) {
    case RopeScaling::Kind::None:
        break;
    case RopeScaling::Kind::Linear:
        for (double& frequency : frequencies)
            frequency /= scaling.factor;
        break;
    case RopeScaling::Kind::Llama3:
        for (double& frequency : frequencies)
            frequency = llama3Frequency(frequency, scaling);
        break;
    case RopeScaling::Kind::Yarn:
        frequencies = yarnFrequencies(frequencies, theta, rotaryDim, scaling);
        break;
    case RopeScaling::Kind::LongRope:
        rope.longFrequencies = divided(frequencies, scaling.longFactors);
        frequencies = divided(frequencies, scaling.shortFactors);
        break;
    }
    return rope;
}

} // namespace engine
