#include "engine/model/ConfigFields.h"
#include "engine/model/ModelConfig.h"
#include "engine/model/architectures/Details.h"

namespace engine {

/// Pythia and GPT-NeoX read the same x in both blocks; some of their kin do not.
void readGptNeoXDetails(ConfigFields& fields, ModelConfig& config)
{
    config.parallelResidual = fields.boolean("use_parallel_residual", true);
}

} // namespace engine
