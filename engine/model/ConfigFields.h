#pragma once

#include "engine/api/Error.h"
#include "engine/io/GgufFile.h"
#include "engine/io/Json.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace engine {

/// Reads numbers by key from an untrusted file and checks their ranges. The first fault is kept and
/// the reader goes on with a harmless value, so that a caller asks for error() once, at the end.
class ConfigFields
{
public:
    /// Keys are looked up behind `prefix` ("llama."). Both must outlive the reader.
    ConfigFields(const GgufFile& file, std::string prefix);
    ConfigFields(JsonValue object, std::filesystem::path path);

    bool has(std::string_view key) const;         ///< there, and not null
    int size(std::string_view key);               ///< required; 1 or more
    int size(std::string_view key, int fallback); ///< `fallback` where it is not there
    double positive(std::string_view key);        ///< required; finite and above 0
    double positive(std::string_view key, double fallback);

    const std::optional<Error>& error() const { return m_error; }
    Error fault(ErrorCode code, std::string_view key, const std::string& message) const;

private:
    std::optional<std::int64_t> integer(std::string_view key) const;
    std::optional<double> number(std::string_view key) const;
    void keep(std::string_view key, const std::string& message);

    const GgufFile* m_gguf = nullptr;
    JsonValue m_object;
    std::string m_prefix;
    std::filesystem::path m_path;
    std::optional<Error> m_error;
};

} // namespace engine
