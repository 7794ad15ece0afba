#pragma once

#include <filesystem>

namespace app {

/// A folder or file of the program's data, by its name below share/tokenscope ("model").
/// Looked for beside the program (build tree and installed prefix have the same shape: bin/ next to
/// share/), then in the data folders of the desktop (XDG_DATA_HOME, XDG_DATA_DIRS). Where none has
/// it, the first place is returned, so that the error names it.
std::filesystem::path resourcePath(const std::filesystem::path& name);

/// The model that opens when none is named; the environment variable TOKENSCOPE_MODEL overrides it.
std::filesystem::path defaultModelPath();

/// Where to keep what can be made again: "tokenscope" below XDG_CACHE_HOME or ~/.cache. Empty where
/// there is no such place.
std::filesystem::path cacheFolder();

} // namespace app
