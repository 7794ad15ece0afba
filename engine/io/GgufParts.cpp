#include "engine/io/GgufParts.h"

#include "engine/io/FileError.h"

#include <cstdio>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace engine {

namespace {

/// What a file says of the split model that it is part of.
struct Split
{
    std::int64_t number = 0; ///< of this part, from 0
    std::int64_t count = 1;  ///< of parts
    std::int64_t tensors = 0;

    std::string text() const
    {
        return "part " + std::to_string(number + 1) + " of " + std::to_string(count);
    }
};

std::optional<Split> splitOf(const GgufFile& file)
{
    const std::optional<std::int64_t> count = file.integer("split.count");
    if (!count || *count == 0 || *count == 1) // gguf-split writes 0 when it has merged
        return std::nullopt;
    return Split{file.integer("split.no").value_or(-1), *count,
                 file.integer("split.tensors.count").value_or(-1)};
}

Error bad(const std::filesystem::path& path, const std::string& message)
{
    return fileError(ErrorCode::BadFormat, path, message);
}

std::string ending(std::int64_t number, std::int64_t count)
{
    char text[64];
    std::snprintf(text, sizeof(text), "-%05lld-of-%05lld.gguf", static_cast<long long>(number + 1),
                  static_cast<long long>(count));
    return text;
}

/// "model" of model-00002-of-00003.gguf; an error where the name has another ending.
Result<std::string> commonName(const std::filesystem::path& path, const Split& split)
{
    const std::string name = path.filename().string();
    const std::string wanted = ending(split.number, split.count);
    if (name.size() > wanted.size() && name.ends_with(wanted))
        return name.substr(0, name.size() - wanted.size());
    return bad(path,
               "the file is " + split.text() +
                   " of a split model, but its name does not end in \"" + wanted +
                   "\", so that the other parts cannot be found; give all parts back the names "
                   "that they came with");
}

using Part = std::shared_ptr<GgufFile>;

Result<Part> openFile(const std::filesystem::path& path)
{
    Result<GgufFile> opened = GgufFile::open(path);
    if (!opened)
        return opened.error();
    return std::make_shared<GgufFile>(std::move(*opened));
}

/// Opens the other parts of a model and holds each against what the first to be opened says.
class PartsOpener
{
public:
    PartsOpener(Part opened, const Split& split) : m_opened(std::move(opened)), m_split(split) {}

    Result<Part> open()
    {
        if (auto error = checkSplit())
            return *error;
        const Result<std::string> name = commonName(m_opened->path(), m_split);
        if (!name)
            return name.error();
        for (std::int64_t number = 0; number < m_split.count; ++number)
            if (auto error = add(number, *name + ending(number, m_split.count)))
                return *error;
        if (std::ssize(m_tensors) != m_split.tensors)
            return bad(m_opened->path(),
                       "split.tensors.count is " + std::to_string(m_split.tensors) +
                           ", but the parts have " + std::to_string(m_tensors.size()) +
                           " tensors together");
        m_parts.front()->join({m_parts.begin() + 1, m_parts.end()});
        return m_parts.front();
    }

private:
    std::optional<Error> checkSplit() const
    {
        constexpr std::int64_t mostParts = 99999; // five digits of a name
        const std::filesystem::path& path = m_opened->path();
        if (m_split.count < 2 || m_split.count > mostParts)
            return bad(path, "split.count: expected a number up to 99999, found " +
                                 std::to_string(m_split.count));
        if (m_split.number < 0 || m_split.number >= m_split.count)
            return bad(path, "split.no is missing or not below split.count, " +
                                 std::to_string(m_split.count));
        if (m_split.tensors < 0)
            return bad(path, "split.tensors.count is missing");
        return std::nullopt;
    }

    std::optional<Error> add(std::int64_t number, const std::string& name)
    {
        const std::filesystem::path path = m_opened->path().parent_path() / name;
        std::error_code status;
        if (number != m_split.number && !std::filesystem::exists(path, status))
            return fileError(ErrorCode::FileNotFound, path,
                             "the file is missing; the model is split into " +
                                 std::to_string(m_split.count) +
                                 " parts, all of which must be in one folder");
        if (number == m_split.number)
            m_parts.push_back(m_opened);
        else if (Result<Part> file = openFile(path))
            m_parts.push_back(*file);
        else
            return file.error();
        const GgufFile& part = *m_parts.back();
        if (auto error = checkPart(part, number))
            return error;
        for (const NamedTensor& tensor : part.tensors())
            if (!m_tensors.insert(tensor.name).second)
                return bad(path, "tensor " + printable(tensor.name) +
                                     " is in a part before this one already; the parts are not of "
                                     "one model");
        return std::nullopt;
    }

    std::optional<Error> checkPart(const GgufFile& part, std::int64_t number) const
    {
        const Split expected = {number, m_split.count, m_split.tensors};
        const std::optional<Split> found = splitOf(part);
        if (!found)
            return bad(part.path(), "the name says " + expected.text() +
                                        ", but the file is a model of its own (no split.count)");
        if (found->number != expected.number || found->count != expected.count)
            return bad(part.path(),
                       "the name says " + expected.text() + ", but the file is " + found->text());
        const std::string other = m_opened->path().filename().string();
        if (found->tensors != expected.tensors)
            return bad(part.path(), "the file is part of a model of " +
                                        std::to_string(found->tensors) + " tensors, but " + other +
                                        " of one of " + std::to_string(expected.tensors));
        for (const std::string_view key : {"general.architecture", "general.name"}) {
            const auto here = part.string(key);
            const auto there = m_opened->string(key);
            if (here && there && *here != *there)
                return bad(part.path(), std::string(key) + " is \"" + printable(*here) +
                                            "\", but \"" + printable(*there) + "\" in " + other +
                                            "; the parts are not of one model");
        }
        return std::nullopt;
    }

    Part m_opened;
    Split m_split;
    std::vector<Part> m_parts;
    std::set<std::string_view> m_tensors; ///< names, in the files' own memory
};

} // namespace

Result<std::shared_ptr<const GgufFile>> openGguf(const std::filesystem::path& path)
{
    Result<Part> file = openFile(path);
    if (!file)
        return file.error();
    if (const std::optional<Split> split = splitOf(**file))
        file = PartsOpener(*file, *split).open();
    if (!file)
        return file.error();
    return std::shared_ptr<const GgufFile>(std::move(*file));
}

} // namespace engine
