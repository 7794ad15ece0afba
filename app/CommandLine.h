#pragma once

#include "engine/api/RunConfig.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace app {

/// What the words after the program's name ask the window for.
struct WindowOptions
{
    std::vector<std::string> files;
    std::optional<std::string> prompt;
    engine::SamplingConfig sampling;
    std::optional<int> maxNewTokens;
    int steps = 0;          ///< steps made at once after opening
    std::string theme;      ///< "light", "dark", or empty for what was used last
    std::string screenshot; ///< save a picture here and leave
    int width = 0;          ///< 0: as it was last
    int height = 0;
};

/// Reads the words of the call and either runs the command they name, without a display, or fills
/// `window`. Returns the exit status when all is done, nothing when the window is to open.
std::optional<int> runCommandLine(int argc, char** argv, WindowOptions& window);

/// Whether a path given to the window is that of a trace: a file, told from a model by its name.
bool isTracePath(const std::filesystem::path& path);

/// "tokenscope x.y.z"
std::string programVersion();

} // namespace app
