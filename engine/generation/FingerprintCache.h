#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// By what a file is known again without reading it. The change time is kept beside the
/// modification time because a program can set the latter back but not the former.
struct FileStamp
{
    std::string path; ///< absolute
    std::uint64_t size = 0;
    std::int64_t modifiedNanoseconds = 0; ///< since 1970
    std::int64_t changedNanoseconds = 0;

    bool operator==(const FileStamp&) const = default;
};

/// Nothing where there is no such file.
std::optional<FileStamp> stampOf(const std::filesystem::path& file);

/// Digests of files that were read before, in a file of one folder, so that a model of many
/// gigabytes is read once. What cannot be read or written is as if it were not there: a cache may
/// be lost at any time. Thread: any; of several writers at once the last one wins.
class FingerprintCache
{
public:
    /// An empty folder remembers nothing. The folder is made when there is something to remember.
    explicit FingerprintCache(std::filesystem::path folder = {});

    /// The digest of these files, in this order, as they were when it was remembered.
    std::optional<std::string> find(const std::vector<FileStamp>& files) const;

    /// Takes the place of what was known of the same paths. The oldest entries go when there are
    /// more than `mostEntries`.
    void remember(const std::vector<FileStamp>& files, const std::string& digest) const;

    static constexpr std::size_t mostEntries = 256;
    std::filesystem::path file() const; ///< empty where nothing is remembered

private:
    struct Entry
    {
        std::string paths; ///< digest of the paths
        std::string key;   ///< digest of the stamps
        std::string digest;
    };
    static Entry entryOf(const std::vector<FileStamp>& files, const std::string& digest);
    static std::string line(const Entry& entry);
    static std::optional<Entry> parse(std::string_view line);
    std::vector<Entry> read() const; ///< oldest first

    std::filesystem::path m_folder;
};

} // namespace engine
