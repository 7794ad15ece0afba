#pragma once

#include "engine/api/Error.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// A value inside a JsonDocument, which must outlive it. Every accessor is total: asking for what
/// is not there gives nothing (or a Missing value), so readers of untrusted files need no
/// exceptions.
class JsonValue
{
public:
    JsonValue() = default; ///< Missing

    bool isMissing() const; ///< absent, as opposed to null
    bool isNull() const;
    bool isObject() const;
    bool isArray() const;
    bool isString() const;
    bool isNumber() const;

    std::optional<bool> boolean() const;
    std::optional<std::int64_t> integer() const; ///< also a number such as 4.0 that is whole
    std::optional<double> number() const;
    std::optional<std::string_view> string() const; ///< UTF-8, lives as long as the document

    /// The member of an object; Missing for other kinds and absent keys. `value["a"]["b"]` is safe.
    JsonValue operator[](std::string_view key) const;

    std::size_t size() const; ///< of an array or object, else 0
    void forEachElement(const std::function<void(JsonValue)>& visit) const;
    void forEachMember(const std::function<void(std::string_view, JsonValue)>& visit) const;

private:
    friend class JsonDocument;
    struct Node; // the parser's own value type, kept out of this header
    explicit JsonValue(const Node& node);
    Node node() const;

    // Room for the parser's value, which is a document pointer and an index.
    alignas(void*) std::array<std::byte, 2 * sizeof(void*)> m_storage{};
    bool m_present = false;
};

/// A parsed JSON text. Hides which parser does it (simdjson).
class JsonDocument
{
public:
    /// `name` begins the error messages. Errors: BadFormat (not JSON, not UTF-8, nested too deep).
    static Result<JsonDocument> parse(std::string_view text, const std::string& name);
    /// Errors: those of reading the file, and of parse.
    static Result<JsonDocument> read(const std::filesystem::path& path);

    JsonDocument(JsonDocument&&) noexcept;
    JsonDocument& operator=(JsonDocument&&) noexcept;
    ~JsonDocument();

    JsonValue root() const;

private:
    struct Impl;
    explicit JsonDocument(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace engine
