#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace engine {

// Byte-level BPE writes each byte as one printable character, so that its vocabulary is plain text:
// the bytes 21-7E, A1-AC and AE-FF (hex) as the characters of the same number, the other 68 as
// U+0100, U+0101, ... in order. A space is U+0120. Source: Radford et al. 2019 (GPT-2).

/// Any bytes, written in the alphabet. `written` is replaced, so that its memory can be used again.
void writeInByteAlphabet(std::string_view bytes, std::string& written);

/// The character that stands for `byte`, as UTF-8.
std::string_view byteCharacter(unsigned char byte);

/// The bytes of a piece; nothing where a character of it is not of the alphabet.
std::optional<std::string> readByteAlphabet(std::string_view written);

} // namespace engine
