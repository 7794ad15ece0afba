#pragma once

#include <span>
#include <string>
#include <string_view>

namespace engine {

/// The 256 words that stand for the values of a byte, in order.
std::span<const std::string_view> fingerprintWords();

/// The first four bytes of a digest in hexadecimal digits, as four words to be read aloud: exactly
/// as telling as its first eight digits, and easier to hear right.
std::string spokenWords(std::string_view sha256);

} // namespace engine
