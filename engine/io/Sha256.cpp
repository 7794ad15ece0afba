#include "engine/io/Sha256.h"

#include <openssl/evp.h>

#include <array>
#include <new>

namespace engine {

struct Sha256::Impl
{
    EVP_MD_CTX* context = EVP_MD_CTX_new();
    ~Impl() { EVP_MD_CTX_free(context); }
};

Sha256::Sha256() : m_impl(std::make_unique<Impl>())
{
    // libcrypto fails here only when memory runs out.
    if (m_impl->context == nullptr ||
        EVP_DigestInit_ex(m_impl->context, EVP_sha256(), nullptr) != 1)
        throw std::bad_alloc();
}

Sha256::~Sha256() = default;

Sha256& Sha256::add(std::span<const std::byte> bytes)
{
    EVP_DigestUpdate(m_impl->context, bytes.data(), bytes.size());
    return *this;
}

Sha256& Sha256::add(std::string_view bytes)
{
    return add(std::as_bytes(std::span(bytes)));
}

Sha256& Sha256::addField(std::string_view bytes)
{
    return addNumber(bytes.size()).add(bytes);
}

Sha256& Sha256::addNumber(std::uint64_t value)
{
    std::array<std::byte, 8> bytes;
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::byte>((value >> (8 * i)) & 0xFF);
    return add(bytes);
}

std::string Sha256::hex()
{
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
    unsigned int size = 0;
    EVP_DigestFinal_ex(m_impl->context, digest.data(), &size);
    std::string text;
    for (unsigned int i = 0; i < size; ++i) {
        text += "0123456789abcdef"[digest[i] >> 4];
        text += "0123456789abcdef"[digest[i] & 15];
    }
    return text;
}

std::string Sha256::of(std::span<const std::byte> bytes)
{
    return Sha256().add(bytes).hex();
}

std::string Sha256::of(std::string_view bytes)
{
    return Sha256().add(bytes).hex();
}

} // namespace engine
