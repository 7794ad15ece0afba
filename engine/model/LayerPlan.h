#pragma once

#include "engine/model/ConfigFields.h"

namespace engine {

struct ConfigNames;
struct ModelConfig;
struct RopeConfig;

/// Which layers see a window of the context only, and how each turns its heads: sets `plan`,
/// `ropes` and `shortContext` of `config`, whose other sizes are read. Faults are kept in `fields`.
void planLayers(ConfigFields& fields, const ConfigNames& names, const RopeConfig& rope,
                ModelConfig& config);

} // namespace engine
