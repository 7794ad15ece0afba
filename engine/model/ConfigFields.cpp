#include "engine/model/ConfigFields.h"

#include "engine/io/FileError.h"

#include <cmath>

namespace engine {

namespace {

// Above every size of a real model, and small enough that products of two never overflow.
constexpr std::int64_t largestSize = 1 << 28;

std::string shown(double number)
{
    return number == std::floor(number) && std::abs(number) < 1e15
               ? std::to_string(static_cast<std::int64_t>(number))
               : std::to_string(number);
}

} // namespace

ConfigFields::ConfigFields(const GgufFile& file, std::string prefix)
    : m_gguf(&file), m_prefix(std::move(prefix)), m_path(file.path())
{}

ConfigFields::ConfigFields(JsonValue object, std::filesystem::path path)
    : m_object(object), m_path(std::move(path))
{}

const std::string& ConfigFields::whole(std::string_view key) const
{
    return *m_asked.insert(m_prefix + std::string(key)).first;
}

JsonValue ConfigFields::json(std::string_view key) const
{
    return m_gguf != nullptr ? JsonValue() : member(key);
}

bool ConfigFields::has(std::string_view key) const
{
    if (m_gguf != nullptr)
        return m_gguf->find(whole(key)) != nullptr;
    const JsonValue value = member(key);
    return !value.isMissing() && !value.isNull();
}

bool ConfigFields::isNull(std::string_view key) const
{
    return m_gguf == nullptr && member(key).isNull();
}

int ConfigFields::size(std::string_view key)
{
    const std::optional<std::int64_t> value = integer(key);
    if (value && *value >= 1 && *value <= largestSize)
        return static_cast<int>(*value);
    static const std::string expected =
        "expected a whole number from 1 to " + std::to_string(largestSize);
    bad(key, expected.c_str(),
        value ? std::optional(static_cast<double>(*value)) : std::optional<double>());
    return 1;
}

int ConfigFields::size(std::string_view key, int fallback)
{
    return has(key) ? size(key) : fallback;
}

double ConfigFields::positive(std::string_view key)
{
    const std::optional<double> value = number(key);
    if (value && std::isfinite(*value) && *value > 0)
        return *value;
    bad(key, "expected a number above 0", value);
    return 1;
}

double ConfigFields::positive(std::string_view key, double fallback)
{
    return has(key) ? positive(key) : fallback;
}

bool ConfigFields::boolean(std::string_view key, bool fallback)
{
    const std::optional<bool> value = boolean(key);
    if (!value && has(key))
        bad(key, "expected true or false", std::nullopt);
    return value.value_or(fallback);
}

std::optional<bool> ConfigFields::boolean(std::string_view key) const
{
    return m_gguf != nullptr ? m_gguf->boolean(whole(key)) : member(key).boolean();
}

std::optional<double> ConfigFields::number(std::string_view key) const
{
    return m_gguf != nullptr ? m_gguf->number(whole(key)) : member(key).number();
}

std::optional<std::int64_t> ConfigFields::integer(std::string_view key) const
{
    return m_gguf != nullptr ? m_gguf->integer(whole(key)) : member(key).integer();
}

std::optional<std::string_view> ConfigFields::text(std::string_view key) const
{
    return m_gguf != nullptr ? m_gguf->string(whole(key)) : member(key).string();
}

std::optional<std::vector<double>> ConfigFields::numbers(std::string_view key) const
{
    std::vector<double> values;
    if (m_gguf != nullptr) {
        const GgufArray* array = m_gguf->array(whole(key));
        if (array != nullptr && array->numbers() != nullptr)
            return *array->numbers();
        if (array == nullptr || array->integers() == nullptr)
            return std::nullopt;
        for (const std::int64_t value : *array->integers())
            values.push_back(static_cast<double>(value));
        return values;
    }
    if (!member(key).isArray())
        return std::nullopt;
    bool allNumbers = true;
    member(key).forEachElement([&](JsonValue value) {
        const std::optional<double> number =
            value.boolean() ? std::optional(*value.boolean() ? 1.0 : 0.0) : value.number();
        allNumbers = allNumbers && number;
        values.push_back(number.value_or(0));
    });
    return allNumbers ? std::optional(values) : std::nullopt;
}

std::vector<std::string_view> ConfigFields::texts(std::string_view key) const
{
    std::vector<std::string_view> values;
    json(key).forEachElement(
        [&](JsonValue value) { values.push_back(value.string().value_or("")); });
    return values;
}

void ConfigFields::refuse(ErrorCode code, std::string_view key, const std::string& message)
{
    refuse(code, m_prefix + std::string(key) + ": " + message);
}

void ConfigFields::refuse(ErrorCode code, const std::string& message)
{
    if (!m_error)
        m_error = fileError(code, m_path, message);
}

void ConfigFields::take(const ConfigFields& part)
{
    if (!m_error)
        m_error = part.m_error;
}

bool ConfigFields::wasAsked(std::string_view key) const
{
    return m_asked.contains(m_prefix + std::string(key));
}

std::vector<std::string> ConfigFields::unread() const
{
    std::vector<std::string> keys;
    if (m_gguf != nullptr)
        for (const auto& [key, value] : m_gguf->metadata())
            if (key.starts_with(m_prefix) && !m_asked.contains(key))
                keys.push_back(key.substr(m_prefix.size()));
    return keys;
}

void ConfigFields::bad(std::string_view key, const char* expected,
                       const std::optional<double>& found)
{
    refuse(ErrorCode::BadFormat, key,
           std::string(expected) + ", found " +
               (found      ? shown(*found)
                : has(key) ? "something else"
                           : "nothing"));
}

} // namespace engine
