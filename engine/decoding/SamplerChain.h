#pragma once

#include "engine/api/RunConfig.h"
#include "engine/api/Step.h"
#include "engine/api/Token.h"
#include "engine/decoding/CandidatePaths.h"
#include "engine/decoding/CandidateSet.h"
#include "engine/decoding/Softmax.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace engine {

/// Whether a stage does anything under these settings: it is in the order and not at its "off"
/// value.
bool isOn(SamplingStage stage, const SamplingConfig& config);

/// Greedy by its rule, or because the temperature is 0.
bool isGreedy(const SamplingConfig& config);

/// The mask of unnamed ids, then the stages in the order of `SamplingConfig::order`. One object
/// serves step after step, so that its arrays are allocated once. Thread: one owner at a time.
class SamplerChain
{
public:
    /// Runs the stages that are on, each on what those before it left. For greedy decoding only the
    /// repetition penalty runs. `distribution` is the softmax of `logits`, `context` the ids
    /// already in the context, `namedIds` those the tokenizer has names for, ascending (empty: all
    /// of them); logits and distribution must stay as long as kept() is used; `config` is valid
    /// (see SettingsCheck.h). What the stages see of the `followed` ids is noted in paths();
    /// of these the first `mostProbable` are the largest of all logits, in rank order.
    void apply(std::span<const float> logits, const Distribution& distribution,
               std::span<const TokenId> context, const SamplingConfig& config,
               std::span<const std::int32_t> namedIds = {}, std::span<const TokenId> followed = {},
               std::size_t mostProbable = 0);

    CandidateSet& kept() { return m_kept; }
    const CandidateSet& kept() const { return m_kept; }
    const std::vector<StageTrace>& stages() const { return m_stages; } ///< in the order they ran
    const CandidatePaths& paths() const { return m_paths; }
    /// The stage that removed `id`, an id of the vocabulary; nothing if it is still in.
    std::optional<SamplingStage> removedBy(TokenId id) const;

private:
    void maskUnnamed(std::span<const std::int32_t> namedIds);
    void runStage(SamplingStage stage, const SamplingConfig& config,
                  std::span<const TokenId> context);
    StageTrace begin(SamplingStage stage, double value);
    void end(StageTrace trace);
    double remove(std::span<const std::int32_t> keptPositions);

    CandidateSet m_kept;
    CandidatePaths m_paths;
    std::vector<StageTrace> m_stages;
    std::vector<std::int8_t> m_removedAt; ///< index into m_stages for each id, -1 if kept
};

} // namespace engine
