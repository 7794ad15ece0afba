#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace engine {

/// The fields of one message in Protocol Buffers' wire format, in the order of the file. Takes any
/// bytes: what is cut short or of an unknown form makes the reader bad for good.
/// Source: protobuf.dev, "Encoding".
class ProtobufReader
{
public:
    struct Field
    {
        std::uint32_t number = 0;
        std::uint64_t value = 0; ///< of a varint or of 4 or 8 bytes, as its bits
        std::string_view bytes;  ///< of text, bytes or a message inside
        bool isBytes = false;

        float asFloat() const;
        bool asBool() const { return value != 0; }
    };

    explicit ProtobufReader(std::string_view message) : m_rest(message) {}

    /// The next field; nothing at the end, and where the message is damaged.
    std::optional<Field> next();

    bool ok() const { return m_ok; }

private:
    std::uint64_t varint();
    std::uint64_t fixed(std::size_t size);

    std::string_view m_rest;
    bool m_ok = true;
};

} // namespace engine
