#include "engine/model/Transformer.h"

#include "engine/model/Attention.h"
#include "engine/model/ForwardState.h"
#include "engine/model/KvCache.h"
#include "engine/model/ModelConfig.h"
#include "engine/model/ModelWeights.h"
#include "engine/tensor/Dequantize.h"
#include "engine/tensor/MatVec.h"
#include "engine/tensor/Ops.h"
#include "engine/tensor/ThreadPool.h"
#include "engine/tensor/VectorKernels.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <string>

namespace engine {

namespace {

// Tokens that pass through the layers together: enough that each weight is read from memory once
// for many tokens, few enough that their activations stay in the caches.
constexpr std::int64_t tokensAtOnce = 128;

/// The activations of one pass, kept between calls.
struct Scratch
{
    std::int64_t tokens = 0;      ///< room
    Activations x;                ///< the residual stream, [tokens, width]
    Activations normed;           ///< [tokens, width]
    std::vector<Activations> qkv; ///< one for each matrix of LayerWeights::qkv
    Activations attended;         ///< [tokens, heads * headDim]
    Activations gate;             ///< [tokens, feedForwardWidth]
    Activations up;
    Activations delta;                           ///< what a block adds to x
    std::vector<std::vector<RopeAngles>> angles; ///< of each rope and each token's position
    Activations last;                            ///< [1, width]
    Activations logits;                          ///< [1, vocabularySize]
};

/// Whatever ends a pass early, an exception too, leaves the state as it was before.
class Rollback
{
public:
    Rollback(std::vector<TokenId>& tokens, std::int64_t& cached)
        : m_tokens(tokens), m_cached(cached), m_tokensBefore(tokens.size()), m_cachedBefore(cached)
    {}
    ~Rollback()
    {
        if (m_cancelled)
            return;
        m_tokens.resize(m_tokensBefore);
        m_cached = m_cachedBefore;
    }
    Rollback(const Rollback&) = delete;
    Rollback& operator=(const Rollback&) = delete;

    void cancel() { m_cancelled = true; }

private:
    std::vector<TokenId>& m_tokens;
    std::int64_t& m_cached;
    std::size_t m_tokensBefore;
    std::int64_t m_cachedBefore;
    bool m_cancelled = false;
};

} // namespace

struct ForwardState::Impl
{
    Impl(const ModelConfig& config, int threads)
        : pool(std::max(1, threads)), cache(config.layers, config.kvWidth())
    {}

    ThreadPool pool;
    KvCache cache;
    Scratch scratch;
    std::vector<TokenId> tokens; ///< all that were read
    std::int64_t cached = 0;     ///< of them, those whose keys and values are in the cache
    bool longContext = false;    ///< these keys were turned by Rope::longFrequencies
};

ForwardState::ForwardState(const ModelConfig& config, int threads)
    : m_impl(std::make_unique<Impl>(config, threads))
{}

ForwardState::~ForwardState() = default;

int ForwardState::length() const
{
    return static_cast<int>(m_impl->tokens.size());
}

void ForwardState::truncate(int length)
{
    std::vector<TokenId>& tokens = m_impl->tokens;
    tokens.resize(std::min(tokens.size(), static_cast<std::size_t>(std::max(0, length))));
    m_impl->cached = std::min(m_impl->cached, std::ssize(tokens));
}

int ForwardState::threads() const
{
    return m_impl->pool.threads();
}

std::size_t ForwardState::cacheBytes() const
{
    return m_impl->cache.bytes();
}

struct Transformer::Impl
{
    ModelConfig config;
    ModelWeights weights;

    std::vector<std::int64_t> qkvWidths() const;
    void makeRoom(Scratch& scratch, std::int64_t tokens) const;
    void embed(std::span<const TokenId> tokens, std::int64_t position,
               ForwardState::Impl& state) const;
    void normalise(const Norm& norm, std::span<const float> x, std::span<float> out) const;
    void normaliseHeads(std::span<float> heads, std::size_t stride, const Norm& norm) const;
    const Activations& blockInput(const std::optional<Norm>& norm, std::int64_t tokens,
                                  ForwardState::Impl& state) const;
    void addBlock(const Linear& last, const std::optional<Norm>& postNorm, std::int64_t token,
                  Scratch& scratch) const;
    void attentionBlock(int layer, const NewTokens& tokens, ForwardState::Impl& state) const;
    void splitHeads(int layer, std::int64_t token, Scratch& scratch, std::span<float> key,
                    std::span<float> value) const;
    void feedForwardBlock(int layer, std::int64_t tokens, ForwardState::Impl& state) const;
    void activate(std::span<float> gate, std::span<const float> up) const;
    bool runLayers(const NewTokens& tokens, ForwardState::Impl& state,
                   const std::stop_token& stop) const;
    Result<std::vector<float>> logits(std::int64_t lastRow, ForwardState::Impl& state) const;
    std::optional<Error> refuse(std::span<const TokenId> tokens, std::int64_t length) const;
};

Transformer::Transformer(ModelConfig config, ModelWeights weights)
    : m_impl(std::make_unique<Impl>(Impl{std::move(config), std::move(weights)}))
{}

Transformer::~Transformer() = default;
Transformer::Transformer(Transformer&&) noexcept = default;

const ModelConfig& Transformer::config() const
{
    return m_impl->config;
}

const ModelWeights& Transformer::weights() const
{
    return m_impl->weights;
}

std::unique_ptr<ForwardState> Transformer::newState(int threads) const
{
    return std::make_unique<ForwardState>(m_impl->config, threads);
}

std::vector<std::int64_t> Transformer::Impl::qkvWidths() const
{
    if (config.architecture->fusedQkv)
        return {config.queryWidth() + 2 * config.kvWidth()};
    return {config.queryWidth(), config.kvWidth(), config.kvWidth()};
}

void Transformer::Impl::makeRoom(Scratch& scratch, std::int64_t tokens) const
{
    if (tokens <= scratch.tokens)
        return;
    scratch.tokens = 0; // should memory run out half-way
    scratch.x = Activations(tokens, config.width);
    scratch.normed = Activations(tokens, config.width);
    scratch.qkv.clear();
    for (const std::int64_t width : qkvWidths())
        scratch.qkv.emplace_back(tokens, width);
    scratch.attended = Activations(tokens, config.queryWidth());
    if (config.architecture->gated)
        scratch.gate = Activations(tokens, config.feedForwardWidth);
    scratch.up = Activations(tokens, config.feedForwardWidth);
    scratch.delta = Activations(tokens, config.width);
    scratch.angles.assign(config.ropes.size(),
                          std::vector<RopeAngles>(static_cast<std::size_t>(tokens)));
    scratch.last = Activations(1, config.width);
    scratch.logits = Activations(1, config.vocabularySize);
    scratch.tokens = tokens;
}

/// x = embedding of the token (+ that of its position, where positions are learned).
void Transformer::Impl::embed(std::span<const TokenId> tokens, std::int64_t position,
                              ForwardState::Impl& state) const
{
    const auto row = [this](const TensorView& matrix, std::int64_t index, std::span<float> out) {
        const std::size_t rowBytes =
            matrix.bytes.size() / static_cast<std::size_t>(matrix.shape.front());
        dequantize(matrix.type,
                   matrix.bytes.subspan(static_cast<std::size_t>(index) * rowBytes, rowBytes), out);
    };
    Scratch& scratch = state.scratch;
    const float factor = static_cast<float>(std::sqrt(static_cast<double>(config.width)));
    state.pool.parallelFor(std::ssize(tokens), [&](std::int64_t begin, std::int64_t end) {
        std::vector<float> learned(static_cast<std::size_t>(config.width));
        for (std::int64_t t = begin; t < end; ++t) {
            const std::size_t index = static_cast<std::size_t>(t);
            row(weights.tokenEmbedding(), tokens[index].value, scratch.x.row(t));
            if (config.architecture->scaledEmbedding)
                scale(scratch.x.row(t), factor);
            if (const TensorView* positions = weights.positionEmbedding()) {
                row(*positions, position + t, learned);
                add(scratch.x.row(t), learned);
            }
            for (std::size_t i = 0; i < config.ropes.size(); ++i) {
                const Rope& rope = config.ropes[i];
                scratch.angles[i][index] =
                    ropeAngles(rope.of(state.longContext), position + t, rope.attentionFactor);
            }
        }
    });
}

void Transformer::Impl::normalise(const Norm& norm, std::span<const float> x,
                                  std::span<float> out) const
{
    if (config.architecture->norm == NormKind::Rms)
        rmsNorm(x, norm.weight, config.normEpsilon, out);
    else
        layerNorm(x, norm.weight, norm.bias, config.normEpsilon, out);
}

/// x, or norm(x) where a block is normalised before.
const Activations& Transformer::Impl::blockInput(const std::optional<Norm>& norm,
                                                 std::int64_t tokens,
                                                 ForwardState::Impl& state) const
{
    Scratch& scratch = state.scratch;
    if (!norm)
        return scratch.x;
    state.pool.parallelFor(tokens, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t t = begin; t < end; ++t)
            normalise(*norm, scratch.x.row(t), scratch.normed.row(t));
    });
    return scratch.normed;
}

/// x += norm(delta + bias), or without a norm after the block x += delta + bias.
void Transformer::Impl::addBlock(const Linear& last, const std::optional<Norm>& postNorm,
                                 std::int64_t token, Scratch& scratch) const
{
    const std::span<float> x = scratch.x.row(token);
    const std::span<float> delta = scratch.delta.row(token);
    if (postNorm) {
        if (!last.bias.empty())
            add(delta, last.bias);
        normalise(*postNorm, delta, delta);
        add(x, delta);
        return;
    }
    add(x, delta);
    if (!last.bias.empty())
        add(x, last.bias);
}

/// Normalises each head of a row of q or k, or all of it, as the norm is long. In place; heads
/// begin `stride` numbers apart.
void Transformer::Impl::normaliseHeads(std::span<float> heads, std::size_t stride,
                                       const Norm& norm) const
{
    const std::size_t size = norm.weight.size();
    for (std::size_t begin = 0; begin + size <= heads.size(); begin += std::max(stride, size))
        rmsNorm(heads.subspan(begin, size), norm.weight, config.normEpsilon,
                heads.subspan(begin, size));
}

/// Finishes q of one token where it lies, and puts its k and v into their rows of the cache.
void Transformer::Impl::splitHeads(int layerIndex, std::int64_t token, Scratch& scratch,
                                   std::span<float> key, std::span<float> value) const
{
    const LayerWeights& layer = weights.layers()[static_cast<std::size_t>(layerIndex)];
    for (std::size_t i = 0; i < layer.qkv.size(); ++i)
        if (!layer.qkv[i].bias.empty())
            add(scratch.qkv[i].row(token), layer.qkv[i].bias);
    const std::size_t size = static_cast<std::size_t>(config.headDim);
    const bool perHead = config.qkvOrder == QkvOrder::PerHead;
    const std::size_t stride = perHead ? 3 * size : size;
    const std::span<float> first = scratch.qkv[0].row(token);
    const std::span<float> q =
        perHead ? first : first.first(static_cast<std::size_t>(config.queryWidth()));
    if (perHead) {
        for (std::size_t i = 0; i < key.size(); ++i) {
            const std::size_t at = i / size * stride + i % size;
            key[i] = first[at + size];
            value[i] = first[at + 2 * size];
        }
    } else {
        const bool fused = layer.qkv.size() == 1;
        const std::span<const float> k =
            fused ? first.subspan(q.size(), key.size()) : scratch.qkv[1].row(token);
        const std::span<const float> v =
            fused ? first.subspan(q.size() + k.size(), value.size()) : scratch.qkv[2].row(token);
        std::copy(k.begin(), k.end(), key.begin());
        std::copy(v.begin(), v.end(), value.begin());
    }
    if (layer.qNorm)
        normaliseHeads(q, stride, *layer.qNorm);
    if (layer.kNorm)
        normaliseHeads(key, size, *layer.kNorm);
    const int rope = config.plan[static_cast<std::size_t>(layerIndex)].rope;
    if (rope == LayerPlan::noRope || config.ropes.empty())
        return;
    const RopeAngles& angles =
        scratch.angles[static_cast<std::size_t>(rope)][static_cast<std::size_t>(token)];
    for (std::size_t begin = 0; begin < q.size(); begin += stride)
        engine::rope(q.subspan(begin, size), angles, config.ropePairs);
    for (std::size_t begin = 0; begin < key.size(); begin += size)
        engine::rope(key.subspan(begin, size), angles, config.ropePairs);
}

/// x += W_o attention(x) + b_o, with norms before and after as the architecture has them.
void Transformer::Impl::attentionBlock(int layerIndex, const NewTokens& tokens,
                                       ForwardState::Impl& state) const
{
    const LayerWeights& layer = weights.layers()[static_cast<std::size_t>(layerIndex)];
    Scratch& scratch = state.scratch;
    const Activations& input = blockInput(layer.attentionNorm, tokens.count, state);
    std::array<Product, 3> products;
    for (std::size_t i = 0; i < layer.qkv.size(); ++i)
        products[i] = {&layer.qkv[i].weight, &input, &scratch.qkv[i]};
    multiply(std::span(products).first(layer.qkv.size()), tokens.count, state.pool);
    state.pool.parallelFor(tokens.count, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t t = begin; t < end; ++t)
            splitHeads(layerIndex, t, scratch, state.cache.key(layerIndex, tokens.position + t),
                       state.cache.value(layerIndex, tokens.position + t));
    });
    attend(config, state.cache, layerIndex, tokens, scratch.qkv[0], scratch.attended, state.pool);
    const Product output = {&layer.attentionOutput.weight, &scratch.attended, &scratch.delta};
    multiply({&output, 1}, tokens.count, state.pool);
    state.pool.parallelFor(tokens.count, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t t = begin; t < end; ++t) {
            // In a parallel layer the feed-forward block reads x as it was.
            if (config.parallelResidual && layer.feedForwardNorm)
                normalise(*layer.feedForwardNorm, scratch.x.row(t), scratch.normed.row(t));
            addBlock(layer.attentionOutput, layer.attentionPostNorm, t, scratch);
            if (!config.parallelResidual && layer.feedForwardNorm)
                normalise(*layer.feedForwardNorm, scratch.x.row(t), scratch.normed.row(t));
        }
    });
}

/// gate = activation(gate) * up; or, where the layer has no gate, activation(gate).
void Transformer::Impl::activate(std::span<float> gate, std::span<const float> up) const
{
    switch (config.activation) {
    case Activation::Silu:
        siluMultiply(gate, up);
        return;
    case Activation::GeluTanh:
        geluTanh(gate);
        break;
    case Activation::GeluErf:
        geluErf(gate);
        break;
    }
    if (!up.empty())
        multiplyInPlace(gate, up);
}

/// x += W_down f(x) + b_down, on the normalised x that the attention block left.
void Transformer::Impl::feedForwardBlock(int layerIndex, std::int64_t tokens,
                                         ForwardState::Impl& state) const
{
    const LayerWeights& layer = weights.layers()[static_cast<std::size_t>(layerIndex)];
    Scratch& scratch = state.scratch;
    const Activations& input = layer.feedForwardNorm ? scratch.normed : scratch.x;
    std::array<Product, 2> products = {
        Product{&layer.up.weight, &input, &scratch.up},
        Product{layer.gate ? &layer.gate->weight : nullptr, &input, &scratch.gate}};
    multiply(std::span(products).first(layer.gate ? 2 : 1), tokens, state.pool);
    Activations& hidden = layer.gate ? scratch.gate : scratch.up;
    state.pool.parallelFor(tokens, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t t = begin; t < end; ++t) {
            if (!layer.up.bias.empty())
                add(scratch.up.row(t), layer.up.bias);
            if (layer.gate && !layer.gate->bias.empty())
                add(scratch.gate.row(t), layer.gate->bias);
            activate(hidden.row(t), layer.gate ? scratch.up.row(t) : std::span<float>());
        }
    });
    const Product down = {&layer.down.weight, &hidden, &scratch.delta};
    multiply({&down, 1}, tokens, state.pool);
    state.pool.parallelFor(tokens, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t t = begin; t < end; ++t)
            addBlock(layer.down, layer.feedForwardPostNorm, t, scratch);
    });
}

/// All layers for tokens that are embedded; false where `stop` was asked for.
bool Transformer::Impl::runLayers(const NewTokens& tokens, ForwardState::Impl& state,
                                  const std::stop_token& stop) const
{
    for (int layer = 0; layer < config.layers; ++layer) {
        if (stop.stop_requested())
            return false;
        attentionBlock(layer, tokens, state);
        feedForwardBlock(layer, tokens.count, state);
    }
    return true;
}

Result<std::vector<float>> Transformer::Impl::logits(std::int64_t lastRow,
                                                     ForwardState::Impl& state) const
{
    Scratch& scratch = state.scratch;
    normalise(weights.outputNorm(), scratch.x.row(lastRow), scratch.last.row(0));
    const Product head = {&weights.output().weight, &scratch.last, &scratch.logits};
    multiply({&head, 1}, 1, state.pool);
    const std::span<float> row = scratch.logits.row(0);
    if (config.logitSoftCap > 0)
        softCap(row, static_cast<float>(config.logitSoftCap));
    std::vector<float> result(row.begin(), row.end());
    const auto bad = std::find_if(result.begin(), result.end(),
                                  [](float logit) { return !std::isfinite(logit); });
    if (bad != result.end())
        return Error{ErrorCode::NotFinite,
                     "the logits hold a value that is not a finite number (" +
                         std::to_string(*bad) + " for token " +
                         std::to_string(bad - result.begin()) +
                         "); the weights are damaged, or overflow single precision"};
    return result;
}

std::optional<Error> Transformer::Impl::refuse(std::span<const TokenId> tokens,
                                               std::int64_t length) const
{
    if (tokens.empty())
        return Error{ErrorCode::InvalidArgument, "no tokens to read"};
    for (const TokenId token : tokens)
        if (token.value < 0 || token.value >= config.vocabularySize)
            return Error{ErrorCode::InvalidArgument, "token id " + std::to_string(token.value) +
                                                         " is outside the model's vocabulary of " +
                                                         std::to_string(config.vocabularySize) +
                                                         " tokens"};
    if (std::ssize(tokens) > config.contextLength - length)
        return Error{ErrorCode::ContextFull,
                     "the context is full: it holds " + std::to_string(length) + " of " +
                         std::to_string(config.contextLength) + " tokens, and " +
                         std::to_string(tokens.size()) + " more do not fit"};
    return std::nullopt;
}

Result<std::vector<float>> Transformer::forward(std::span<const TokenId> tokens,
                                                ForwardState& state,
                                                const std::stop_token& stop) const
{
    ForwardState::Impl& inner = *state.m_impl;
    const std::int64_t before = std::ssize(inner.tokens);
    if (auto error = m_impl->refuse(tokens, before))
        return *error;
    const std::int64_t total = before + std::ssize(tokens);
    const bool longContext = m_impl->config.shortContext > 0 && total > m_impl->config.shortContext;
    if (longContext != inner.longContext) {
        inner.cached = 0; // all positions turn otherwise from here on
        inner.longContext = longContext;
    }
    Rollback rollback(inner.tokens, inner.cached);
    inner.tokens.insert(inner.tokens.end(), tokens.begin(), tokens.end());
    m_impl->makeRoom(inner.scratch, std::min(total - inner.cached, tokensAtOnce));
    inner.cache.reserve(total);
    std::int64_t count = 0;
    for (; inner.cached < total; inner.cached += count) {
        count = std::min(tokensAtOnce, total - inner.cached);
        m_impl->embed(
            std::span(inner.tokens)
                .subspan(static_cast<std::size_t>(inner.cached), static_cast<std::size_t>(count)),
            inner.cached, inner);
        if (!m_impl->runLayers({inner.cached, count}, inner, stop))
            return Error{ErrorCode::Cancelled, "cancelled"};
    }
    Result<std::vector<float>> logits = m_impl->logits(count - 1, inner);
    if (logits)
        rollback.cancel();
    return logits;
}

} // namespace engine
