#include "engine/tokenizer/CharacterMap.h"

#include "engine/io/Sha256.h"
#include "engine/tokenizer/Utf8.h"

#include <utf8proc.h>

#include <algorithm>

namespace engine {

namespace {

// The fields of a unit of the array.
constexpr std::uint32_t label(std::uint32_t unit)
{
    return unit & (1u << 31 | 0xFFu);
}
constexpr bool hasValue(std::uint32_t unit)
{
    return (unit >> 8 & 1u) != 0;
}
constexpr std::uint32_t offsetOf(std::uint32_t unit)
{
    return (unit >> 10) << ((unit & 1u << 9) >> 6);
}

std::uint32_t littleEndian(std::string_view bytes)
{
    std::uint32_t value = 0;
    for (unsigned i = 0; i < 4; ++i)
        value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
    return value;
}

/// The grapheme cluster that begins at `offset`. Source: Unicode Standard Annex #29, by utf8proc.
std::string_view graphemeAt(std::string_view text, std::size_t offset)
{
    utf8proc_int32_t state = 0;
    Utf8Character character = characterAt(text, offset);
    std::size_t end = offset + character.size;
    while (end < text.size()) {
        const Utf8Character next = characterAt(text, end);
        if (utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(character.codepoint),
                                             static_cast<utf8proc_int32_t>(next.codepoint), &state))
            break;
        character = next;
        end += next.size;
    }
    return text.substr(offset, end - offset);
}

} // namespace

Result<CharacterMap> CharacterMap::read(std::string_view bytes, const std::string& where)
{
    const auto bad = [&](const std::string& message) {
        return Error{ErrorCode::BadFormat, where + ": the character map " + message};
    };
    if (bytes.size() < 4)
        return bad("is cut short");
    const std::uint32_t size = littleEndian(bytes);
    if (size % 4 != 0 || size == 0 || size > bytes.size() - 4)
        return bad("has a table of " + std::to_string(size) + " bytes, but " +
                   std::to_string(bytes.size() - 4) + " follow");
    auto data = std::make_shared<Data>();
    data->units.reserve(size / 4);
    for (std::size_t at = 4; at < 4 + std::size_t{size}; at += 4)
        data->units.push_back(littleEndian(bytes.substr(at, 4)));
    data->replacements = bytes.substr(4 + std::size_t{size});
    if (firstInvalidByte(data->replacements))
        return bad("has replacements that are not UTF-8");
    data->where = where;
    data->sha256 = Sha256::of(bytes);
    CharacterMap map;
    map.m_data = std::move(data);
    return map;
}

CharacterMap::Match CharacterMap::match(std::string_view text, bool longest) const
{
    const std::vector<std::uint32_t>& units = m_data->units;
    // Far more than any entry is long: a damaged table must not lead around in circles.
    text = text.substr(0, 1024);
    Match found;
    std::size_t node = offsetOf(units[0]);
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte == 0)
            break;
        node ^= byte;
        if (node >= units.size() || label(units[node]) != byte)
            break;
        const std::uint32_t unit = units[node];
        node ^= offsetOf(unit);
        if (!hasValue(unit))
            continue;
        // A value outside the table is found to be damaged where it is used.
        found = {i + 1, node < units.size() ? units[node] & ~(1u << 31) : ~0u};
        if (!longest)
            break;
    }
    return found;
}

bool CharacterMap::appendReplacement(std::uint32_t value, std::string& text) const
{
    const std::string& all = m_data->replacements;
    if (value >= all.size() || (static_cast<unsigned char>(all[value]) & 0xC0) == 0x80)
        return false;
    const std::size_t end = all.find('\0', value);
    text.append(all, value, end == std::string::npos ? end : end - value);
    return true;
}

Error CharacterMap::damaged() const
{
    return {ErrorCode::BadFormat,
            m_data->where + ": the character map points outside its replacements"};
}

Result<std::string> CharacterMap::applyToLongest(std::string_view text, const PieceTrie& kept) const
{
    std::string result;
    result.reserve(text.size());
    for (std::size_t offset = 0; offset < text.size();) {
        std::size_t keptSize = 0;
        kept.forEachPrefix(text.substr(offset),
                           [&](std::size_t size, TokenId) { keptSize = size; });
        const Match found = keptSize > 0 ? Match{} : match(text.substr(offset), true);
        // Cut inside a character, the rest would be no text.
        const bool isWhole = offset + found.size == text.size() ||
                             (static_cast<unsigned char>(text[offset + found.size]) & 0xC0) != 0x80;
        if (found.size == 0 || !isWhole) {
            const std::size_t size = std::max(keptSize, characterSize(text, offset));
            result.append(text.substr(offset, size));
            offset += size;
            continue;
        }
        if (!appendReplacement(found.value, result))
            return damaged();
        offset += found.size;
    }
    return result;
}

Result<std::string> CharacterMap::applyToGraphemes(std::string_view text) const
{
    constexpr std::size_t kLargest = 6;
    std::string result;
    result.reserve(text.size());
    for (std::size_t offset = 0; offset < text.size();) {
        const std::string_view grapheme = graphemeAt(text, offset);
        offset += grapheme.size();
        const auto replaced = [&](std::string_view part) -> Result<bool> {
            const Match found = match(part, false);
            if (found.size == 0)
                return false;
            if (!appendReplacement(found.value, result))
                return damaged();
            return true;
        };
        if (grapheme.size() < kLargest) {
            const Result<bool> whole = replaced(grapheme);
            if (!whole)
                return whole.error();
            if (*whole)
                continue;
        }
        for (std::size_t at = 0; at < grapheme.size();) {
            const std::string_view character = grapheme.substr(at, characterSize(grapheme, at));
            at += character.size();
            const Result<bool> one = replaced(character);
            if (!one)
                return one.error();
            if (!*one)
                result.append(character);
        }
    }
    return result;
}

} // namespace engine
