#pragma once

#include "engine/api/Error.h"

#include <cstddef>
#include <filesystem>
#include <span>

namespace engine {

/// A whole file, memory-mapped read-only; the bytes live as long as this object and stay at the
/// same address when it is moved. Thread: const, may be read from any number of threads.
class MappedFile
{
public:
    /// Errors: FileNotFound, FileUnreadable (also for a folder). An empty file gives an empty span.
    static Result<MappedFile> open(const std::filesystem::path& path);

    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile();

    std::span<const std::byte> bytes() const { return m_bytes; }

private:
    explicit MappedFile(std::span<const std::byte> bytes) : m_bytes(bytes) {}

    std::span<const std::byte> m_bytes;
};

} // namespace engine
