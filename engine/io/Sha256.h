#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace engine {

/// SHA-256 of what is added, as 64 lower-case hex digits. Source: FIPS 180-4, by OpenSSL's
/// libcrypto.
class Sha256
{
public:
    Sha256();
    ~Sha256();
    Sha256(const Sha256&) = delete;
    Sha256& operator=(const Sha256&) = delete;

    Sha256& add(std::span<const std::byte> bytes);
    Sha256& add(std::string_view bytes);
    /// A length-prefixed field, so that ("ab", "c") and ("a", "bc") differ.
    Sha256& addField(std::string_view bytes);
    Sha256& addNumber(std::uint64_t value); ///< as 8 little-endian bytes

    std::string hex(); ///< ends the digest; call once

    static std::string of(std::span<const std::byte> bytes);
    static std::string of(std::string_view bytes);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace engine
