#include "engine/generation/TraceFile.h"

#include "engine/io/FileError.h"
#include "engine/io/FileWrite.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace engine {

namespace {

namespace fs = std::filesystem;

/// Closes the descriptor at the end of the scope.
class Descriptor
{
public:
    explicit Descriptor(int number) : m_number(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor()
    {
        if (m_number >= 0)
            ::close(m_number);
    }

    int number() const { return m_number; }

private:
    int m_number;
};

} // namespace

Result<Done> writeTrace(const Run& run, const fs::path& path)
{
    return writeWhole(path, traceJson(run));
}

Result<Run> readTrace(const fs::path& path)
{
    // Not mapped: a trace may come through a pipe, and another program may be writing it.
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.number() < 0) {
        const bool absent = errno == ENOENT || errno == ENOTDIR;
        return fileError(absent ? ErrorCode::FileNotFound : ErrorCode::FileUnreadable, path,
                         std::string("cannot be opened: ") + std::strerror(errno));
    }
    std::string text;
    std::string block(std::size_t{1} << 16, '\0');
    for (;;) {
        const ssize_t got = ::read(file.number(), block.data(), block.size());
        if (got == 0)
            break;
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fileError(ErrorCode::FileUnreadable, path,
                             std::string("cannot be read: ") + std::strerror(errno));
        text.append(block, 0, static_cast<std::size_t>(got));
    }
    return parseTrace(text, path.string());
}

} // namespace engine
