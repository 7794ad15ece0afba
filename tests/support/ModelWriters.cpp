#include "tests/support/ModelWriters.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

namespace tests {

namespace {

template <typename T>
std::string raw(T value)
{
    std::string bytes(sizeof(T), '\0');
    std::memcpy(bytes.data(), &value, sizeof(T));
    return bytes;
}

std::string counted(std::string_view text)
{
    return raw<std::uint64_t>(text.size()) + std::string(text);
}

template <typename Items, typename Write>
std::string arrayBytes(std::uint32_t type, const Items& items, Write write)
{
    std::string bytes = raw(type) + raw<std::uint64_t>(items.size());
    for (const auto& item : items)
        bytes += write(item);
    return bytes;
}

std::string padding(std::size_t size, std::size_t alignment)
{
    return std::string((alignment - size % alignment) % alignment, '\0');
}

} // namespace

std::string floatBytes(std::span<const float> values)
{
    std::string bytes;
    for (const float value : values)
        bytes += raw(value);
    return bytes;
}

std::vector<float> randomFloats(std::size_t count, std::uint32_t seed, float scale)
{
    std::vector<float> values(count);
    std::uint32_t state = seed * 2654435761U + 12345U;
    for (float& value : values) {
        state = state * 1664525U + 1013904223U; // Numerical Recipes' linear congruential generator
        value = (static_cast<float>(state >> 8) / 8388608.0F - 1.0F) * scale;
    }
    return values;
}

void writeFile(const std::filesystem::path& path, std::string_view bytes)
{
    std::ofstream file(path, std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file) {
        std::fprintf(stderr, "cannot write %s\n", path.c_str());
        std::abort();
    }
}

std::string readFile(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

GgufWriter& GgufWriter::value(std::string_view key, std::uint32_t type, std::string_view bytes)
{
    m_metadata += counted(key) + raw(type) + std::string(bytes);
    ++m_keys;
    return *this;
}

GgufWriter& GgufWriter::text(std::string_view key, std::string_view text)
{
    return value(key, String, counted(text));
}

GgufWriter& GgufWriter::integer(std::string_view key, std::uint32_t number)
{
    return value(key, UInt32, raw(number));
}

GgufWriter& GgufWriter::smallInteger(std::string_view key, std::uint16_t number)
{
    return value(key, UInt16, raw(number));
}

GgufWriter& GgufWriter::real(std::string_view key, float number)
{
    return value(key, Float32, raw(number));
}

GgufWriter& GgufWriter::boolean(std::string_view key, bool flag)
{
    return value(key, Bool, flag ? "\1" : std::string(1, '\0'));
}

GgufWriter& GgufWriter::texts(std::string_view key, const std::vector<std::string>& values)
{
    return value(key, Array, arrayBytes(String, values, counted));
}

GgufWriter& GgufWriter::integers(std::string_view key, const std::vector<std::int32_t>& values)
{
    return value(key, Array, arrayBytes(Int32, values, raw<std::int32_t>));
}

GgufWriter& GgufWriter::reals(std::string_view key, const std::vector<float>& values)
{
    return value(key, Array, arrayBytes(Float32, values, raw<float>));
}

GgufWriter& GgufWriter::tensor(std::string_view name, const std::vector<std::uint64_t>& shape,
                               std::uint32_t type, std::string_view bytes, std::int64_t offset)
{
    m_directory += counted(name) + raw(static_cast<std::uint32_t>(shape.size()));
    for (auto size = shape.rbegin(); size != shape.rend(); ++size)
        m_directory += raw(*size);
    const std::uint64_t place = offset < 0 ? m_data.size() : static_cast<std::uint64_t>(offset);
    m_directory += raw(type) + raw(place);
    m_data += bytes;
    m_data += padding(m_data.size(), 32);
    ++m_tensors;
    return *this;
}

std::string GgufWriter::bytes(std::uint32_t version, std::size_t alignment) const
{
    std::string file =
        "GGUF" + raw(version) + raw(m_tensors) + raw(m_keys) + m_metadata + m_directory;
    return file + padding(file.size(), alignment) + m_data;
}

SafetensorsWriter& SafetensorsWriter::tensor(std::string_view name, std::string_view dtype,
                                             const std::vector<std::uint64_t>& shape,
                                             std::string_view bytes)
{
    std::ostringstream entry;
    entry << (m_header.empty() ? "" : ",") << '"' << name << "\":{\"dtype\":\"" << dtype
          << "\",\"shape\":[";
    for (std::size_t i = 0; i < shape.size(); ++i)
        entry << (i == 0 ? "" : ",") << shape[i];
    entry << "],\"data_offsets\":[" << m_data.size() << ',' << m_data.size() + bytes.size() << "]}";
    m_header += entry.str();
    m_data += bytes;
    return *this;
}

std::string SafetensorsWriter::bytes() const
{
    return bytes("{" + m_header + "}", m_data);
}

std::string SafetensorsWriter::bytes(std::string_view header, std::string_view data)
{
    return counted(header) + std::string(data);
}

std::vector<TinyTensor> tinyLlamaTensors()
{
    std::vector<TinyTensor> tensors;
    const auto add = [&](const std::string& name, std::uint64_t rows, std::uint64_t columns) {
        const auto seed = static_cast<std::uint32_t>(tensors.size() + 1);
        const bool vector = columns == 0;
        std::vector<float> values =
            randomFloats(static_cast<std::size_t>(vector ? rows : rows * columns), seed);
        tensors.push_back(
            {name + ".weight",
             vector ? std::vector<std::uint64_t>{rows} : std::vector<std::uint64_t>{rows, columns},
             std::move(values)});
    };
    add("token_embd", 16, 8);
    for (const std::string layer : {"blk.0.", "blk.1."}) {
        add(layer + "attn_norm", 8, 0);
        add(layer + "attn_q", 8, 8);
        add(layer + "attn_k", 4, 8);
        add(layer + "attn_v", 4, 8);
        add(layer + "attn_output", 8, 8);
        add(layer + "ffn_norm", 8, 0);
        add(layer + "ffn_gate", 12, 8);
        add(layer + "ffn_up", 12, 8);
        add(layer + "ffn_down", 8, 12);
    }
    add("output_norm", 8, 0);
    add("output", 16, 8);
    return tensors;
}

GgufWriter tinyLlamaMetadata()
{
    GgufWriter writer;
    writer.text("general.architecture", "llama")
        .text("general.name", "tiny")
        .integer("llama.block_count", 2)
        .integer("llama.context_length", 32)
        .integer("llama.embedding_length", 8)
        .integer("llama.feed_forward_length", 12)
        .integer("llama.attention.head_count", 2)
        .integer("llama.attention.head_count_kv", 1)
        .real("llama.attention.layer_norm_rms_epsilon", 1e-5F);
    return writer;
}

std::string tinyLlamaGguf()
{
    GgufWriter writer = tinyLlamaMetadata();
    for (const TinyTensor& tensor : tinyLlamaTensors())
        writer.tensor(tensor.name, tensor.shape, GgufWriter::F32, floatBytes(tensor.values));
    return writer.bytes();
}

GgufWriter& addSplit(GgufWriter& writer, int number, int count, int tensors)
{
    return writer.smallInteger("split.no", static_cast<std::uint16_t>(number))
        .smallInteger("split.count", static_cast<std::uint16_t>(count))
        .value("split.tensors.count", GgufWriter::Int32, raw(std::int32_t{tensors}));
}

std::vector<std::filesystem::path> writeSplitLlama(const std::filesystem::path& folder,
                                                   const std::string& name, int count)
{
    const std::vector<TinyTensor> tensors = tinyLlamaTensors();
    const std::size_t each = (tensors.size() + static_cast<std::size_t>(count) - 2) /
                             static_cast<std::size_t>(count - 1);
    std::vector<std::filesystem::path> paths;
    for (int number = 0; number < count; ++number) {
        GgufWriter writer = number == 0 ? tinyLlamaMetadata() : GgufWriter();
        addSplit(writer, number, count, static_cast<int>(tensors.size()));
        for (std::size_t i = 0; i < tensors.size(); ++i)
            if (i / each + 1 == static_cast<std::size_t>(number))
                writer.tensor(tensors[i].name, tensors[i].shape, GgufWriter::F32,
                              floatBytes(tensors[i].values));
        char ending[40];
        std::snprintf(ending, sizeof(ending), "-%05d-of-%05d.gguf", number + 1, count);
        paths.push_back(folder / (name + ending));
        writeFile(paths.back(), writer.bytes());
    }
    return paths;
}

std::string tinyLlamaConfig()
{
    return R"({"model_type": "llama", "vocab_size": 16, "hidden_size": 8, "intermediate_size": 12,
 "num_hidden_layers": 2, "num_attention_heads": 2, "num_key_value_heads": 1,
 "max_position_embeddings": 32, "rms_norm_eps": 1e-05, "hidden_act": "silu"})";
}

std::string huggingFaceName(std::string_view ggufName)
{
    static const std::map<std::string, std::string, std::less<>> parts = {
        {"token_embd", "model.embed_tokens"},
        {"output_norm", "model.norm"},
        {"output", "lm_head"},
        {"attn_norm", "input_layernorm"},
        {"attn_q", "self_attn.q_proj"},
        {"attn_k", "self_attn.k_proj"},
        {"attn_v", "self_attn.v_proj"},
        {"attn_output", "self_attn.o_proj"},
        {"ffn_norm", "post_attention_layernorm"},
        {"ffn_gate", "mlp.gate_proj"},
        {"ffn_up", "mlp.up_proj"},
        {"ffn_down", "mlp.down_proj"},
    };
    std::string_view base = ggufName.substr(0, ggufName.rfind('.'));
    std::string prefix;
    if (base.starts_with("blk.")) {
        prefix = "model.layers." + std::string(base.substr(4, 2)); // one digit and its dot
        base = base.substr(6);
    }
    return prefix + parts.find(base)->second + std::string(ggufName.substr(ggufName.rfind('.')));
}

} // namespace tests
