#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tokenizerTesting {

/// A precompiled character map of `rules`, which hold no zero bytes: each node has a block of 256
/// units of its own, which wastes room but never collides.
inline std::string characterMap(const std::map<std::string, std::string>& rules)
{
    std::vector<std::uint32_t> units(512);
    std::map<std::string, std::uint32_t> base;  // of a beginning: where its children are
    std::map<std::string, std::uint32_t> place; // of a beginning: its unit
    const auto setBase = [&](const std::string& beginning) {
        if (base.contains(beginning))
            return;
        const auto block = static_cast<std::uint32_t>(256 * (base.size() + 1));
        base[beginning] = block;
        units.resize(block + 256);
        units[place[beginning]] |= (place[beginning] ^ block) << 10;
    };
    place[""] = 0;
    std::string replacements;
    for (const auto& [from, to] : rules) {
        setBase("");
        for (std::size_t size = 1; size <= from.size(); ++size) {
            const std::string beginning = from.substr(0, size);
            const auto byte = static_cast<unsigned char>(from[size - 1]);
            if (!place.contains(beginning)) {
                place[beginning] = base[from.substr(0, size - 1)] ^ byte;
                units[place[beginning]] |= byte;
            }
            setBase(beginning);
        }
        units[place[from]] |= 1u << 8; // has a value, which its child by byte 0 holds
        units[base[from]] = static_cast<std::uint32_t>(replacements.size()) | 1u << 31;
        replacements += to;
        replacements += '\0';
    }
    std::string bytes;
    const auto put = [&bytes](std::uint32_t value) {
        for (int i = 0; i < 4; ++i)
            bytes += static_cast<char>(value >> (8 * i) & 0xFF);
    };
    put(static_cast<std::uint32_t>(units.size() * 4));
    for (const std::uint32_t unit : units)
        put(unit);
    return bytes + replacements;
}

} // namespace tokenizerTesting
