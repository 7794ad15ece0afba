#include "engine/io/MappedFile.h"

#include "engine/io/FileError.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace engine {

namespace {

Error systemError(const std::filesystem::path& path, const char* action, int number)
{
    const ErrorCode code =
        number == ENOENT || number == ENOTDIR ? ErrorCode::FileNotFound : ErrorCode::FileUnreadable;
    return fileError(code, path, std::string(action) + ": " + std::strerror(number));
}

/// Closes the descriptor at the end of the scope; the mapping lives on without it.
struct Descriptor
{
    int number;
    explicit Descriptor(int value) : number(value) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor()
    {
        if (number >= 0)
            ::close(number);
    }
};

} // namespace

Result<MappedFile> MappedFile::open(const std::filesystem::path& path)
{
    // Without O_NONBLOCK, opening a named pipe would wait for someone to write to it.
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.number < 0)
        return systemError(path, "cannot be opened", errno);
    struct stat status = {};
    if (::fstat(file.number, &status) != 0)
        return systemError(path, "cannot be read", errno);
    if (S_ISDIR(status.st_mode))
        return fileError(ErrorCode::FileUnreadable, path, "is a folder, expected a file");
    if (!S_ISREG(status.st_mode))
        return fileError(ErrorCode::FileUnreadable, path, "is not a regular file");
    if (status.st_size == 0)
        return MappedFile(std::span<const std::byte>());
    const std::size_t size = static_cast<std::size_t>(status.st_size);
    void* address = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.number, 0);
    if (address == MAP_FAILED)
        return systemError(path, "cannot be mapped into memory", errno);
    return MappedFile(std::span(static_cast<const std::byte*>(address), size));
}

MappedFile::MappedFile(MappedFile&& other) noexcept : m_bytes(std::exchange(other.m_bytes, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept
{
    std::swap(m_bytes, other.m_bytes);
    return *this;
}

MappedFile::~MappedFile()
{
    if (!m_bytes.empty())
        ::munmap(const_cast<std::byte*>(m_bytes.data()), m_bytes.size());
}

} // namespace engine
