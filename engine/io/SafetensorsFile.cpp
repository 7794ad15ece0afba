#include "engine/io/SafetensorsFile.h"

#include "engine/io/ByteReader.h"
#include "engine/io/FileError.h"
#include "engine/io/Json.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

namespace engine {

namespace {

// The limit of the reference implementation.
constexpr std::uint64_t longestHeader = 100'000'000;

struct NamedType
{
    std::string_view name;
    std::optional<DType> type; ///< nothing: known, but not read
    std::int64_t bytes;
};

constexpr std::array storedTypes = {
    NamedType{"F32", DType::F32, 4},       NamedType{"F16", DType::F16, 2},
    NamedType{"BF16", DType::BF16, 2},     NamedType{"F64", std::nullopt, 8},
    NamedType{"I64", std::nullopt, 8},     NamedType{"U64", std::nullopt, 8},
    NamedType{"I32", std::nullopt, 4},     NamedType{"U32", std::nullopt, 4},
    NamedType{"I16", std::nullopt, 2},     NamedType{"U16", std::nullopt, 2},
    NamedType{"I8", std::nullopt, 1},      NamedType{"U8", std::nullopt, 1},
    NamedType{"BOOL", std::nullopt, 1},    NamedType{"F8_E4M3", std::nullopt, 1},
    NamedType{"F8_E5M2", std::nullopt, 1},
};

} // namespace

/// Reads the header of one file; each step returns what went wrong.
class SafetensorsParser
{
public:
    SafetensorsParser(SafetensorsFile& file, const std::filesystem::path& path)
        : m_file(file), m_path(path)
    {}

    std::optional<Error> parse()
    {
        const std::span<const std::byte> bytes = m_file.bytes();
        if (bytes.empty())
            return fileError(ErrorCode::Truncated, m_path, "the file is empty");
        ByteReader reader(bytes);
        const auto headerSize = reader.read<std::uint64_t>();
        if (!reader.ok())
            return fileError(ErrorCode::Truncated, m_path,
                             "the file ends in the length of its header");
        if (headerSize > longestHeader)
            return bad("not a safetensors file, or damaged: a header of " +
                       std::to_string(headerSize) + " bytes, expected at most " +
                       std::to_string(longestHeader));
        const std::string_view header = reader.text(headerSize);
        if (!reader.ok())
            return fileError(ErrorCode::Truncated, m_path,
                             "the file ends in its header: expected " + std::to_string(headerSize) +
                                 " bytes, found " + std::to_string(bytes.size() - 8));
        m_data = bytes.subspan(reader.position());
        const Result<JsonDocument> json =
            JsonDocument::parse(header, m_path.string() + ": the header");
        if (!json)
            return json.error();
        if (!json->root().isObject())
            return bad("the header is not a JSON object");
        std::optional<Error> error;
        json->root().forEachMember([&](std::string_view name, JsonValue entry) {
            if (!error && name != "__metadata__")
                error = readTensor(name, entry);
        });
        return error ? error : checkOverlap();
    }

private:
    struct Range
    {
        std::uint64_t begin;
        std::uint64_t end;
        std::string name;
    };

    Error bad(const std::string& message) const
    {
        return fileError(ErrorCode::BadFormat, m_path, message);
    }

    std::optional<Error> readTensor(std::string_view name, JsonValue entry)
    {
        const std::string where = "tensor " + printable(name);
        if (!m_names.insert(std::string(name)).second)
            return bad(where + " occurs twice");
        const std::optional<std::string_view> typeName = entry["dtype"].string();
        if (!typeName)
            return bad(where + ": dtype is missing or not a string");
        const auto* stored =
            std::find_if(storedTypes.begin(), storedTypes.end(),
                         [&](const NamedType& type) { return type.name == *typeName; });
        if (stored == storedTypes.end())
            return bad(where + ": unknown dtype " + printable(*typeName));
        const std::optional<Shape> shape = readShape(entry["shape"]);
        if (!shape)
            return bad(where + ": shape is not a list of whole numbers >= 0");
        const Result<Range> range = readOffsets(entry["data_offsets"], name);
        if (!range)
            return range.error();
        const std::optional<std::int64_t> elements = elementCount(*shape);
        std::int64_t size = 0;
        if (!elements || __builtin_mul_overflow(*elements, stored->bytes, &size))
            return bad(where + ": shape " + toString(*shape) + " is too large");
        if (std::cmp_not_equal(size, range->end - range->begin))
            return bad(where + ": shape " + toString(*shape) + " of " + std::string(*typeName) +
                       " takes " + std::to_string(size) + " bytes, but data_offsets give " +
                       std::to_string(range->end - range->begin));
        m_ranges.push_back(*range);
        if (!stored->type) {
            m_file.m_unsupported.emplace(name, *typeName);
            return std::nullopt;
        }
        const std::span<const std::byte> bytes =
            m_data.subspan(static_cast<std::size_t>(range->begin), static_cast<std::size_t>(size));
        m_file.m_tensors.push_back({std::string(name), TensorView{*stored->type, *shape, bytes}});
        return std::nullopt;
    }

    static std::optional<Shape> readShape(JsonValue value)
    {
        if (!value.isArray() || value.size() > 8)
            return std::nullopt;
        Shape shape;
        bool good = true;
        value.forEachElement([&](JsonValue item) {
            const std::optional<std::int64_t> size = item.integer();
            good = good && size && *size >= 0;
            shape.push_back(size.value_or(0));
        });
        return good ? std::optional(shape) : std::nullopt;
    }

    Result<Range> readOffsets(JsonValue value, std::string_view name) const
    {
        std::vector<std::int64_t> offsets;
        value.forEachElement([&](JsonValue item) {
            if (offsets.size() < 3)
                offsets.push_back(item.integer().value_or(-1));
        });
        const std::string where = "tensor " + printable(name);
        if (offsets.size() != 2 || offsets[0] < 0 || offsets[1] < offsets[0])
            return bad(where + ": data_offsets are not [begin, end] with 0 <= begin <= end");
        if (std::cmp_greater(offsets[1], m_data.size()))
            return fileError(ErrorCode::Truncated, m_path,
                             where + ": data_offsets end at " + std::to_string(offsets[1]) +
                                 ", but the file holds " + std::to_string(m_data.size()) +
                                 " bytes of data; it is cut short or damaged");
        return Range{static_cast<std::uint64_t>(offsets[0]), static_cast<std::uint64_t>(offsets[1]),
                     std::string(name)};
    }

    std::optional<Error> checkOverlap()
    {
        std::sort(m_ranges.begin(), m_ranges.end(), [](const Range& a, const Range& b) {
            return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
        });
        for (std::size_t i = 1; i < m_ranges.size(); ++i)
            if (m_ranges[i].begin < m_ranges[i - 1].end)
                return bad("tensor " + printable(m_ranges[i].name) + ": lies on top of tensor " +
                           printable(m_ranges[i - 1].name));
        return std::nullopt;
    }

    SafetensorsFile& m_file;
    const std::filesystem::path& m_path;
    std::span<const std::byte> m_data;
    std::set<std::string, std::less<>> m_names;
    std::vector<Range> m_ranges;
};

Result<SafetensorsFile> SafetensorsFile::open(const std::filesystem::path& path)
{
    Result<MappedFile> mapped = MappedFile::open(path);
    if (!mapped)
        return mapped.error();
    SafetensorsFile file(std::move(*mapped));
    file.m_path = path;
    if (std::optional<Error> error = SafetensorsParser(file, path).parse())
        return *error;
    return file;
}

} // namespace engine
