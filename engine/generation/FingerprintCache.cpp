#include "engine/generation/FingerprintCache.h"

#include "engine/io/FileWrite.h"
#include "engine/io/Sha256.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sys/stat.h>
#include <utility>

namespace engine {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view firstLine = "tokenscope fingerprints 1";
constexpr std::size_t digestSize = 64;
constexpr std::size_t checkSize = 8;
/// A line: digest of the paths, digest of the stamps, the fingerprint, a check of the three.
constexpr std::size_t lineSize = 3 * (digestSize + 1) + checkSize;
constexpr std::uintmax_t largestFile = 4 * FingerprintCache::mostEntries * (lineSize + 1);

std::int64_t nanoseconds(const timespec& time)
{
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

bool isHex(std::string_view text)
{
    return std::all_of(text.begin(), text.end(),
                       [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

} // namespace

std::optional<FileStamp> stampOf(const fs::path& file)
{
    struct stat status = {};
    std::error_code error;
    const fs::path absolute = fs::absolute(file, error);
    if (error || ::stat(file.c_str(), &status) != 0)
        return std::nullopt;
    return FileStamp{absolute.lexically_normal().string(),
                     static_cast<std::uint64_t>(status.st_size), nanoseconds(status.st_mtim),
                     nanoseconds(status.st_ctim)};
}

FingerprintCache::FingerprintCache(fs::path folder) : m_folder(std::move(folder)) {}

fs::path FingerprintCache::file() const
{
    return m_folder.empty() ? fs::path() : m_folder / "fingerprints";
}

std::optional<std::string> FingerprintCache::find(const std::vector<FileStamp>& files) const
{
    const std::string key = entryOf(files, {}).key;
    for (const Entry& entry : read())
        if (entry.key == key)
            return entry.digest;
    return std::nullopt;
}

void FingerprintCache::remember(const std::vector<FileStamp>& files,
                                const std::string& digest) const
{
    if (m_folder.empty())
        return;
    std::error_code error;
    fs::create_directories(m_folder, error);
    const Entry added = entryOf(files, digest);
    std::vector<Entry> entries = read();
    std::erase_if(entries, [&](const Entry& entry) { return entry.paths == added.paths; });
    entries.push_back(added);
    const std::size_t surplus = entries.size() - std::min(entries.size(), mostEntries);
    std::string text = std::string(firstLine) + "\n";
    for (std::size_t i = surplus; i < entries.size(); ++i)
        text += line(entries[i]) + "\n";
    // Not being able to remember is no fault of what is being done.
    (void)writeWhole(file(), text);
}

FingerprintCache::Entry FingerprintCache::entryOf(const std::vector<FileStamp>& files,
                                                  const std::string& digest)
{
    Sha256 paths;
    Sha256 stamps;
    for (const FileStamp& file : files) {
        paths.addField(file.path);
        stamps.addField(file.path)
            .addNumber(file.size)
            .addNumber(static_cast<std::uint64_t>(file.modifiedNanoseconds))
            .addNumber(static_cast<std::uint64_t>(file.changedNanoseconds));
    }
    return {paths.hex(), stamps.hex(), digest};
}

std::string FingerprintCache::line(const Entry& entry)
{
    const std::string text = entry.paths + " " + entry.key + " " + entry.digest;
    return text + " " + Sha256::of(text).substr(0, checkSize);
}

std::optional<FingerprintCache::Entry> FingerprintCache::parse(std::string_view text)
{
    if (text.size() != lineSize)
        return std::nullopt;
    const auto field = [&](std::size_t number) {
        return std::string(text.substr(number * (digestSize + 1), digestSize));
    };
    Entry entry{field(0), field(1), field(2)};
    // Also finds a digit that a failing disk has changed.
    if (!isHex(entry.digest) || line(entry) != text)
        return std::nullopt;
    return entry;
}

std::vector<FingerprintCache::Entry> FingerprintCache::read() const
{
    std::vector<Entry> entries;
    std::error_code error;
    const std::uintmax_t size = m_folder.empty() ? 0 : fs::file_size(file(), error);
    if (error || size == 0 || size > largestFile)
        return entries;
    std::ifstream stream(file(), std::ios::binary);
    std::string text;
    if (!std::getline(stream, text) || text != firstLine)
        return entries;
    while (std::getline(stream, text))
        if (auto entry = parse(text))
            entries.push_back(std::move(*entry));
    return entries;
}

} // namespace engine
