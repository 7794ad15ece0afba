#include "engine/tokenizer/Utf8.h"

namespace engine {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// What a lead byte announces: the length of its character and the range its second byte must be
/// in (which keeps out overlong forms, surrogates and what is above U+10FFFF). Length 0: no lead.
struct LeadByte
{
    std::size_t size = 0;
    unsigned char secondLow = 0x80;
    unsigned char secondHigh = 0xBF;
};

LeadByte leadByte(unsigned char byte)
{
    if (byte < 0x80)
        return {.size = 1};
    if (byte < 0xC2)
        return {};
    if (byte < 0xE0)
        return {.size = 2};
    if (byte < 0xF0)
        return {.size = 3,
                .secondLow = static_cast<unsigned char>(byte == 0xE0 ? 0xA0 : 0x80),
                .secondHigh = static_cast<unsigned char>(byte == 0xED ? 0x9F : 0xBF)};
    if (byte < 0xF5)
        return {.size = 4,
                .secondLow = static_cast<unsigned char>(byte == 0xF0 ? 0x90 : 0x80),
                .secondHigh = static_cast<unsigned char>(byte == 0xF4 ? 0x8F : 0xBF)};
    return {};
}

/// How far the bytes at `offset` follow a well-formed character.
struct Prefix
{
    std::size_t good = 0; ///< bytes that fit, at least 1: a maximal subpart where not whole
    bool whole = false;
    bool cut = false; ///< all bytes there fit, but the text ends before the character does
};

Prefix wellFormedPrefix(std::string_view text, std::size_t offset)
{
    const LeadByte lead = leadByte(static_cast<unsigned char>(text[offset]));
    if (lead.size == 0)
        return {.good = 1};
    std::size_t good = 1;
    while (good < lead.size && offset + good < text.size()) {
        const auto byte = static_cast<unsigned char>(text[offset + good]);
        const unsigned char low = good == 1 ? lead.secondLow : 0x80;
        const unsigned char high = good == 1 ? lead.secondHigh : 0xBF;
        if (byte < low || byte > high)
            return {.good = good};
        ++good;
    }
    const bool whole = good == lead.size;
    return {.good = good, .whole = whole, .cut = !whole};
}

} // namespace

Utf8Character characterAt(std::string_view text, std::size_t offset)
{
    const Prefix prefix = wellFormedPrefix(text, offset);
    if (!prefix.whole)
        return {};
    constexpr unsigned char leadMask[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    char32_t codepoint = static_cast<unsigned char>(text[offset]) & leadMask[prefix.good];
    for (std::size_t i = 1; i < prefix.good; ++i)
        codepoint = (codepoint << 6) | (static_cast<unsigned char>(text[offset + i]) & 0x3Fu);
    return {codepoint, prefix.good};
}

std::size_t characterSize(std::string_view text, std::size_t offset)
{
    const std::size_t size = leadByte(static_cast<unsigned char>(text[offset])).size;
    return size == 0 ? 1 : size;
}

std::optional<std::size_t> firstInvalidByte(std::string_view text)
{
    std::size_t offset = 0;
    while (offset < text.size()) {
        if (static_cast<unsigned char>(text[offset]) < 0x80) {
            ++offset;
            continue;
        }
        const Prefix prefix = wellFormedPrefix(text, offset);
        if (!prefix.whole)
            return offset;
        offset += prefix.good;
    }
    return std::nullopt;
}

void appendUtf8(std::string& text, char32_t codepoint)
{
    const auto put = [&text](char32_t byte) { text.push_back(static_cast<char>(byte)); };
    if (codepoint < 0x80) {
        put(codepoint);
    } else if (codepoint < 0x800) {
        put(0xC0 | (codepoint >> 6));
        put(0x80 | (codepoint & 0x3F));
    } else if (codepoint < 0x10000) {
        put(0xE0 | (codepoint >> 12));
        put(0x80 | ((codepoint >> 6) & 0x3F));
        put(0x80 | (codepoint & 0x3F));
    } else {
        put(0xF0 | (codepoint >> 18));
        put(0x80 | ((codepoint >> 12) & 0x3F));
        put(0x80 | ((codepoint >> 6) & 0x3F));
        put(0x80 | (codepoint & 0x3F));
    }
}

bool isWhiteSpace(char32_t codepoint)
{
    return (codepoint >= 0x09 && codepoint <= 0x0D) || codepoint == 0x20 || codepoint == 0x85 ||
           codepoint == 0xA0 || codepoint == 0x1680 ||
           (codepoint >= 0x2000 && codepoint <= 0x200A) || codepoint == 0x2028 ||
           codepoint == 0x2029 || codepoint == 0x202F || codepoint == 0x205F || codepoint == 0x3000;
}

std::string Utf8Stream::append(std::string_view bytes)
{
    std::string joined = std::move(m_pending);
    joined.append(bytes);
    m_pending.clear();

    std::string text;
    text.reserve(joined.size());
    std::size_t offset = 0;
    while (offset < joined.size()) {
        const Prefix prefix = wellFormedPrefix(joined, offset);
        if (prefix.cut) {
            m_pending = joined.substr(offset);
            break;
        }
        text.append(prefix.whole ? std::string_view(joined).substr(offset, prefix.good)
                                 : kReplacement);
        offset += prefix.good;
    }
    return text;
}

std::string Utf8Stream::flush()
{
    const bool unfinished = !m_pending.empty();
    m_pending.clear();
    return unfinished ? std::string(kReplacement) : std::string();
}

std::string toValidUtf8(std::string_view bytes)
{
    Utf8Stream stream;
    std::string text = stream.append(bytes);
    return text + stream.flush();
}

} // namespace engine
