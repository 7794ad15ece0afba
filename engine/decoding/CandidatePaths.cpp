#include "engine/decoding/CandidatePaths.h"

#include "engine/decoding/RunningSum.h"

#include <algorithm>

namespace engine {

void CandidatePaths::follow(std::span<const TokenId> ids, std::size_t mostProbable,
                            const CandidateSet& set)
{
    m_followed.clear();
    m_front.clear();
    for (const TokenId id : ids) {
        m_followed.push_back({id, {}});
        if (m_front.size() < mostProbable)
            m_front.push_back(id.value);
    }
    m_frontVersion = set.version();
}

double CandidatePaths::noteBefore(SamplingStage stage, CandidateSet& set)
{
    for (Followed& followed : m_followed) {
        const auto position = set.positionOf(followed.id);
        followed.isIn = position.has_value();
        followed.position = position.value_or(0);
    }
    updateFront(set);
    const std::span<const double> weights = set.weights();
    const double total = set.totalWeight();
    const std::vector<double> masses = massesBefore(stage, set);
    auto mass = masses.begin();
    for (Followed& followed : m_followed) {
        if (!followed.isIn)
            continue;
        CandidateAtStage seen;
        seen.stage = stage;
        seen.scoreBefore = set.scoreAt(followed.position);
        seen.scoreAfter = seen.scoreBefore;
        seen.probability = weights[followed.position] / total;
        seen.rank = rankOf(followed.position, set);
        seen.massBefore = std::min(*mass++, 1.0);
        followed.path.push_back(seen);
    }
    return 1 / total; // weights are relative to the largest
}

void CandidatePaths::updateFront(const CandidateSet& set)
{
    if (m_frontVersion == set.version())
        return;
    m_front = set.largest(m_followed.size());
    std::sort(m_front.begin(), m_front.end(), [&set](std::int32_t a, std::int32_t b) {
        const double first = set.logitAt(static_cast<std::size_t>(a));
        const double second = set.logitAt(static_cast<std::size_t>(b));
        return first != second ? first > second : a < b;
    });
    m_frontVersion = set.version();
}

std::int64_t CandidatePaths::rankOf(std::size_t position, const CandidateSet& set) const
{
    const auto found =
        std::find(m_front.begin(), m_front.end(), static_cast<std::int32_t>(position));
    return found != m_front.end() ? found - m_front.begin() + 1 : set.rankOf(position);
}

/// For those that are in. top-p decides by them, so there they are its own sums to the bit; for the
/// other stages those of the most probable are soon added up.
std::vector<double> CandidatePaths::massesBefore(SamplingStage stage, CandidateSet& set) const
{
    const std::span<const double> weights = set.weights();
    const double total = set.totalWeight();
    std::vector<std::size_t> positions;
    for (const Followed& followed : m_followed)
        if (followed.isIn)
            positions.push_back(followed.position);
    if (stage == SamplingStage::TopP)
        return sumsBefore(weights, total, positions);
    std::vector<double> ofFront = {0.0};
    for (const std::int32_t position : m_front)
        ofFront.push_back(ofFront.back() + weights[static_cast<std::size_t>(position)] / total);
    std::vector<double> masses;
    for (const std::size_t position : positions) {
        const auto found =
            std::find(m_front.begin(), m_front.end(), static_cast<std::int32_t>(position));
        masses.push_back(found != m_front.end()
                             ? ofFront[static_cast<std::size_t>(found - m_front.begin())]
                             : set.weightBefore(position) / total);
    }
    return masses;
}

void CandidatePaths::noteAfter(const CandidateSet& set)
{
    for (Followed& followed : m_followed)
        if (followed.isIn)
            if (const auto position = set.positionOf(followed.id))
                followed.path.back().scoreAfter = set.scoreAt(*position);
}

bool CandidatePaths::isFollowed(TokenId id) const
{
    return std::any_of(m_followed.begin(), m_followed.end(),
                       [id](const Followed& followed) { return followed.id == id; });
}

const std::vector<CandidateAtStage>& CandidatePaths::of(TokenId id) const
{
    static const std::vector<CandidateAtStage> nothing;
    for (const Followed& followed : m_followed)
        if (followed.id == id)
            return followed.path;
    return nothing;
}

} // namespace engine
