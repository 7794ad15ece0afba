#pragma once

#include "engine/api/Error.h"
#include "engine/io/MappedFile.h"
#include "engine/tensor/Tensor.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace engine {

/// A metadata array. Strings are views into the mapped file; numbers are widened on reading.
struct GgufArray
{
    std::variant<std::vector<std::string_view>, std::vector<double>, std::vector<std::int64_t>>
        items;

    std::size_t size() const;
    const std::vector<std::string_view>* strings() const;
    const std::vector<double>* numbers() const;        ///< only of a float array
    const std::vector<std::int64_t>* integers() const; ///< of an integer or bool array
};

using GgufValue =
    std::variant<std::int64_t, std::uint64_t, double, bool, std::string_view, GgufArray>;

/// A GGUF file, versions 2 and 3, little-endian: header, metadata, tensor directory.
/// GGUF writes dimensions innermost first; `tensors()` has them outermost first, as everywhere
/// here. Source: the GGUF specification (ggml/docs/gguf.md). Thread: const after open.
class GgufFile
{
public:
    /// Errors: those of MappedFile, BadFormat, Truncated, UnsupportedFeature (version, tensor
    /// type).
    static Result<GgufFile> open(const std::filesystem::path& path);

    std::uint32_t version() const { return m_version; }
    const std::filesystem::path& path() const { return m_path; }
    std::span<const std::byte> bytes() const { return m_file.bytes(); }

    const std::map<std::string, GgufValue, std::less<>>& metadata() const { return m_metadata; }
    const GgufValue* find(std::string_view key) const;
    std::optional<std::int64_t> integer(std::string_view key) const; ///< any integer type that fits
    std::optional<double> number(std::string_view key) const;        ///< any float or integer type
    std::optional<bool> boolean(std::string_view key) const;
    std::optional<std::string_view> string(std::string_view key) const;
    const GgufArray* array(std::string_view key) const;

    const std::vector<NamedTensor>& tensors() const { return m_tensors; } ///< in file order
    const TensorView* tensor(std::string_view name) const;

    /// Makes this, the first part of a split model, the whole: `tensors()` goes on with those of
    /// the other parts, which stay open as long as this does. See GgufParts.
    void join(std::vector<std::shared_ptr<const GgufFile>> otherParts);
    const std::vector<std::shared_ptr<const GgufFile>>& otherParts() const { return m_otherParts; }

private:
    friend class GgufParser;
    explicit GgufFile(MappedFile file) : m_file(std::move(file)) {}

    MappedFile m_file;
    std::filesystem::path m_path;
    std::uint32_t m_version = 0;
    std::map<std::string, GgufValue, std::less<>> m_metadata;
    std::vector<NamedTensor> m_tensors;
    std::map<std::string, std::size_t, std::less<>> m_tensorIndex;
    std::vector<std::shared_ptr<const GgufFile>> m_otherParts;
};

} // namespace engine
