#pragma once

#include <string>

namespace engine {
class ModelDescription;
}

namespace app {

/// What `inspect` prints: a line for each fact, its name in front.
std::string inspectText(const engine::ModelDescription& model, const std::string& sha256);

/// The same as one JSON object. What a file without a tokenizer cannot tell is null.
std::string inspectJson(const engine::ModelDescription& model, const std::string& sha256);

} // namespace app
