#pragma once

#include <vector>

namespace engine {

/// How a model's rotary frequencies were changed after training, to reach further.
struct RopeScaling
{
    enum class Kind
    {
        None,
        Linear, ///< all frequencies divided by `factor`
        Llama3, ///< low frequencies divided, high ones kept, a blend between
    };

    Kind kind = Kind::None;
    double factor = 1;
    // Llama3 only: wavelengths above originalContext / lowFrequencyFactor are scaled in full, those
    // below originalContext / highFrequencyFactor not at all.
    double lowFrequencyFactor = 1;
    double highFrequencyFactor = 4;
    double originalContext = 8192;
};

/// theta^(-2i / rotaryDim) for pair i, scaled; rotaryDim / 2 numbers, in radians for each position.
/// Source: Su et al. 2021 (arXiv:2104.09864), section 3.2.2; Chen et al. 2023 (arXiv:2306.15595)
/// for linear scaling; the Llama 3.1 model card for its own.
std::vector<double> ropeFrequencies(double theta, int rotaryDim, const RopeScaling& scaling);

} // namespace engine
