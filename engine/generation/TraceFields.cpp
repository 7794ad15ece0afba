#include "engine/generation/TraceFields.h"

#include "engine/generation/TraceNames.h"
#include "engine/io/FileError.h"

#include <algorithm>
#include <cmath>

namespace engine {

namespace {

using Json = TraceField::Json;

std::string shown(const Json* value)
{
    if (value == nullptr)
        return "nothing";
    if (value->is_object())
        return "an object";
    if (value->is_array())
        return "an array";
    return printable(value->dump(-1, ' ', true, Json::error_handler_t::replace));
}

/// A whole number, also written as 4.0.
std::optional<std::int64_t> wholeNumber(const Json& value)
{
    constexpr auto greatest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    constexpr double exactBelow = 0x1p53;
    if (value.is_number_unsigned()) {
        const auto number = value.get<std::uint64_t>();
        return number <= greatest ? std::optional(static_cast<std::int64_t>(number)) : std::nullopt;
    }
    if (value.is_number_integer())
        return value.get<std::int64_t>();
    if (value.is_number_float()) {
        const double number = value.get<double>();
        if (std::abs(number) < exactBelow && std::trunc(number) == number)
            return static_cast<std::int64_t>(number);
    }
    return std::nullopt;
}

std::string shortNumber(double value)
{
    return Json(value).dump();
}

} // namespace

TraceField TraceField::operator[](const char* key) const
{
    std::string path = m_path.empty() ? key : m_path + "." + key;
    const Json* member = nullptr;
    if (!isMissing()) {
        if (!m_value->is_object())
            fail("an object");
        else if (const auto found = m_value->find(key); found != m_value->end())
            member = &*found;
    }
    return {member, std::move(path), m_fault};
}

std::vector<TraceField> TraceField::elements() const
{
    std::vector<TraceField> result;
    if (isMissing())
        return result;
    if (!m_value->is_array()) {
        fail("an array");
        return result;
    }
    result.reserve(m_value->size());
    for (const Json& element : *m_value)
        result.push_back({&element, m_path + "[" + std::to_string(result.size()) + "]", m_fault});
    return result;
}

std::vector<std::string> TraceField::keys() const
{
    std::vector<std::string> result;
    if (isMissing())
        return result;
    if (!m_value->is_object()) {
        fail("an object");
        return result;
    }
    for (auto member = m_value->begin(); member != m_value->end(); ++member)
        result.push_back(member.key());
    return result;
}

const TraceField& TraceField::required() const
{
    if (isMissing())
        fail("a value");
    return *this;
}

std::string TraceField::string(std::string_view otherwise) const
{
    if (isMissing())
        return std::string(otherwise);
    if (m_value->is_string())
        return m_value->get_ref<const std::string&>();
    fail("a text");
    return std::string(otherwise);
}

bool TraceField::boolean(bool otherwise) const
{
    if (isMissing())
        return otherwise;
    if (m_value->is_boolean())
        return m_value->get<bool>();
    fail("true or false");
    return otherwise;
}

std::int64_t TraceField::integer(std::int64_t least, std::int64_t greatest,
                                 std::int64_t otherwise) const
{
    if (isMissing())
        return otherwise;
    const auto number = wholeNumber(*m_value);
    if (number && *number >= least && *number <= greatest)
        return *number;
    fail("a whole number from " + std::to_string(least) + " to " + std::to_string(greatest));
    return otherwise;
}

int TraceField::count(int otherwise) const
{
    return static_cast<int>(integer(0, std::numeric_limits<int>::max(), otherwise));
}

std::uint64_t TraceField::unsigned64(std::uint64_t otherwise) const
{
    if (isMissing())
        return otherwise;
    if (m_value->is_number_unsigned())
        return m_value->get<std::uint64_t>();
    fail("a whole number from 0 to 18446744073709551615");
    return otherwise;
}

double TraceField::number(double otherwise, double least, double greatest) const
{
    if (isMissing())
        return otherwise;
    if (!m_value->is_number()) {
        fail("a number");
        return otherwise;
    }
    const double number = m_value->get<double>();
    if (std::isfinite(number) && number >= least && number <= greatest)
        return number;
    fail("a number from " + shortNumber(least) + " to " + shortNumber(greatest));
    return otherwise;
}

float TraceField::singleNumber(float otherwise) const
{
    constexpr double largest = std::numeric_limits<float>::max();
    return static_cast<float>(number(otherwise, -largest, largest));
}

double TraceField::probability() const
{
    constexpr double rounding = 1e-9;
    if (isMissing())
        return 0;
    if (m_value->is_number()) {
        const double number = m_value->get<double>();
        if (number >= 0 && number <= 1 + rounding)
            return number;
    }
    fail("a probability from 0 to 1");
    return 0;
}

std::string TraceField::hexBytes(std::string_view otherwise) const
{
    if (isMissing())
        return std::string(otherwise);
    if (const auto bytes = fromHex(string()))
        return *bytes;
    fail("hexadecimal digits, two for each byte");
    return std::string(otherwise);
}

std::string TraceField::sha256() const
{
    std::string digest = string();
    const bool digits = std::all_of(digest.begin(), digest.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    });
    if (digest.empty() || (digest.size() == 64 && digits))
        return digest;
    fail("a SHA-256 digest of 64 lower-case hexadecimal digits");
    return {};
}

void TraceField::fail(std::string_view expected) const
{
    fail(ErrorCode::BadFormat, "expected " + std::string(expected) + ", found " + shown(m_value));
}

void TraceField::fail(ErrorCode code, const std::string& message) const
{
    if (m_fault->error)
        return;
    const std::string path = m_path.empty() ? "" : m_path + ": ";
    m_fault->error = Error{code, m_fault->name + ": " + path + message};
}

} // namespace engine
