#pragma once

#include "engine/model/ConfigFields.h"
#include "engine/model/RopeScaling.h"

namespace engine {

struct ConfigNames;

/// What a file says of the turning of heads.
struct RopeConfig
{
    double theta = 10000;
    double windowedTheta = 10000; ///< of WindowedRope::OwnBase
    bool windowedGiven = false;   ///< the file has settings of each kind of layer
    int rotaryDim = 0;            ///< numbers of a head that turn, from its first on
    RopeScaling scaling;          ///< not of windowed layers with a rope of their own
};

/// Reads it from either format; faults are kept in `fields`: UnsupportedFeature names a kind of
/// scaling, or a number of one, that is not known. `headDim` and `contextLength` are the model's.
RopeConfig readRopeConfig(ConfigFields& fields, const ConfigNames& names, int headDim,
                          int contextLength);

/// Divides the frequencies by the factors of tensor rope_freqs, by which llama's GGUF files carry
/// Llama 3's scaling. Nothing without such a tensor.
void applyRopeFactors(ConfigFields& fields, std::vector<double>& frequencies);

} // namespace engine
