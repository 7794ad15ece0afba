#pragma once

#include "engine/api/Step.h"
#include "engine/decoding/CandidateSet.h"

#include <cstdint>
#include <span>
#include <vector>

namespace engine {

/// What the stages of a chain see of some tokens that are followed through it: the very values that
/// the stages decide by.
class CandidatePaths
{
public:
    /// `ids` are of the vocabulary, each once; the first `mostProbable` of them are the largest
    /// logits in rank order. `set` is the whole vocabulary still.
    void follow(std::span<const TokenId> ids, std::size_t mostProbable, const CandidateSet& set);

    /// Before `stage` runs on `set`, of which it alters nothing. Returns the largest probability.
    double noteBefore(SamplingStage stage, CandidateSet& set);
    /// After it has run: the scores as it left them.
    void noteAfter(const CandidateSet& set);

    bool isFollowed(TokenId id) const;
    /// Empty for an id that is not followed.
    const std::vector<CandidateAtStage>& of(TokenId id) const;

private:
    struct Followed
    {
        TokenId id;
        std::vector<CandidateAtStage> path;
        std::size_t position = 0; ///< in the set, where `isIn`
        bool isIn = true;
    };

    void updateFront(const CandidateSet& set);
    std::vector<double> massesBefore(SamplingStage stage, CandidateSet& set) const;
    std::int64_t rankOf(std::size_t position, const CandidateSet& set) const;

    std::vector<Followed> m_followed;
    /// The positions of the largest scores of the set in rank order, as many as are followed, which
    /// are the same ones as a rule. Of the set's version `m_frontVersion`.
    std::vector<std::int32_t> m_front;
    std::uint64_t m_frontVersion = 0;
};

} // namespace engine
