#include "engine/io/FileWrite.h"

#include "engine/io/FileError.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace engine {

namespace {

namespace fs = std::filesystem;

Error writeError(const fs::path& path, const char* action)
{
    return fileError(ErrorCode::FileWriteFailed, path,
                     std::string(action) + ": " + std::strerror(errno));
}

/// Closes the descriptor at the end of the scope.
class Descriptor
{
public:
    explicit Descriptor(int number) : m_number(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { close(); }

    int number() const { return m_number; }
    /// False where the system says only now that a write failed.
    bool close()
    {
        const int number = m_number;
        m_number = -1;
        return number < 0 || ::close(number) == 0;
    }

private:
    int m_number;
};

bool writeAll(int file, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t written = ::write(file, text.data(), text.size());
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0)
            text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

/// A name beside the target that no other writer, in this process or another, has at the same time.
fs::path temporaryBeside(const fs::path& target)
{
    static std::atomic<unsigned> number{0};
    return target.parent_path() /
           (".tokenscope-" + std::to_string(::getpid()) + "-" + std::to_string(number++) + ".tmp");
}

/// Makes the renaming itself last. Where the file system cannot do this the file is whole all the
/// same.
void syncFolder(const fs::path& folder)
{
    const Descriptor opened(
        ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (opened.number() >= 0)
        (void)::fsync(opened.number());
}

Result<Done> writeThrough(const fs::path& path, std::string_view text)
{
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (file.number() < 0)
        return writeError(path, "cannot be opened for writing");
    if (!writeAll(file.number(), text) || !file.close())
        return writeError(path, "cannot be written");
    return Done{};
}

/// A new file beside the target, open for writing; negative where none can be made.
int makeBeside(const fs::path& temporary)
{
    constexpr mode_t ordinary = 0666; // less the user's mask
    return ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, ordinary);
}

Error nothingBeside(const fs::path& target)
{
    return writeError(target, "cannot be written, as no file can be made in its folder");
}

Result<Done> replace(const fs::path& target, std::string_view text, const struct stat* old)
{
    const fs::path temporary = temporaryBeside(target);
    Descriptor file(makeBeside(temporary));
    if (file.number() < 0)
        return nothingBeside(target);
    const bool whole = (old == nullptr || ::fchmod(file.number(), old->st_mode & 07777) == 0) &&
                       writeAll(file.number(), text) && ::fsync(file.number()) == 0 &&
                       file.close() && ::rename(temporary.c_str(), target.c_str()) == 0;
    if (!whole) {
        const Error error = writeError(target, "cannot be written");
        (void)::unlink(temporary.c_str());
        return error;
    }
    syncFolder(target.parent_path());
    return Done{};
}

/// Where a file goes, and what is there.
struct Target
{
    fs::path path; ///< behind a symbolic link
    struct stat old = {};
    bool exists = false;
};

Result<Target> targetOf(const fs::path& path)
{
    std::error_code ignored;
    Target target{path};
    if (fs::is_symlink(path, ignored))
        if (const fs::path behind = fs::weakly_canonical(path, ignored); !ignored)
            target.path = behind;
    target.exists = ::stat(target.path.c_str(), &target.old) == 0;
    if (!target.exists && errno != ENOENT)
        return writeError(path, "cannot be written");
    if (target.exists && S_ISDIR(target.old.st_mode))
        return fileError(ErrorCode::FileWriteFailed, path, "is a folder, expected a file name");
    return target;
}

} // namespace

Result<Done> writeWhole(const fs::path& path, std::string_view text)
{
    const auto target = targetOf(path);
    if (!target)
        return target.error();
    if (!target->exists)
        return replace(target->path, text, nullptr);
    if (!S_ISREG(target->old.st_mode))
        return writeThrough(target->path, text);
    return replace(target->path, text, &target->old);
}

Result<Done> checkWritable(const fs::path& path)
{
    const auto target = targetOf(path);
    if (!target)
        return target.error();
    if (target->exists && !S_ISREG(target->old.st_mode)) {
        // Not opened: a pipe's reader would take the closing of it for the end.
        if (::access(target->path.c_str(), W_OK) != 0)
            return writeError(path, "cannot be opened for writing");
        return Done{};
    }
    const fs::path temporary = temporaryBeside(target->path);
    const Descriptor file(makeBeside(temporary));
    if (file.number() < 0)
        return nothingBeside(path);
    (void)::unlink(temporary.c_str());
    return Done{};
}

} // namespace engine
