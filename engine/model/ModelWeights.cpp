#include "engine/model/ModelWeights.h"

#include "engine/io/FileError.h"
#include "engine/io/Sha256.h"
#include "engine/tensor/Dequantize.h"

#include <algorithm>
#include <initializer_list>
#include <set>

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
        refuseUnknown(std::string(m_names.output) + ".bias", {});
        return m_error;
    }

private:
    enum class Bias
    {
        None, ///< the file says that there is none
        Optional,
        Required,
    };

    static std::string weightName(std::string_view base) { return std::string(base) + ".weight"; }

    /// `said` is what the file says itself.
    static Bias bias(bool required, std::optional<bool> said)
    {
        if (said)
            return *said ? Bias::Required : Bias::None;
        return required ? Bias::Required : Bias::Optional;
    }

    LayerWeights layer(int index)
    {
        std::string prefix(m_names.layer);
        prefix.replace(prefix.find('#'), 1, std::to_string(index));
        LayerWeights weights;
        loadNorms(weights, prefix);
        loadAttention(weights, prefix);
        loadFeedForward(weights, prefix);
        // Masks, and frequencies as older files carry them: computed here.
        refuseUnknown(prefix,
                      {"attn.bias", "attn.masked_bias", "attention.bias", "attention.masked_bias",
                       "attention.rotary_emb.inv_freq", "self_attn.rotary_emb.inv_freq"});
        return weights;
    }

    void loadNorms(LayerWeights& weights, const std::string& prefix)
    {
        const auto named = [&](std::string_view base) {
            return norm(prefix + std::string(base), m_config.width);
        };
        const NormPlacement placement = m_config.architecture->normPlacement;
        if (placement != NormPlacement::After) {
            weights.attentionNorm = named(m_names.attentionNorm);
            weights.feedForwardNorm = named(m_names.feedForwardNorm);
        }
        if (placement != NormPlacement::Before) {
            weights.attentionPostNorm = named(m_names.attentionPostNorm);
            weights.feedForwardPostNorm = named(m_names.feedForwardPostNorm);
        }
    }

    void loadAttention(LayerWeights& weights, const std::string& prefix)
    {
        const Architecture& architecture = *m_config.architecture;
        const auto named = [&](std::string_view base) { return prefix + std::string(base); };
        const Bias outputBias =
            bias(architecture.biases == RequiredBiases::All, m_config.attentionBias);
        const Bias qkvBias =
            architecture.biases == RequiredBiases::Qkv ? Bias::Required : outputBias;
        const std::int64_t width = m_config.width;
        const std::int64_t query = m_config.queryWidth();
        const std::int64_t kv = m_config.kvWidth();
        if (architecture.fusedQkv) {
            weights.qkv.push_back(linear(named(m_names.qkv), query + 2 * kv, width, qkvBias));
        } else {
            weights.qkv.push_back(linear(named(m_names.q), query, width, qkvBias));
            weights.qkv.push_back(linear(named(m_names.k), kv, width, qkvBias));
            weights.qkv.push_back(linear(named(m_names.v), kv, width, qkvBias));
        }
        if (architecture.qkNorm != QkNorm::None) {
            const bool perHead = architecture.qkNorm == QkNorm::PerHead;
            weights.qNorm = norm(named(m_names.qNorm), perHead ? m_config.headDim : query);
            weights.kNorm = norm(named(m_names.kNorm), perHead ? m_config.headDim : kv);
        }
        weights.attentionOutput = linear(named(m_names.attentionOutput), width, query, outputBias);
    }

    void loadFeedForward(LayerWeights& weights, const std::string& prefix)
    {
        const Architecture& architecture = *m_config.architecture;
        const auto named = [&](std::string_view base) { return prefix + std::string(base); };
        const Bias use = bias(architecture.biases == RequiredBiases::All, m_config.feedForwardBias);
        const std::int64_t width = m_config.width;
        const std::int64_t hidden = m_config.feedForwardWidth;
        if (architecture.fusedGateUp) {
            const Linear both = linear(named(m_names.gateUp), 2 * hidden, width, Bias::None);
            weights.gate = rows(both, 0, hidden);
            weights.up = rows(both, hidden, hidden);
        } else {
            if (architecture.gated)
                weights.gate = linear(named(m_names.gate), hidden, width, use);
            weights.up = linear(named(m_names.up), hidden, width, use);
        }
        weights.down = linear(named(m_names.down), width, hidden, use);
    }

    Linear linear(const std::string& base, std::int64_t outputs, std::int64_t inputs, Bias use)
    {
        Linear result;
        result.weight.layout =
            m_names.inputRows ? MatrixLayout::InputRows : MatrixLayout::OutputRows;
        const Shape shape = m_names.inputRows ? Shape{inputs, outputs} : Shape{outputs, inputs};
        result.weight.view = tensor(weightName(base), shape);
        if (use != Bias::None)
            result.bias = biasVector(base, outputs, use == Bias::Required);
        return result;
    }

    /// `count` outputs of a matrix stored by outputs, from `begin` on.
    static Linear rows(const Linear& whole, std::int64_t begin, std::int64_t count)
    {
        const TensorView& view = whole.weight.view;
        const std::size_t rowBytes =
            view.bytes.size() / static_cast<std::size_t>(std::max<std::int64_t>(1, view.shape[0]));
        Linear part = whole;
        part.weight.view.shape[0] = std::min(count, view.shape[0]); // none after a fault
        part.weight.view.bytes = view.bytes.subspan(static_cast<std::size_t>(begin) * rowBytes,
                                                    static_cast<std::size_t>(count) * rowBytes);
        return part;
    }

    Norm norm(std::string_view base, std::int64_t size)
    {
        Norm result;
        result.weight = vector(weightName(base), size);
        for (float& weight : result.weight)
            weight += m_names.normOffset;
        result.bias =
            biasVector(std::string(base), size, m_config.architecture->norm == NormKind::Layer);
        return result;
    }

    std::vector<float> biasVector(const std::string& base, std::int64_t size, bool required)
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

    /// A tensor that the network does not use belongs to one that computes something more.
    /// `harmless`: what may stand behind `prefix` all the same.
    void refuseUnknown(const std::string& prefix, std::initializer_list<std::string_view> harmless)
    {
        const std::size_t stripped = m_weights.m_tensors.keyOf(prefix).size();
        for (const std::string& name : m_weights.m_tensors.namesFrom(prefix)) {
            if (m_error || m_used.contains(m_weights.m_tensors.find(name)))
                continue;
            const bool known =
                std::any_of(harmless.begin(), harmless.end(), [&](std::string_view ending) {
                    return std::string_view(name).substr(stripped) == ending;
                });
            if (!known)
                m_error = fileError(ErrorCode::UnsupportedFeature, m_weights.m_tensors.fileOf(name),
                                    "tensor " + printable(name) + " is not known to architecture " +
                                        std::string(m_config.architecture->name) +
                                        ", and would change the numbers");
        }
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
        m_used.insert(found);
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
    std::set<const TensorView*> m_used;
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

std::optional<std::string>
ModelWeights::fingerprint(const std::function<bool(std::uint64_t)>& goOn) const
{
    constexpr std::size_t piece = std::size_t{1} << 20;
    Sha256 digest;
    std::uint64_t bytesRead = 0;
    for (const SourceFile& source : m_tensors.sources()) {
        if (m_tensors.isFolder()) // whose files are told apart by their names
            digest.addField(source.name).addNumber(source.bytes.size());
        for (std::size_t at = 0; at < source.bytes.size(); at += piece) {
            if (!goOn(bytesRead))
                return std::nullopt;
            const auto part = source.bytes.subspan(at, std::min(piece, source.bytes.size() - at));
            digest.add(part);
            bytesRead += part.size();
        }
    }
    return digest.hex();
}

std::string ModelWeights::fingerprint() const
{
    return *fingerprint([](std::uint64_t) { return true; });
}

} // namespace engine
