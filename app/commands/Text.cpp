#include "app/commands/Command.h"
#include "engine/tokenizer/Utf8.h"

#include <algorithm>

namespace app {

namespace {

std::string escaped(unsigned char byte)
{
    static constexpr std::string_view digits = "0123456789abcdef";
    return std::string("\\x") + digits[byte >> 4] + digits[byte & 15];
}

} // namespace

std::string printable(std::string_view bytes)
{
    std::string out;
    for (std::size_t at = 0; at < bytes.size();) {
        const auto byte = static_cast<unsigned char>(bytes[at]);
        const std::size_t length = engine::characterAt(bytes, at).size;
        // C1 control characters (U+0080 to U+009F) are two bytes, the first of them C2.
        const bool isControl =
            byte < 0x20 || byte == 0x7F ||
            (byte == 0xC2 && length == 2 && static_cast<unsigned char>(bytes[at + 1]) < 0xA0);
        if (byte == '\n')
            out += "\\n";
        else if (byte == '\t')
            out += "\\t";
        else if (byte == '\r')
            out += "\\r";
        else if (length == 0 || isControl)
            for (std::size_t i = 0; i < std::max<std::size_t>(length, 1); ++i)
                out += escaped(static_cast<unsigned char>(bytes[at + i]));
        else
            out += bytes.substr(at, length);
        at += std::max<std::size_t>(length, 1);
    }
    return out;
}

std::string hexBytes(std::string_view bytes)
{
    static constexpr std::string_view digits = "0123456789abcdef";
    std::string out;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        out += digits[byte >> 4];
        out += digits[byte & 15];
    }
    return out;
}

} // namespace app
