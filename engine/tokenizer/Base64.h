#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace engine {

/// The bytes behind base64 text with or without padding; nothing where a character is not of the
/// alphabet or the length cannot be. Source: RFC 4648, section 4.
std::optional<std::string> fromBase64(std::string_view text);

} // namespace engine
