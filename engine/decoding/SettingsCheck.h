#pragma once

#include "engine/api/Error.h"
#include "engine/api/RunConfig.h"

namespace engine {

/// Whether settings are in their ranges (see RunConfig.h). NaN and infinity never are; a stage may
/// stand in the order once at most, and one left out of it is off.
/// Errors: InvalidArgument, naming the option, the values allowed and the value found.
Result<Done> validate(const SamplingConfig& config);
Result<Done> validate(const RunConfig& config);

} // namespace engine
