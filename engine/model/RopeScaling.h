#pragma once

#include <vector>

namespace engine {

/// How a model's rotary frequencies were changed after training, to reach further.
struct RopeScaling
{
    enum class Kind
    {
        None,
        Linear,   ///< all frequencies divided by `factor`
        Llama3,   ///< low frequencies divided, high ones kept, a blend between
        Yarn,     ///< the same with other bounds, and longer vectors
        LongRope, ///< each frequency divided by a factor of its own
    };

    Kind kind = Kind::None;
    double factor = 1;
    double originalContext = 8192; ///< tokens; of the training before
    // Llama3 only: wavelengths above originalContext / lowFrequencyFactor are scaled in full, those
    // below originalContext / highFrequencyFactor not at all.
    double lowFrequencyFactor = 1;
    double highFrequencyFactor = 4;
    // Yarn only: pairs that turn more than betaFast times in the original context are kept, those
    // that turn less than betaSlow times scaled in full.
    double betaFast = 32;
    double betaSlow = 1;
    bool wholePairs = true; ///< the bounds between them are rounded to whole pairs
    // LongRope only: one for each pair, for contexts up to the original and for longer ones.
    std::vector<double> shortFactors;
    std::vector<double> longFactors;
    double attentionFactor = 1; ///< of any kind: q and k are this much longer
};

/// How one kind of layers turns q and k.
struct Rope
{
    std::vector<double> frequencies; ///< radians for each position, one for each pair of a head
    /// Those of all positions once the context is longer than `shortContext`; empty: the same.
    std::vector<double> longFrequencies;
    double attentionFactor = 1; ///< what is turned becomes this much longer

    const std::vector<double>& of(bool longContext) const
    {
        return longContext && !longFrequencies.empty() ? longFrequencies : frequencies;
    }
};

/// theta^(-2i / rotaryDim) for pair i, scaled; rotaryDim / 2 of them.
/// Source: Su et al. 2021 (arXiv:2104.09864), section 3.2.2; Chen et al. 2023 (arXiv:2306.15595)
/// for linear scaling; the Llama 3.1 model card for its own; Peng et al. 2023 (arXiv:2309.00071)
/// for YaRN; Ding et al. 2024 (arXiv:2402.13753) for LongRoPE.
Rope makeRope(double theta, int rotaryDim, const RopeScaling& scaling);

} // namespace engine
