#include "engine/io/GgufFile.h"

#include "engine/io/ByteReader.h"
#include "engine/io/FileError.h"
#include "engine/io/GgufTensorTypes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

namespace engine {

namespace {

/// The numbers that the specification gives to the types of metadata values.
enum class ValueType : std::uint32_t
{
    UInt8,
    Int8,
    UInt16,
    Int16,
    UInt32,
    Int32,
    Float32,
    Bool,
    String,
    Array,
    UInt64,
    Int64,
    Float64,
};

/// Bytes that one element takes in an array; a string takes at least its length.
std::size_t smallestSize(ValueType type)
{
    switch (type) {
    case ValueType::UInt8:
    case ValueType::Int8:
    case ValueType::Bool:
        return 1;
    case ValueType::UInt16:
    case ValueType::Int16:
        return 2;
    case ValueType::UInt32:
    case ValueType::Int32:
    case ValueType::Float32:
        return 4;
    case ValueType::UInt64:
    case ValueType::Int64:
    case ValueType::Float64:
    case ValueType::String:
        return 8;
    case ValueType::Array:
        break;
    }
    return 0;
}

std::optional<std::int64_t> readInteger(ByteReader& reader, ValueType type)
{
    switch (type) {
    case ValueType::UInt8:
        return reader.read<std::uint8_t>();
    case ValueType::Int8:
        return reader.read<std::int8_t>();
    case ValueType::UInt16:
        return reader.read<std::uint16_t>();
    case ValueType::Int16:
        return reader.read<std::int16_t>();
    case ValueType::UInt32:
        return reader.read<std::uint32_t>();
    case ValueType::Int32:
        return reader.read<std::int32_t>();
    case ValueType::Int64:
        return reader.read<std::int64_t>();
    case ValueType::Bool:
        return reader.read<std::uint8_t>() != 0 ? 1 : 0;
    case ValueType::UInt64: {
        const auto value = reader.read<std::uint64_t>();
        if (std::in_range<std::int64_t>(value))
            return static_cast<std::int64_t>(value);
        return std::nullopt;
    }
    default:
        return std::nullopt;
    }
}

bool isInteger(ValueType type)
{
    return type != ValueType::Float32 && type != ValueType::Float64 && type != ValueType::String &&
           type != ValueType::Array;
}

} // namespace

/// Reads one file from its start to the end of its directory; each step returns what went wrong.
class GgufParser
{
public:
    GgufParser(GgufFile& file, const std::filesystem::path& path)
        : m_gguf(file), m_path(path), m_reader(file.bytes())
    {}

    std::optional<Error> parse()
    {
        if (auto error = readHeader())
            return error;
        for (std::uint64_t i = 0; i < m_metadataCount; ++i)
            if (auto error = readMetadata(i))
                return error;
        for (std::uint64_t i = 0; i < m_tensorCount; ++i)
            if (auto error = readTensor(i))
                return error;
        return placeTensors();
    }

private:
    struct Placed
    {
        std::uint64_t offset; ///< from the start of the data section
        std::uint64_t size;
        std::size_t index; ///< into the file's tensors
    };

    Error bad(const std::string& message) const
    {
        return fileError(ErrorCode::BadFormat, m_path, message);
    }

    Error truncated(const std::string& where) const
    {
        return fileError(ErrorCode::Truncated, m_path,
                         "the file ends in " + where + ", at byte " +
                             std::to_string(m_gguf.bytes().size()) +
                             "; it is cut short or damaged");
    }

    std::optional<Error> readHeader()
    {
        if (m_gguf.bytes().empty())
            return fileError(ErrorCode::Truncated, m_path, "the file is empty");
        const std::string_view magic = m_reader.text(4);
        if (m_reader.ok() && magic != "GGUF")
            return bad("not a GGUF file: expected the first bytes \"GGUF\", found \"" +
                       printable(magic) + "\"");
        const auto version = m_reader.read<std::uint32_t>();
        m_tensorCount = m_reader.read<std::uint64_t>();
        m_metadataCount = m_reader.read<std::uint64_t>();
        if (!m_reader.ok())
            return truncated("the header");
        if (version != 2 && version != 3) {
            const bool swapped = version != 0 && (version & 0xFFFF) == 0;
            return fileError(ErrorCode::UnsupportedFeature, m_path,
                             swapped ? "a big-endian GGUF file; only little-endian ones can be read"
                                     : "GGUF version " + std::to_string(version) +
                                           "; expected version 2 or 3");
        }
        m_gguf.m_version = version;
        // A key has a length, a type and a value; a tensor a length, a rank, a dimension, a type
        // and an offset. More entries than would fit are refused before any room is made for them.
        constexpr std::uint64_t smallestEntry = 8 + 4 + 1;
        constexpr std::uint64_t smallestTensor = 8 + 4 + 8 + 4 + 8;
        if (m_metadataCount > m_reader.remaining() / smallestEntry)
            return bad("the header counts " + std::to_string(m_metadataCount) +
                       " metadata entries, more than the file has room for");
        if (m_tensorCount > m_reader.remaining() / smallestTensor)
            return bad("the header counts " + std::to_string(m_tensorCount) +
                       " tensors, more than the file has room for");
        return std::nullopt;
    }

    std::optional<Error> readMetadata(std::uint64_t number)
    {
        const std::string where = "metadata entry " + std::to_string(number);
        const std::string_view key = m_reader.text(m_reader.read<std::uint64_t>());
        const auto type = static_cast<ValueType>(m_reader.read<std::uint32_t>());
        if (!m_reader.ok())
            return truncated(where);
        const Result<GgufValue> value = readValue(type, std::string(key));
        if (!value)
            return value.error();
        if (!m_gguf.m_metadata.emplace(std::string(key), *value).second)
            return bad("metadata key " + printable(key) + " occurs twice");
        return std::nullopt;
    }

    Result<GgufValue> readValue(ValueType type, const std::string& key)
    {
        GgufValue value;
        if (type == ValueType::Array) {
            Result<GgufArray> array = readArray(key);
            if (!array)
                return array.error();
            value = std::move(*array);
        } else if (type == ValueType::String) {
            value = m_reader.text(m_reader.read<std::uint64_t>());
        } else if (type == ValueType::Float32) {
            value = static_cast<double>(m_reader.read<float>());
        } else if (type == ValueType::Float64) {
            value = m_reader.read<double>();
        } else if (type == ValueType::Bool) {
            value = m_reader.read<std::uint8_t>() != 0;
        } else if (type == ValueType::UInt64) {
            value = m_reader.read<std::uint64_t>();
        } else if (const auto integer = readInteger(m_reader, type)) {
            value = *integer;
        } else {
            return bad("metadata key " + printable(key) + ": unknown value type " +
                       std::to_string(static_cast<std::uint32_t>(type)));
        }
        if (!m_reader.ok())
            return truncated("the value of metadata key " + printable(key));
        return value;
    }

    Result<GgufArray> readArray(const std::string& key)
    {
        const auto type = static_cast<ValueType>(m_reader.read<std::uint32_t>());
        const auto count = m_reader.read<std::uint64_t>();
        if (!m_reader.ok())
            return truncated("the value of metadata key " + printable(key));
        const std::size_t itemSize = smallestSize(type);
        if (itemSize == 0)
            return fileError(ErrorCode::UnsupportedFeature, m_path,
                             "metadata key " + printable(key) +
                                 ": an array whose items have type number " +
                                 std::to_string(static_cast<std::uint32_t>(type)) +
                                 "; expected numbers or strings");
        if (count > m_reader.remaining() / itemSize)
            return truncated("the " + std::to_string(count) + " items of metadata key " +
                             printable(key));
        GgufArray array;
        if (type == ValueType::String) {
            array.items = readStrings(count);
        } else if (!isInteger(type)) {
            array.items = readReals(type, count);
        } else if (auto integers = readIntegers(type, count)) {
            array.items = std::move(*integers);
        } else {
            return bad("metadata key " + printable(key) + ": an item is larger than 2^63 - 1");
        }
        if (!m_reader.ok())
            return truncated("the items of metadata key " + printable(key));
        return array;
    }

    std::vector<std::string_view> readStrings(std::uint64_t count)
    {
        std::vector<std::string_view> items;
        items.reserve(static_cast<std::size_t>(count));
        for (std::uint64_t i = 0; i < count && m_reader.ok(); ++i)
            items.push_back(m_reader.text(m_reader.read<std::uint64_t>()));
        return items;
    }

    std::vector<double> readReals(ValueType type, std::uint64_t count)
    {
        std::vector<double> items(static_cast<std::size_t>(count));
        for (double& item : items)
            item = type == ValueType::Float32 ? static_cast<double>(m_reader.read<float>())
                                              : m_reader.read<double>();
        return items;
    }

    std::optional<std::vector<std::int64_t>> readIntegers(ValueType type, std::uint64_t count)
    {
        std::vector<std::int64_t> items(static_cast<std::size_t>(count));
        for (std::int64_t& item : items) {
            const std::optional<std::int64_t> value = readInteger(m_reader, type);
            if (!value)
                return std::nullopt;
            item = *value;
        }
        return items;
    }

    std::optional<Error> readTensor(std::uint64_t number)
    {
        const std::string_view nameInFile = m_reader.text(m_reader.read<std::uint64_t>());
        const auto dimensions = m_reader.read<std::uint32_t>();
        if (!m_reader.ok())
            return truncated("tensor " + std::to_string(number) + " of the directory");
        const std::string where = "tensor " + printable(nameInFile);
        if (dimensions < 1 || dimensions > 4)
            return bad(where + ": expected 1 to 4 dimensions, found " + std::to_string(dimensions));
        Shape shape(dimensions);
        for (std::uint32_t i = 0; i < dimensions; ++i) {
            const auto size = m_reader.read<std::uint64_t>();
            if (m_reader.ok() && (size == 0 || !std::in_range<std::int64_t>(size)))
                return bad(where + ": dimension " + std::to_string(i) + " is " +
                           std::to_string(size));
            shape[dimensions - 1 - i] = static_cast<std::int64_t>(size);
        }
        const auto typeNumber = m_reader.read<std::uint32_t>();
        const auto offset = m_reader.read<std::uint64_t>();
        if (!m_reader.ok())
            return truncated(where + " of the directory");
        const std::optional<DType> type = ggufTensorType(typeNumber);
        if (!type)
            return fileError(ErrorCode::UnsupportedFeature, m_path,
                             where + ": " + unsupportedGgufType(typeNumber));
        const std::optional<std::int64_t> size = byteCount(*type, shape);
        if (!size)
            return bad(where + ": " + sizeFault(*type, shape));
        const std::size_t index = m_gguf.m_tensors.size();
        if (!m_gguf.m_tensorIndex.emplace(std::string(nameInFile), index).second)
            return bad(where + " occurs twice");
        m_gguf.m_tensors.push_back({std::string(nameInFile), TensorView{*type, shape, {}}});
        m_placed.push_back({offset, static_cast<std::uint64_t>(*size), index});
        return std::nullopt;
    }

    /// Why a tensor of this type and shape has no size.
    static std::string sizeFault(DType type, const Shape& shape)
    {
        const DTypeTraits& format = traits(type);
        if (shape.back() % format.elementsPerBlock == 0)
            return "shape " + toString(shape) + " is too large";
        return "shape " + toString(shape) + " does not fit type " + std::string(format.name) +
               ", whose rows are whole blocks of " + std::to_string(format.elementsPerBlock) +
               " numbers";
    }

    /// Offsets to byte ranges: inside the file, on the alignment, none on top of another.
    std::optional<Error> placeTensors()
    {
        std::uint64_t alignment = 32;
        if (m_gguf.find("general.alignment") != nullptr) {
            const auto value = m_gguf.integer("general.alignment").value_or(0);
            if (value < 1 || value > (1 << 20) ||
                !std::has_single_bit(static_cast<std::uint64_t>(value)))
                return bad("general.alignment: expected a power of two up to 2^20, found " +
                           std::to_string(value));
            alignment = static_cast<std::uint64_t>(value);
        }
        const std::uint64_t start = (m_reader.position() + alignment - 1) / alignment * alignment;
        const std::uint64_t end = m_gguf.bytes().size();
        const std::uint64_t room = end > start ? end - start : 0;
        std::stable_sort(m_placed.begin(), m_placed.end(),
                         [](const Placed& a, const Placed& b) { return a.offset < b.offset; });
        std::uint64_t free = 0;
        for (const Placed& placed : m_placed) {
            NamedTensor& tensor = m_gguf.m_tensors[placed.index];
            const std::string where = "tensor " + printable(tensor.name);
            if (placed.offset % alignment != 0)
                return bad(where + ": offset " + std::to_string(placed.offset) +
                           " is not a multiple of the alignment " + std::to_string(alignment));
            if (placed.offset > room || placed.size > room - placed.offset)
                return fileError(ErrorCode::Truncated, m_path,
                                 where + ": needs " + std::to_string(placed.size) +
                                     " bytes at offset " + std::to_string(placed.offset) +
                                     ", but the data section has " + std::to_string(room) +
                                     "; the file is cut short or damaged");
            if (placed.offset < free)
                return bad(where + ": lies on top of the tensor before it");
            free = placed.offset + placed.size;
            tensor.view.bytes =
                m_gguf.bytes().subspan(static_cast<std::size_t>(start + placed.offset),
                                       static_cast<std::size_t>(placed.size));
        }
        return std::nullopt;
    }

    GgufFile& m_gguf;
    const std::filesystem::path& m_path;
    ByteReader m_reader;
    std::uint64_t m_tensorCount = 0;
    std::uint64_t m_metadataCount = 0;
    std::vector<Placed> m_placed;
};

std::size_t GgufArray::size() const
{
    return std::visit([](const auto& values) { return values.size(); }, items);
}

const std::vector<std::string_view>* GgufArray::strings() const
{
    return std::get_if<std::vector<std::string_view>>(&items);
}

const std::vector<double>* GgufArray::numbers() const
{
    return std::get_if<std::vector<double>>(&items);
}

const std::vector<std::int64_t>* GgufArray::integers() const
{
    return std::get_if<std::vector<std::int64_t>>(&items);
}

Result<GgufFile> GgufFile::open(const std::filesystem::path& path)
{
    Result<MappedFile> mapped = MappedFile::open(path);
    if (!mapped)
        return mapped.error();
    GgufFile file(std::move(*mapped));
    file.m_path = path;
    if (std::optional<Error> error = GgufParser(file, path).parse())
        return *error;
    return file;
}

const GgufValue* GgufFile::find(std::string_view key) const
{
    const auto entry = m_metadata.find(key);
    return entry == m_metadata.end() ? nullptr : &entry->second;
}

std::optional<std::int64_t> GgufFile::integer(std::string_view key) const
{
    const GgufValue* value = find(key);
    if (value == nullptr)
        return std::nullopt;
    if (const auto* integer = std::get_if<std::int64_t>(value))
        return *integer;
    if (const auto* unsignedInteger = std::get_if<std::uint64_t>(value);
        unsignedInteger != nullptr && std::in_range<std::int64_t>(*unsignedInteger))
        return static_cast<std::int64_t>(*unsignedInteger);
    return std::nullopt;
}

std::optional<double> GgufFile::number(std::string_view key) const
{
    const GgufValue* value = find(key);
    if (value == nullptr)
        return std::nullopt;
    if (const auto* real = std::get_if<double>(value))
        return *real;
    if (const auto* unsignedInteger = std::get_if<std::uint64_t>(value))
        return static_cast<double>(*unsignedInteger);
    if (const std::optional<std::int64_t> whole = integer(key))
        return static_cast<double>(*whole);
    return std::nullopt;
}

std::optional<bool> GgufFile::boolean(std::string_view key) const
{
    const GgufValue* value = find(key);
    const bool* boolean = value == nullptr ? nullptr : std::get_if<bool>(value);
    return boolean == nullptr ? std::nullopt : std::optional(*boolean);
}

std::optional<std::string_view> GgufFile::string(std::string_view key) const
{
    const GgufValue* value = find(key);
    const auto* text = value == nullptr ? nullptr : std::get_if<std::string_view>(value);
    return text == nullptr ? std::nullopt : std::optional(*text);
}

const GgufArray* GgufFile::array(std::string_view key) const
{
    const GgufValue* value = find(key);
    return value == nullptr ? nullptr : std::get_if<GgufArray>(value);
}

const TensorView* GgufFile::tensor(std::string_view name) const
{
    const auto entry = m_tensorIndex.find(name);
    return entry == m_tensorIndex.end() ? nullptr : &m_tensors[entry->second].view;
}

void GgufFile::join(std::vector<std::shared_ptr<const GgufFile>> otherParts)
{
    m_otherParts = std::move(otherParts);
    for (const std::shared_ptr<const GgufFile>& part : m_otherParts)
        for (const NamedTensor& tensor : part->tensors()) {
            [[maybe_unused]] const bool added =
                m_tensorIndex.emplace(tensor.name, m_tensors.size()).second;
            assert(added);
            m_tensors.push_back(tensor);
        }
}

} // namespace engine
