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
    Activations delta;              ///< what a block adds to x
    std::vector<RopeAngles> angles; ///< of each token's position
    Activations last;               ///< [1, width]
    Activations logits;             ///< [1, vocabularySize]
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
    std::int64_t length = 0;
};

ForwardState::ForwardState(const ModelConfig& config, int threads)
    : m_impl(std::make_unique<Impl>(config, threads))
{}

ForwardState::~ForwardState() = default;

int ForwardState::length() const
{
    return static_cast<int>(m_impl->length);
}

void ForwardState::truncate(int length)
{
    m_impl->length = std::clamp<std::int64_t>(length, 0, m_impl->length);
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
    void embed(std::span<const TokenId> tokens, std::int64_t position, Scratch& scratch,
               ThreadPool& pool) const;
    void normalise(const Norm& norm, std::span<const float> x, std::span<float> out) const;
    void attentionBlock(int layer, const NewTokens& tokens, ForwardState::Impl& state) const;
    void splitHeads(const LayerWeights& layer, std::int64_t token, Scratch& scratch,
                    std::span<float> key, std::span<float> value) const;
    void turnHeads(std::span<float> heads, const std::optional<Norm>& norm,
                   const RopeAngles* angles) const;
    void feedForwardBlock(const LayerWeights& layer, std::int64_t tokens,
                          ForwardState::Impl& state) const;
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
    if (config.architecture->feedForward == FeedForwardKind::GatedSilu)
        scratch.gate = Activations(tokens, config.feedForwardWidth);
    scratch.up = Activations(tokens, config.feedForwardWidth);
    scratch.delta = Activations(tokens, config.width);
    scratch.angles.resize(static_cast<std::size_t>(tokens));
    scratch.last = Activations(1, config.width);
    scratch.logits = Activations(1, config.vocabularySize);
    scratch.tokens = tokens;
}

/// x = embedding of the token (+ that of its position, where positions are learned).
void Transformer::Impl::embed(std::span<const TokenId> tokens, std::int64_t position,
                              Scratch& scratch, ThreadPool& pool) const
{
    const auto row = [this](const TensorView& matrix, std::int64_t index, std::span<float> out) {
        const std::size_t rowBytes =
            matrix.bytes.size() / static_cast<std::size_t>(matrix.shape.front());
        dequantize(matrix.type,
                   matrix.bytes.subspan(static_cast<std::size_t>(index) * rowBytes, rowBytes), out);
    };
    pool.parallelFor(std::ssize(tokens), [&](std::int64_t begin, std::int64_t end) {
        std::vector<float> learned(static_cast<std::size_t>(config.width));
        for (std::int64_t t = begin; t < end; ++t) {
            const std::size_t index = static_cast<std::size_t>(t);
            row(weights.tokenEmbedding(), tokens[index].value, scratch.x.row(t));
            if (const TensorView* positions = weights.positionEmbedding()) {
                row(*positions, position + t, learned);
                add(scratch.x.row(t), learned);
            } else {
                scratch.angles[index] = ropeAngles(config.ropeFrequencies, position + t);
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

/// Normalises (where the architecture does) and turns each head of a row of q or k, in place.
void Transformer::Impl::turnHeads(std::span<float> heads, const std::optional<Norm>& norm,
                                  const RopeAngles* angles) const
{
    const std::size_t size = static_cast<std::size_t>(config.headDim);
    for (std::size_t begin = 0; begin < heads.size(); begin += size) {
        const std::span<float> head = heads.subspan(begin, size);
        if (norm)
            rmsNorm(head, norm->weight, config.normEpsilon, head);
        if (angles != nullptr)
            rope(head, *angles, config.ropePairs);
    }
}

/// Finishes q of one token where it lies, and puts its k and v into their rows of the cache.
void Transformer::Impl::splitHeads(const LayerWeights& layer, std::int64_t token, Scratch& scratch,
                                   std::span<float> key, std::span<float> value) const
{
    for (std::size_t i = 0; i < layer.qkv.size(); ++i)
        if (!layer.qkv[i].bias.empty())
            add(scratch.qkv[i].row(token), layer.qkv[i].bias);
    const std::size_t queryWidth = static_cast<std::size_t>(config.queryWidth());
    const std::span<float> q = scratch.qkv[0].row(token).first(queryWidth);
    std::span<const float> k;
    std::span<const float> v;
    if (layer.qkv.size() == 1) {
        k = scratch.qkv[0].row(token).subspan(queryWidth, key.size());
        v = scratch.qkv[0].row(token).subspan(queryWidth + key.size(), value.size());
    } else {
        k = scratch.qkv[1].row(token);
        v = scratch.qkv[2].row(token);
    }
    std::copy(k.begin(), k.end(), key.begin());
    std::copy(v.begin(), v.end(), value.begin());
    const RopeAngles* angles =
        config.architecture->rotary ? &scratch.angles[static_cast<std::size_t>(token)] : nullptr;
    turnHeads(q, layer.qNorm, angles);
    turnHeads(key, layer.kNorm, angles);
}

/// x += W_o attention(norm(x)) + b_o.
void Transformer::Impl::attentionBlock(int layerIndex, const NewTokens& tokens,
                                       ForwardState::Impl& state) const
{
    const LayerWeights& layer = weights.layers()[static_cast<std::size_t>(layerIndex)];
    Scratch& scratch = state.scratch;
    state.pool.parallelFor(tokens.count, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t t = begin; t < end; ++t)
            normalise(layer.attentionNorm, scratch.x.row(t), scratch.normed.row(t));
    });
    std::array<Product, 3> products;
    for (std::size_t i = 0; i < layer.qkv.size(); ++i)
        products[i] = {&layer.qkv[i].weight, &scratch.normed, &scratch.qkv[i]};
    multiply(std::span(products).first(layer.qkv.size()), tokens.count, state.pool);
    state.pool.parallelFor(tokens.count, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t t = begin; t < end; ++t)
            splitHeads(layer, t, scratch, state.cache.key(layerIndex, tokens.position + t),
                       state.cache.value(layerIndex, tokens.position + t));
    });
    attend(config, state.cache, layerIndex, tokens, scratch.qkv[0], scratch.attended, state.pool);
    const Product output = {&layer.attentionOutput.weight, &scratch.attended, &scratch.delta};
    multiply({&output, 1}, tokens.count, state.pool);
    state.pool.parallelFor(tokens.count, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t t = begin; t < end; ++t) {
            add(scratch.x.row(t), scratch.delta.row(t));
            if (!layer.attentionOutput.bias.empty())
                add(scratch.x.row(t), layer.attentionOutput.bias);
            normalise(layer.feedForwardNorm, scratch.x.row(t), scratch.normed.row(t));
        }
    });
}

/// x += W_down f(norm(x)) + b_down, on the normalised x that the attention block left.
void Transformer::Impl::feedForwardBlock(const LayerWeights& layer, std::int64_t tokens,
                                         ForwardState::Impl& state) const
{
    Scratch& scratch = state.scratch;
    std::array<Product, 2> products = {
        Product{&layer.up.weight, &scratch.normed, &scratch.up},
        Product{layer.gate ? &layer.gate->weight : nullptr, &scratch.normed, &scratch.gate}};
    multiply(std::span(products).first(layer.gate ? 2 : 1), tokens, state.pool);
    Activations& hidden = layer.gate ? scratch.gate : scratch.up;
    state.pool.parallelFor(tokens, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t t = begin; t < end; ++t) {
            if (!layer.up.bias.empty())
                add(scratch.up.row(t), layer.up.bias);
            if (layer.gate && !layer.gate->bias.empty())
                add(scratch.gate.row(t), layer.gate->bias);
            if (layer.gate)
                siluMultiply(scratch.gate.row(t), scratch.up.row(t));
            else
                geluTanh(scratch.up.row(t));
        }
    });
    const Product down = {&layer.down.weight, &hidden, &scratch.delta};
    multiply({&down, 1}, tokens, state.pool);
    state.pool.parallelFor(tokens, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t t = begin; t < end; ++t) {
            add(scratch.x.row(t), scratch.delta.row(t));
            if (!layer.down.bias.empty())
                add(scratch.x.row(t), layer.down.bias);
        }
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
        feedForwardBlock(weights.layers()[static_cast<std::size_t>(layer)], tokens.count, state);
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
    const std::span<const float> row = scratch.logits.row(0);
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
    if (auto error = m_impl->refuse(tokens, inner.length))
        return *error;
    const std::int64_t total = std::ssize(tokens);
    m_impl->makeRoom(inner.scratch, std::min(total, tokensAtOnce));
    inner.cache.reserve(inner.length + total);
    std::int64_t count = 0;
    for (std::int64_t done = 0; done < total; done += count) {
        count = std::min(tokensAtOnce, total - done);
        const NewTokens batch = {inner.length + done, count};
        m_impl->embed(
            tokens.subspan(static_cast<std::size_t>(done), static_cast<std::size_t>(count)),
            batch.position, inner.scratch, inner.pool);
        if (!m_impl->runLayers(batch, inner, stop))
            return Error{ErrorCode::Cancelled, "cancelled"};
    }
    Result<std::vector<float>> logits = m_impl->logits(count - 1, inner);
    if (logits)
        inner.length += total; // only now, so that an error leaves the state as it was
    return logits;
}

} // namespace engine
