#include "engine/model/RopeScaling.h"

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

} // namespace

std::vector<double> ropeFrequencies(double theta, int rotaryDim, const RopeScaling& scaling)
{
    std::vector<double> frequencies;
    for (int i = 0; i < rotaryDim; i += 2) {
        const double frequency = std::pow(theta, -static_cast<double>(i) / rotaryDim);
        switch (scaling.kind) {
        case RopeScaling::Kind::None:
            frequencies.push_back(frequency);
            break;
        case RopeScaling::Kind::Linear:
            frequencies.push_back(frequency / scaling.factor);
            break;
        case RopeScaling::Kind::Llama3:
            frequencies.push_back(llama3Frequency(frequency, scaling));
            break;
        }
    }
    return frequencies;
}

} // namespace engine
