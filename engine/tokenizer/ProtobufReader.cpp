#include "engine/tokenizer/ProtobufReader.h"

#include <bit>

namespace engine {

float ProtobufReader::Field::asFloat() const
{
    return std::bit_cast<float>(static_cast<std::uint32_t>(value));
}

std::uint64_t ProtobufReader::varint()
{
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (m_rest.empty())
            break;
        const auto byte = static_cast<unsigned char>(m_rest.front());
        m_rest.remove_prefix(1);
        value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
        if ((byte & 0x80) == 0)
            return value;
    }
    m_ok = false;
    return 0;
}

std::uint64_t ProtobufReader::fixed(std::size_t size)
{
    if (m_rest.size() < size) {
        m_ok = false;
        return 0;
    }
    std::uint64_t value = 0; // little-endian
    for (std::size_t i = 0; i < size; ++i)
        value |= static_cast<std::uint64_t>(static_cast<unsigned char>(m_rest[i])) << (8 * i);
    m_rest.remove_prefix(size);
    return value;
}

std::optional<ProtobufReader::Field> ProtobufReader::next()
{
    if (!m_ok || m_rest.empty())
        return std::nullopt;
    const std::uint64_t tag = varint();
    Field field;
    field.number = static_cast<std::uint32_t>(tag >> 3);
    switch (tag & 7) {
    case 0:
        field.value = varint();
        break;
    case 1:
        field.value = fixed(8);
        break;
    case 2: {
        const std::uint64_t size = varint();
        if (size > m_rest.size()) {
            m_ok = false;
            break;
        }
        field.isBytes = true;
        field.bytes = m_rest.substr(0, static_cast<std::size_t>(size));
        m_rest.remove_prefix(field.bytes.size());
        break;
    }
    case 5:
        field.value = fixed(4);
        break;
    default: // groups, which nothing has written for many years
        m_ok = false;
    }
    if (field.number == 0)
        m_ok = false;
    if (!m_ok)
        return std::nullopt;
    return field;
}

} // namespace engine
