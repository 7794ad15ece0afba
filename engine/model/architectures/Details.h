#pragma once

namespace engine {

class ConfigFields;
struct ModelConfig;

// What only one architecture's files say; see Architecture::readDetails. Each in a file of its own.

void readGptNeoXDetails(ConfigFields& fields, ModelConfig& config);
void readGemma2Details(ConfigFields& fields, ModelConfig& config);
void readGemma3Details(ConfigFields& fields, ModelConfig& config);
void readSmolLm3Details(ConfigFields& fields, ModelConfig& config);

} // namespace engine
