#pragma once

#include "engine/api/Error.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace engine {

/// "PATH: MESSAGE" as an Error.
Error fileError(ErrorCode code, const std::filesystem::path& path, std::string_view message);

/// A name out of an untrusted file, fit for a message: control characters and bytes that are not
/// ASCII become '?', and a long one is cut.
std::string printable(std::string_view name);

} // namespace engine
