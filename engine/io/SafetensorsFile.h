#pragma once

#include "engine/api/Error.h"
#include "engine/io/MappedFile.h"
#include "engine/tensor/Tensor.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// A safetensors file: a JSON header that names each tensor's type, shape and place, then the data.
/// Source: the safetensors format (github.com/huggingface/safetensors, "Format").
/// Thread: const after open.
class SafetensorsFile
{
public:
    /// Errors: those of MappedFile, BadFormat, Truncated. A tensor of a type that cannot be read
    /// (an integer mask, say) is no error until someone wants it: see unsupported().
    static Result<SafetensorsFile> open(const std::filesystem::path& path);

    const std::filesystem::path& path() const { return m_path; }
    std::span<const std::byte> bytes() const { return m_file.bytes(); }

    const std::vector<NamedTensor>& tensors() const { return m_tensors; } ///< in header order

    /// Name to type name ("I64") of the tensors that are there but of another type than F32, F16,
    /// BF16.
    const std::map<std::string, std::string, std::less<>>& unsupported() const
    {
        return m_unsupported;
    }

private:
    friend class SafetensorsParser;
    explicit SafetensorsFile(MappedFile file) : m_file(std::move(file)) {}

    MappedFile m_file;
    std::filesystem::path m_path;
    std::vector<NamedTensor> m_tensors;
    std::map<std::string, std::string, std::less<>> m_unsupported;
};

} // namespace engine
