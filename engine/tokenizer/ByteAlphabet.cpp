#include "engine/tokenizer/ByteAlphabet.h"

#include "engine/tokenizer/Utf8.h"

#include <array>

namespace engine {

namespace {

constexpr char32_t kFirstStandIn = 0x100;
constexpr std::size_t kStandIns = 68;

constexpr bool isPrintable(unsigned byte)
{
    return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

struct Alphabet
{
    std::array<std::string, 256> characters;
    std::array<unsigned char, kStandIns> standIns{};

    Alphabet()
    {
        std::size_t used = 0;
        for (unsigned byte = 0; byte < 256; ++byte) {
            char32_t codepoint = byte;
            if (!isPrintable(byte)) {
                standIns[used] = static_cast<unsigned char>(byte);
                codepoint = kFirstStandIn + static_cast<char32_t>(used++);
            }
            appendUtf8(characters[byte], codepoint);
        }
    }
};

const Alphabet& alphabet()
{
    static const Alphabet table;
    return table;
}

} // namespace

std::string_view byteCharacter(unsigned char byte)
{
    return alphabet().characters[byte];
}

void writeInByteAlphabet(std::string_view bytes, std::string& written)
{
    const Alphabet& table = alphabet();
    written.clear();
    for (const char byte : bytes)
        written.append(table.characters[static_cast<unsigned char>(byte)]);
}

std::optional<std::string> readByteAlphabet(std::string_view written)
{
    const Alphabet& table = alphabet();
    std::string bytes;
    bytes.reserve(written.size());
    for (std::size_t offset = 0; offset < written.size();) {
        const Utf8Character character = characterAt(written, offset);
        if (character.size == 0)
            return std::nullopt;
        const char32_t codepoint = character.codepoint;
        if (codepoint < kFirstStandIn && isPrintable(static_cast<unsigned>(codepoint)))
            bytes.push_back(static_cast<char>(codepoint));
        else if (codepoint >= kFirstStandIn && codepoint < kFirstStandIn + kStandIns)
            bytes.push_back(static_cast<char>(table.standIns[codepoint - kFirstStandIn]));
        else
            return std::nullopt;
        offset += character.size;
    }
    return bytes;
}

} // namespace engine
