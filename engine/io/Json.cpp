#include "engine/io/Json.h"

#include "engine/io/FileError.h"
#include "engine/io/MappedFile.h"

#include <simdjson.h>

#include <bit>
#include <cmath>
#include <iterator>
#include <type_traits>

namespace engine {

namespace {

namespace dom = simdjson::dom;

// Deeper than any file of a model by far, and shallow enough for every reader that recurses.
constexpr std::size_t deepestNesting = 256;

/// simdjson refuses whole numbers beyond 64 bits, which real files hold: the model_max_length of
/// many a tokenizer_config.json is 1000000000000000019884624838656. Written as "….0" it takes them.
std::string withLargeIntegersAsReals(std::string_view text)
{
    constexpr std::size_t digitsThatFit = 18;
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    std::string result;
    result.reserve(text.size() + 16);
    bool inString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        result += c;
        if (c == '"') {
            inString = !inString;
        } else if (inString && c == '\\' && i + 1 < text.size()) {
            result += text[++i];
        } else if (!inString && isDigit(c)) {
            const bool whole = i == 0 || (text[i - 1] != '.' && text[i - 1] != 'e' &&
                                          text[i - 1] != 'E' && text[i - 1] != '+');
            std::size_t end = i + 1;
            while (end < text.size() && isDigit(text[end]))
                result += text[end++];
            const char next = end < text.size() ? text[end] : '\0';
            if (whole && end - i > digitsThatFit && next != '.' && next != 'e' && next != 'E')
                result += ".0";
            i = end - 1;
        }
    }
    return result;
}

} // namespace

struct JsonValue::Node
{
    dom::element element;
};

struct JsonDocument::Impl
{
    dom::document document;
};

JsonValue::JsonValue(const Node& node) : m_present(true)
{
    static_assert(sizeof(dom::element) == sizeof(m_storage));
    static_assert(std::is_trivially_copyable_v<dom::element>);
    m_storage = std::bit_cast<decltype(m_storage)>(node.element);
}

JsonValue::Node JsonValue::node() const
{
    return Node{std::bit_cast<dom::element>(m_storage)};
}

bool JsonValue::isMissing() const
{
    return !m_present;
}

bool JsonValue::isNull() const
{
    return m_present && node().element.is_null();
}

bool JsonValue::isObject() const
{
    return m_present && node().element.is_object();
}

bool JsonValue::isArray() const
{
    return m_present && node().element.is_array();
}

bool JsonValue::isString() const
{
    return m_present && node().element.is_string();
}

bool JsonValue::isNumber() const
{
    return m_present && node().element.is_number();
}

std::optional<bool> JsonValue::boolean() const
{
    bool value = false;
    if (!m_present || node().element.get_bool().get(value) != simdjson::SUCCESS)
        return std::nullopt;
    return value;
}

std::optional<std::int64_t> JsonValue::integer() const
{
    if (!m_present)
        return std::nullopt;
    std::int64_t whole = 0;
    if (node().element.get_int64().get(whole) == simdjson::SUCCESS)
        return whole;
    double real = 0;
    // 2^53: beyond it a double no longer says which integer was meant.
    if (node().element.get_double().get(real) == simdjson::SUCCESS && std::trunc(real) == real &&
        std::abs(real) <= 9007199254740992.0)
        return static_cast<std::int64_t>(real);
    return std::nullopt;
}

std::optional<double> JsonValue::number() const
{
    double value = 0;
    if (!m_present || node().element.get_double().get(value) != simdjson::SUCCESS)
        return std::nullopt;
    return value;
}

std::optional<std::string_view> JsonValue::string() const
{
    std::string_view value;
    if (!m_present || node().element.get_string().get(value) != simdjson::SUCCESS)
        return std::nullopt;
    return value;
}

JsonValue JsonValue::operator[](std::string_view key) const
{
    dom::element member;
    if (!isObject() || node().element.at_key(key).get(member) != simdjson::SUCCESS)
        return JsonValue();
    return JsonValue(Node{member});
}

std::size_t JsonValue::size() const
{
    constexpr std::size_t countCap = 0xFFFFFF; // simdjson stores counts in 24 bits and stops there
    const auto count = [](const auto& items) {
        return items.size() < countCap
                   ? items.size()
                   : static_cast<std::size_t>(std::distance(items.begin(), items.end()));
    };
    dom::array array;
    dom::object object;
    if (m_present && node().element.get_array().get(array) == simdjson::SUCCESS)
        return count(array);
    if (m_present && node().element.get_object().get(object) == simdjson::SUCCESS)
        return count(object);
    return 0;
}

void JsonValue::forEachElement(const std::function<void(JsonValue)>& visit) const
{
    dom::array array;
    if (!m_present || node().element.get_array().get(array) != simdjson::SUCCESS)
        return;
    for (const dom::element element : array)
        visit(JsonValue(Node{element}));
}

void JsonValue::forEachMember(const std::function<void(std::string_view, JsonValue)>& visit) const
{
    dom::object object;
    if (!m_present || node().element.get_object().get(object) != simdjson::SUCCESS)
        return;
    for (const dom::key_value_pair member : object)
        visit(member.key, JsonValue(Node{member.value}));
}

JsonDocument::JsonDocument(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
JsonDocument::JsonDocument(JsonDocument&&) noexcept = default;
JsonDocument& JsonDocument::operator=(JsonDocument&&) noexcept = default;
JsonDocument::~JsonDocument() = default;

Result<JsonDocument> JsonDocument::parse(std::string_view text, const std::string& name)
{
    auto impl = std::make_unique<Impl>();
    dom::parser parser;
    simdjson::error_code status = parser.allocate(text.size(), deepestNesting);
    if (status == simdjson::SUCCESS)
        status = parser.parse_into_document(impl->document, simdjson::padded_string(text)).error();
    if (status == simdjson::NUMBER_ERROR) {
        const std::string widened = withLargeIntegersAsReals(text);
        status = parser.allocate(widened.size(), deepestNesting);
        if (status == simdjson::SUCCESS)
            status = parser.parse_into_document(impl->document, simdjson::padded_string(widened))
                         .error();
    }
    if (status == simdjson::MEMALLOC)
        return Error{ErrorCode::OutOfMemory, name + ": not enough memory to read it as JSON"};
    if (status == simdjson::DEPTH_ERROR)
        return Error{ErrorCode::BadFormat, name + ": JSON nested deeper than " +
                                               std::to_string(deepestNesting) + " levels"};
    if (status != simdjson::SUCCESS)
        return Error{ErrorCode::BadFormat,
                     name + ": not valid JSON: " + simdjson::error_message(status)};
    return JsonDocument(std::move(impl));
}

Result<JsonDocument> JsonDocument::read(const std::filesystem::path& path)
{
    const Result<MappedFile> file = MappedFile::open(path);
    if (!file)
        return file.error();
    const std::span<const std::byte> bytes = file->bytes();
    return parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path.string());
}

JsonValue JsonDocument::root() const
{
    return JsonValue(JsonValue::Node{m_impl->document.root()});
}

} // namespace engine
