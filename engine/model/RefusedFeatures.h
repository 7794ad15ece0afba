#pragma once

#include "engine/model/ConfigFields.h"

namespace engine {

struct ModelConfig;

/// Keeps a fault for every field that says the numbers come about in another way than this engine
/// computes them: passing over it would give wrong logits in silence. In GGUF files that is every
/// hyperparameter nobody asked for and that is not known to be harmless; to be called last, then.
/// config.json has fields of all sorts, so that those are looked for which are known to matter.
void refuseUnsupported(ConfigFields& fields, const ModelConfig& config);

} // namespace engine
