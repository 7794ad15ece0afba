#include "engine/model/ModelWeights.h"

#include "engine/io/FileError.h"
#include "engine/io/Sha256.h"
#include "engine/tensor/Dequantize.h"

namespace engine {

/// Finds the tensors one after the other. The first fault is kept; what is asked for after it comes
/// out empty, so that the network's structure can be written down without a check at each tensor.
class WeightLoader
{
public:
    WeightLoader(const ModelConfig& config, const TensorNames& names, ModelWeights& weights)
        : m_config(config), m_names(names), m_weights(weights)
    {}

    std::optional<Error> load()
    {
        const std::int64_t width = m_config.width;
        const Shape embeddingShape = {m_config.vocabularySize, width};
        m_weights.m_tokenEmbedding = tensor(weightName(m_names.tokenEmbedding), embeddingShape);
        if (!m_config.architecture->rotary)
            m_weights.m_positionEmbedding =
                tensor(weightName(m_names.positionEmbedding), {m_config.contextLength, width});
        for (int i = 0; i < m_config.layers && !m_error; ++i)
            m_weights.m_layers.push_back(layer(i));
        m_weights.m_outputNorm = norm(m_names.outputNorm, width);
        const bool headInFile = m_weights.m_tensors.find(weightName(m_names.output)) != nullptr;
        const bool tied = m_config.tiedEmbeddings.value_or(!headInFile);
        m_weights.m_output.weight.view =
            tied ? m_weights.m_tokenEmbedding : tensor(weightName(m_names.output), embeddingShape);
        return m_error;
    }

private:
    static std::string weightName(std::string_view base) { return std::string(base) + ".weight"; }

    LayerWeights layer(int index)
    {
        const Architecture& architecture = *m_config.architecture;
        std::string prefix(m_names.layer);
        prefix.replace(prefix.find('#'), 1, std::to_string(index));
        const auto named = [&](std::string_view base) { return prefix + std::string(base); };
        const bool allBiases = architecture.biases == RequiredBiases::All;
        const bool qkvBiases = architecture.biases != RequiredBiases::None;
        const std::int64_t width = m_config.width;
        const std::int64_t hidden = m_config.feedForwardWidth;
        const std::int64_t query = m_config.queryWidth();
        const std::int64_t kv = m_config.kvWidth();

        LayerWeights weights;
        weights.attentionNorm = norm(named(m_names.attentionNorm), width);
        if (architecture.fusedQkv) {
            weights.qkv.push_back(linear(named(m_names.qkv), query + 2 * kv, width, qkvBiases));
        } else {
            weights.qkv.push_back(linear(named(m_names.q), query, width, qkvBiases));
            weights.qkv.push_back(linear(named(m_names.k), kv, width, qkvBiases));
            weights.qkv.push_back(linear(named(m_names.v), kv, width, qkvBiases));
        }
        if (architecture.qkNorm) {
            weights.qNorm = norm(named(m_names.qNorm), m_config.headDim);
            weights.kNorm = norm(named(m_names.kNorm), m_config.headDim);
        }
        weights.attentionOutput = linear(named(m_names.attentionOutput), width, query, allBiases);
        weights.feedForwardNorm = norm(named(m_names.feedForwardNorm), width);
        if (architecture.feedForward == FeedForwardKind::GatedSilu)
            weights.gate = linear(named(m_names.gate), hidden, width, allBiases);
        weights.up = linear(named(m_names.up), hidden, width, allBiases);
        weights.down = linear(named(m_names.down), width, hidden, allBiases);
        return weights;
    }

    Linear linear(const std::string& base, std::int64_t outputs, std::int64_t inputs,
                  bool biasRequired)
    {
        Linear result;
        result.weight.layout =
            m_names.inputRows ? MatrixLayout::InputRows : MatrixLayout::OutputRows;
        const Shape shape = m_names.inputRows ? Shape{inputs, outputs} : Shape{outputs, inputs};
        result.weight.view = tensor(weightName(base), shape);
        result.bias = bias(base, outputs, biasRequired);
        return result;
    }

    Norm norm(std::string_view base, std::int64_t size)
    {
        Norm result;
        result.weight = vector(weightName(base), size);
        result.bias = bias(std::string(base), size, m_config.architecture->norm == NormKind::Layer);
        return result;
    }

    std::vector<float> bias(const std::string& base, std::int64_t size, bool required)
    {
        const std::string name = base + ".bias";
        if (!required && m_weights.m_tensors.find(name) == nullptr)
            return {};
        return vector(name, size);
    }

    std::vector<float> vector(const std::string& name, std::int64_t size)
    {
        return toFloats(tensor(name, {size}));
    }

    /// The tensor of this name, which must have this shape; an empty one after a fault.
    TensorView tensor(const std::string& name, const Shape& shape)
    {
        const TensorView empty{DType::F32, Shape(shape.size(), 0), {}};
        if (m_error)
            return empty;
        const TensorTable& tensors = m_weights.m_tensors;
        const TensorView* found = tensors.find(name);
        const std::string where = "tensor " + name;
        if (found == nullptr) {
            const std::string_view type = tensors.unsupportedType(name);
            m_error = type.empty() ? fileError(ErrorCode::MissingTensor, tensors.fileOf(name),
                                               where + " is missing")
                                   : fileError(ErrorCode::UnsupportedFeature, tensors.fileOf(name),
                                               where + ": type " + std::string(type) +
                                                   " is not supported (supported: F32, F16, BF16)");
            return empty;
        }
        if (found->shape != shape) {
            m_error = fileError(ErrorCode::BadShape, tensors.fileOf(name),
                                where + ": expected shape " + toString(shape) + ", found " +
                                    toString(found->shape));
            return empty;
        }
        count(*found);
        return *found;
    }

    void count(const TensorView& tensor)
    {
        const std::int64_t elements = elementCount(tensor.shape).value_or(0);
        const std::string type(traits(tensor.type).name);
        WeightStatistics& statistics = m_weights.m_statistics;
        statistics.parameters += elements;
        statistics.bytes += std::ssize(tensor.bytes);
        statistics.tensorTypes[type] += 1;
        statistics.parametersOfType[type] += elements;
    }

    const ModelConfig& m_config;
    const TensorNames& m_names;
    ModelWeights& m_weights;
    std::optional<Error> m_error;
};

Result<ModelWeights> ModelWeights::load(const ModelConfig& config, const TensorNames& names,
                                        TensorTable tensors)
{
    ModelWeights weights(std::move(tensors));
    weights.m_statistics.mixture = weights.m_tensors.mixture();
    if (std::optional<Error> error = WeightLoader(config, names, weights).load())
        return *error;
    return weights;
}

std::string ModelWeights::fingerprint() const
{
    Sha256 digest;
    for (const SourceFile& source : m_tensors.sources()) {
        if (m_tensors.isFolder()) // whose files are told apart by their names
            digest.addField(source.name).addNumber(source.bytes.size());
        digest.add(source.bytes);
    }
    return digest.hex();
}

} // namespace engine
