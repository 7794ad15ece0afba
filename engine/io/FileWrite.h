#pragma once

#include "engine/api/Error.h"

#include <filesystem>
#include <string_view>

namespace engine {

/// Writes a file so that it is there whole or as it was before: writes beside it, syncs, renames.
/// Keeps the permissions of a file that is there, follows a symbolic link, and writes straight to
/// what is no ordinary file. Thread: any; of several writers of one file the last one wins.
/// Errors: FileWriteFailed.
Result<Done> writeWhole(const std::filesystem::path& path, std::string_view text);

/// Whether writeWhole could write there now; for what is to be known before a long run. Leaves the
/// file that is there, or is not, as it is. Errors: FileWriteFailed.
Result<Done> checkWritable(const std::filesystem::path& path);

} // namespace engine
