#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace engine {

static_assert(std::endian::native == std::endian::little,
              "files are read in the machine's own order");

/// A little-endian cursor over bytes it does not own. A read past the end gives zero and turns the
/// reader bad for good, so that a parser checks `ok()` once for each section, not for each field.
class ByteReader
{
public:
    explicit ByteReader(std::span<const std::byte> bytes) : m_bytes(bytes) {}

    bool ok() const { return m_ok; }
    std::size_t position() const { return m_position; }
    std::size_t remaining() const { return m_ok ? m_bytes.size() - m_position : 0; }

    template <typename T>
    requires std::integral<T> || std::floating_point<T> T read()
    {
        T value{};
        if (const std::span<const std::byte> bytes = take(sizeof(T)); !bytes.empty())
            std::memcpy(&value, bytes.data(), sizeof(T));
        return value;
    }

    /// The next `count` bytes; empty, and bad from then on, where fewer are left.
    std::span<const std::byte> take(std::uint64_t count)
    {
        if (count > remaining()) {
            m_ok = false;
            return {};
        }
        const std::span<const std::byte> result =
            m_bytes.subspan(m_position, static_cast<std::size_t>(count));
        m_position += static_cast<std::size_t>(count);
        return result;
    }

    /// As take, as characters.
    std::string_view text(std::uint64_t count)
    {
        const std::span<const std::byte> bytes = take(count);
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }

private:
    std::span<const std::byte> m_bytes;
    std::size_t m_position = 0;
    bool m_ok = true;
};

} // namespace engine
