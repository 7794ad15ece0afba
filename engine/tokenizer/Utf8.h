#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace engine {

/// A part of a text, in bytes, end exclusive.
struct ByteRange
{
    std::size_t begin = 0;
    std::size_t end = 0;

    std::size_t size() const { return end - begin; }
    bool empty() const { return begin == end; }
    std::string_view of(std::string_view text) const { return text.substr(begin, end - begin); }

    bool operator==(const ByteRange&) const = default;
};

/// One character read from UTF-8; `size` is 0 where the bytes make none.
struct Utf8Character
{
    char32_t codepoint = 0;
    std::size_t size = 0;
};

/// Reads the character at `offset`, which is inside `text`. Overlong forms, surrogates and values
/// above U+10FFFF make no character. Source: the Unicode Standard, table 3-7.
Utf8Character characterAt(std::string_view text, std::size_t offset);

/// The length of the character at `offset` in text known to be valid.
std::size_t characterSize(std::string_view text, std::size_t offset);

/// The offset of the first byte that is not UTF-8.
std::optional<std::size_t> firstInvalidByte(std::string_view text);

void appendUtf8(std::string& text, char32_t codepoint);

/// The White_Space property of the Unicode Character Database.
bool isWhiteSpace(char32_t codepoint);

/// Bytes that come in pieces, to text: a character is held back until it is whole; bytes that can
/// never make one become U+FFFD, one for each maximal subpart.
/// Source: the Unicode Standard, section 3.9 "U+FFFD Substitution of Maximal Subparts", as in the
/// WHATWG Encoding Standard's UTF-8 decoder.
class Utf8Stream
{
public:
    /// The text that became whole.
    std::string append(std::string_view bytes);
    /// Ends the stream: an unfinished character becomes U+FFFD.
    std::string flush();
    /// The bytes held back, at most three.
    const std::string& pending() const { return m_pending; }

private:
    std::string m_pending;
};

/// A whole text with U+FFFD where bytes make no character.
std::string toValidUtf8(std::string_view bytes);

} // namespace engine
