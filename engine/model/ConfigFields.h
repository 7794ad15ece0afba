#pragma once

#include "engine/api/Error.h"
#include "engine/io/GgufFile.h"
#include "engine/io/Json.h"

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// Reads hyperparameters by key from an untrusted file and checks their ranges. The first fault is
/// kept and the reader goes on with a harmless value, so that a caller asks for error() once, at
/// the end.
class ConfigFields
{
public:
    /// Keys are looked up behind `prefix` ("llama."). Both must outlive the reader.
    ConfigFields(const GgufFile& file, std::string prefix);
    ConfigFields(JsonValue object, std::filesystem::path path);

    bool isGguf() const { return m_gguf != nullptr; }
    const GgufFile* gguf() const { return m_gguf; } ///< null for a config.json
    JsonValue json(std::string_view key) const;     ///< Missing for a GGUF file
    const std::filesystem::path& path() const { return m_path; }

    bool has(std::string_view key) const;         ///< there, and not null
    bool isNull(std::string_view key) const;      ///< there as JSON's null
    int size(std::string_view key);               ///< required; 1 or more
    int size(std::string_view key, int fallback); ///< `fallback` where it is not there
    double positive(std::string_view key);        ///< required; finite and above 0
    double positive(std::string_view key, double fallback);
    bool boolean(std::string_view key, bool fallback);

    // Nothing where it is not there or of another kind.
    std::optional<bool> boolean(std::string_view key) const;
    std::optional<double> number(std::string_view key) const;
    std::optional<std::int64_t> integer(std::string_view key) const;
    std::optional<std::string_view> text(std::string_view key) const;
    std::optional<std::vector<double>> numbers(std::string_view key) const; ///< booleans are 0, 1
    std::vector<std::string_view> texts(std::string_view key) const;

    const std::optional<Error>& error() const { return m_error; }
    /// Keeps a fault of this key, unless there was one before.
    void refuse(ErrorCode code, std::string_view key, const std::string& message);
    /// The same of something that is no field.
    void refuse(ErrorCode code, const std::string& message);
    /// Keeps the fault of a reader of a part of the file, unless there was one before.
    void take(const ConfigFields& part);

    bool wasAsked(std::string_view key) const;
    /// The keys behind the prefix of a GGUF file that nobody has asked for.
    std::vector<std::string> unread() const;

private:
    const GgufFile* m_gguf = nullptr;
    JsonValue m_object;
    std::string m_prefix;
    std::filesystem::path m_path;
    std::optional<Error> m_error;
    mutable std::set<std::string, std::less<>> m_asked; ///< whole keys

    const std::string& whole(std::string_view key) const; ///< with the prefix; notes the asking
    JsonValue member(std::string_view key) const { return m_object[whole(key)]; }
    void bad(std::string_view key, const char* expected, const std::optional<double>& found);
};

} // namespace engine
