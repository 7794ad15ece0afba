#pragma once

#include "engine/api/Error.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace engine {

/// What a trace has been found to get wrong. Reading goes on with default values after the first
/// fault, so that the reader is a plain list of fields; the caller looks at `error` at the end.
struct TraceFault
{
    std::string name; ///< begins the message
    std::optional<Error> error;
};

/// A value inside a trace with the path that leads to it. Every accessor is total: what is of the
/// wrong kind or out of range is noted as the fault and read as the default. The fault and the JSON
/// outlive it.
class TraceField
{
public:
    using Json = nlohmann::ordered_json;

    TraceField(const Json& value, TraceFault& fault) : m_value(&value), m_fault(&fault) {}

    /// A member of an object; missing where there is none.
    TraceField operator[](const char* key) const;
    /// The elements of an array; none where the value is missing.
    std::vector<TraceField> elements() const;
    /// The keys of an object; none where the value is missing.
    std::vector<std::string> keys() const;

    bool isMissing() const { return m_value == nullptr || m_value->is_null(); } ///< or null
    /// Notes a fault where the value is missing.
    const TraceField& required() const;

    std::string string(std::string_view otherwise = "") const;
    bool boolean(bool otherwise) const;
    std::int64_t integer(std::int64_t least, std::int64_t greatest,
                         std::int64_t otherwise = 0) const;
    int count(int otherwise = 0) const; ///< an int from 0 up
    std::uint64_t unsigned64(std::uint64_t otherwise) const;
    double number(double otherwise = 0, double least = -std::numeric_limits<double>::max(),
                  double greatest = std::numeric_limits<double>::max()) const;
    float singleNumber(float otherwise = 0) const;
    double probability() const; ///< in [0, 1], but for rounding of a sum
    std::string hexBytes(std::string_view otherwise) const;
    std::string sha256() const; ///< 64 hexadecimal digits, or empty

    /// Notes "PATH: expected EXPECTED, found <this value>", unless there is a fault already.
    void fail(std::string_view expected) const;
    void fail(ErrorCode code, const std::string& message) const;

private:
    TraceField(const Json* value, std::string path, TraceFault* fault)
        : m_value(value), m_path(std::move(path)), m_fault(fault)
    {}

    const Json* m_value = nullptr;
    std::string m_path;
    TraceFault* m_fault = nullptr;
};

} // namespace engine
