#include "engine/decoding/SamplerChain.h"

#include "engine/decoding/SamplingStages.h"

#include <algorithm>
#include <cassert>

namespace engine {

namespace {

double setting(SamplingStage stage, const SamplingConfig& config)
{
    switch (stage) {
    case SamplingStage::UnnamedIds:
        return 0;
    case SamplingStage::RepetitionPenalty:
        return config.repetitionPenalty;
    case SamplingStage::Temperature:
        return config.temperature;
    case SamplingStage::TopK:
        return static_cast<double>(config.topK);
    case SamplingStage::TopP:
        return config.topP;
    case SamplingStage::MinP:
        return config.minP;
    }
    return 0;
}

} // namespace

bool isOn(SamplingStage stage, const SamplingConfig& config)
{
    if (std::find(config.order.begin(), config.order.end(), stage) == config.order.end())
        return false;
    switch (stage) {
    case SamplingStage::UnnamedIds:
        return false; // no setting turns it on: the tokenizer does
    case SamplingStage::RepetitionPenalty:
        return config.repetitionPenalty != 1.0;
    case SamplingStage::Temperature:
        return config.temperature != 1.0;
    case SamplingStage::TopK:
        return config.topK != 0;
    case SamplingStage::TopP:
        return config.topP != 1.0;
    case SamplingStage::MinP:
        return config.minP != 0.0;
    }
    return false;
}

bool isGreedy(const SamplingConfig& config)
{
    return config.rule == DecodingRule::Greedy || config.temperature == 0.0;
}

void SamplerChain::apply(std::span<const float> logits, const Distribution& distribution,
                         std::span<const TokenId> context, const SamplingConfig& config,
                         std::span<const std::int32_t> namedIds, std::span<const TokenId> followed,
                         std::size_t mostProbable)
{
    m_kept.reset(logits, distribution);
    m_paths.follow(followed, mostProbable, m_kept);
    m_stages.clear();
    m_removedAt.assign(logits.size(), -1);
    if (!namedIds.empty() && namedIds.size() < logits.size())
        maskUnnamed(namedIds);
    const bool greedy = isGreedy(config);
    for (const SamplingStage stage : config.order)
        if (isOn(stage, config) && (!greedy || stage == SamplingStage::RepetitionPenalty))
            runStage(stage, config, context);
}

std::optional<SamplingStage> SamplerChain::removedBy(TokenId id) const
{
    const std::int8_t stage = m_removedAt[static_cast<std::size_t>(id.value)];
    if (stage < 0)
        return std::nullopt;
    return m_stages[static_cast<std::size_t>(stage)].stage;
}

void SamplerChain::maskUnnamed(std::span<const std::int32_t> namedIds)
{
    assert(std::is_sorted(namedIds.begin(), namedIds.end()));
    StageTrace trace = begin(SamplingStage::UnnamedIds, 0);
    trace.removedProbability = remove(namedIds); // before any other stage, positions are ids
    end(trace);
}

void SamplerChain::runStage(SamplingStage stage, const SamplingConfig& config,
                            std::span<const TokenId> context)
{
    StageTrace trace = begin(stage, setting(stage, config));
    switch (stage) {
    case SamplingStage::UnnamedIds: // no part of an order, see maskUnnamed
        return;
    case SamplingStage::RepetitionPenalty:
        trace.changed = repetitionPenalty(m_kept, config.repetitionPenalty, context);
        break;
    case SamplingStage::Temperature:
        m_kept.divideBy(config.temperature);
        trace.changed = trace.before;
        break;
    case SamplingStage::TopK:
        trace.removedProbability = remove(topK(m_kept, config.topK));
        break;
    case SamplingStage::TopP:
        trace.removedProbability = remove(topP(m_kept, config.topP));
        break;
    case SamplingStage::MinP:
        trace.removedProbability = remove(minP(m_kept, config.minP));
        break;
    }
    end(trace);
}

StageTrace SamplerChain::begin(SamplingStage stage, double value)
{
    StageTrace trace;
    trace.stage = stage;
    trace.value = value;
    trace.before = static_cast<std::int64_t>(m_kept.size());
    trace.largestProbability = m_paths.noteBefore(stage, m_kept);
    return trace;
}

void SamplerChain::end(StageTrace trace)
{
    trace.after = static_cast<std::int64_t>(m_kept.size());
    m_stages.push_back(trace);
    m_paths.noteAfter(m_kept);
}

/// Keeps these positions, notes at which stage the others went, and returns what they weighed.
double SamplerChain::remove(std::span<const std::int32_t> keptPositions)
{
    const auto stage = static_cast<std::int8_t>(m_stages.size());
    // First all are gone, then those kept come back, who are few as a rule.
    if (m_kept.size() == m_removedAt.size())
        std::fill(m_removedAt.begin(), m_removedAt.end(), stage);
    else
        for (std::size_t position = 0; position < m_kept.size(); ++position)
            m_removedAt[static_cast<std::size_t>(m_kept.idAt(position).value)] = stage;
    for (const std::int32_t position : keptPositions) {
        const TokenId id = m_kept.idAt(static_cast<std::size_t>(position));
        m_removedAt[static_cast<std::size_t>(id.value)] = -1;
    }
    return m_kept.keep(keptPositions);
}

} // namespace engine
