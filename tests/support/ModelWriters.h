#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tests {

/// Little-endian single precision.
std::string floatBytes(std::span<const float> values);

/// `count` numbers between -scale and scale (exclusive), the same for the same seed everywhere.
std::vector<float> randomFloats(std::size_t count, std::uint32_t seed, float scale = 1.0F);

/// Ends the test program where it cannot be written.
void writeFile(const std::filesystem::path& path, std::string_view bytes);
std::string readFile(const std::filesystem::path& path);

/// Writes GGUF files, good ones and, by its parts, bad ones.
class GgufWriter
{
public:
    // Type numbers of the specification.
    enum ValueType : std::uint32_t
    {
        UInt16 = 2,
        UInt32 = 4,
        Int32 = 5,
        Float32 = 6,
        Bool = 7,
        String = 8,
        Array = 9
    };
    enum TensorType : std::uint32_t
    {
        F32 = 0,
        F16 = 1,
        Q4_0 = 2,
        Q8_0 = 8,
        Q4_K = 12,
        IQ2_XS = 17,
        BF16 = 30
    };

    GgufWriter& text(std::string_view key, std::string_view value);
    GgufWriter& integer(std::string_view key, std::uint32_t value);
    /// An unsigned one of 16 bits, as split.no and split.count are.
    GgufWriter& smallInteger(std::string_view key, std::uint16_t value);
    GgufWriter& real(std::string_view key, float value);
    GgufWriter& boolean(std::string_view key, bool value);
    GgufWriter& texts(std::string_view key, const std::vector<std::string>& values);
    GgufWriter& integers(std::string_view key, const std::vector<std::int32_t>& values);
    GgufWriter& reals(std::string_view key, const std::vector<float>& values);
    /// `bytes` as they are behind the key and the type.
    GgufWriter& value(std::string_view key, std::uint32_t type, std::string_view bytes);

    /// `shape` outermost first. The offset is the next free one, unless given.
    GgufWriter& tensor(std::string_view name, const std::vector<std::uint64_t>& shape,
                       std::uint32_t type, std::string_view bytes, std::int64_t offset = -1);

    std::string bytes(std::uint32_t version = 3, std::size_t alignment = 32) const;

private:
    std::uint64_t m_keys = 0;
    std::string m_metadata;
    std::uint64_t m_tensors = 0;
    std::string m_directory;
    std::string m_data;
};

/// Writes safetensors files; the header may also be given as it is.
class SafetensorsWriter
{
public:
    SafetensorsWriter& tensor(std::string_view name, std::string_view dtype,
                              const std::vector<std::uint64_t>& shape, std::string_view bytes);
    std::string bytes() const;
    static std::string bytes(std::string_view header, std::string_view data);

private:
    std::string m_header;
    std::string m_data;
};

struct TinyTensor
{
    std::string name; ///< GGUF name
    std::vector<std::uint64_t> shape;
    std::vector<float> values;
};

/// The tensors of a llama of random weights: vocabulary 16, width 8, 2 layers, 2 heads that share
/// one group of keys, feed-forward width 12.
std::vector<TinyTensor> tinyLlamaTensors();

/// Its metadata, without tensors and without a tokenizer; context length 32.
GgufWriter tinyLlamaMetadata();

/// What marks a file as part `number` (from 0) of `count`.
GgufWriter& addSplit(GgufWriter& writer, int number, int count, int tensors);

/// A whole file of it in F32.
std::string tinyLlamaGguf();

/// The same, split into as many files in `folder` as fit NAME-00001-of-0000N.gguf; gives their
/// paths. The first has metadata only, the others the tensors in their order.
std::vector<std::filesystem::path> writeSplitLlama(const std::filesystem::path& folder,
                                                   const std::string& name, int count);

/// The same as config.json, and the Hugging Face name of one of its tensors. (The values are not
/// reordered, so a folder made of them is another model than the GGUF file.)
std::string tinyLlamaConfig();
std::string huggingFaceName(std::string_view ggufName);

} // namespace tests
