#include "engine/model/ConfigFields.h"

#include "engine/io/FileError.h"

#include <cmath>

namespace engine {

namespace {
// Above every size of a real model, and small enough that products of two never overflow.
constexpr std::int64_t largestSize = 1 << 28;
} // namespace

ConfigFields::ConfigFields(const GgufFile& file, std::string prefix)
    : m_gguf(&file), m_prefix(std::move(prefix)), m_path(file.path())
{}

ConfigFields::ConfigFields(JsonValue object, std::filesystem::path path)
    : m_object(object), m_path(std::move(path))
{}

bool ConfigFields::has(std::string_view key) const
{
    if (m_gguf != nullptr)
        return m_gguf->find(m_prefix + std::string(key)) != nullptr;
    const JsonValue value = m_object[key];
    return !value.isMissing() && !value.isNull();
}

int ConfigFields::size(std::string_view key)
{
    const std::optional<std::int64_t> value = integer(key);
    if (value && *value >= 1 && *value <= largestSize)
        return static_cast<int>(*value);
    keep(key, "expected a whole number from 1 to " + std::to_string(largestSize) + ", found " +
                  (value      ? std::to_string(*value)
                   : has(key) ? "something else"
                              : "nothing"));
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
    keep(key, "expected a number above 0, found " + (value      ? std::to_string(*value)
                                                     : has(key) ? "something else"
                                                                : "nothing"));
    return 1;
}

double ConfigFields::positive(std::string_view key, double fallback)
{
    return has(key) ? positive(key) : fallback;
}

Error ConfigFields::fault(ErrorCode code, std::string_view key, const std::string& message) const
{
    return fileError(code, m_path, m_prefix + std::string(key) + ": " + message);
}

std::optional<std::int64_t> ConfigFields::integer(std::string_view key) const
{
    return m_gguf != nullptr ? m_gguf->integer(m_prefix + std::string(key))
                             : m_object[key].integer();
}

std::optional<double> ConfigFields::number(std::string_view key) const
{
    return m_gguf != nullptr ? m_gguf->number(m_prefix + std::string(key)) : m_object[key].number();
}

void ConfigFields::keep(std::string_view key, const std::string& message)
{
    if (!m_error)
        m_error = fault(ErrorCode::BadFormat, key, message);
}

} // namespace engine
