#include "engine/decoding/CandidateSet.h"

#include "engine/decoding/Exponential.h"
#include "engine/decoding/LargestValues.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace engine {

void CandidateSet::reset(std::span<const float> logits, const Distribution& distribution)
{
    assert(!logits.empty() && distribution.weights.size() == logits.size());
    m_given = logits;
    m_givenMaximum = distribution.maxLogit;
    m_logits.clear();
    m_ids.clear();
    m_weights = distribution.weights;
    m_total = distribution.total;
    m_weightsValid = true;
    m_temperature = 1.0;
    ++m_version;
}

TokenId CandidateSet::idAt(std::size_t position) const
{
    return TokenId{m_ids.empty() ? static_cast<std::int32_t>(position) : m_ids[position]};
}

std::optional<std::size_t> CandidateSet::positionOf(TokenId id) const
{
    if (m_ids.empty()) {
        const auto position = static_cast<std::size_t>(id.value);
        return id.value >= 0 && position < size() ? std::optional(position) : std::nullopt;
    }
    const auto found = std::lower_bound(m_ids.begin(), m_ids.end(), id.value);
    if (found == m_ids.end() || *found != id.value)
        return std::nullopt;
    return static_cast<std::size_t>(found - m_ids.begin());
}

std::vector<std::int32_t> CandidateSet::ids() const
{
    if (!m_ids.empty())
        return m_ids;
    std::vector<std::int32_t> all(size());
    std::iota(all.begin(), all.end(), 0);
    return all;
}

double CandidateSet::logitAt(std::size_t position) const
{
    return m_given.empty() ? m_logits[position] : static_cast<double>(m_given[position]);
}

std::vector<double> CandidateSet::logits() const
{
    return m_given.empty() ? m_logits : std::vector<double>(m_given.begin(), m_given.end());
}

double CandidateSet::scoreAt(std::size_t position) const
{
    constexpr double largest = std::numeric_limits<double>::max();
    return std::clamp(logitAt(position) / m_temperature, -largest, largest);
}

std::vector<std::int32_t> CandidateSet::largest(std::size_t count) const
{
    return m_given.empty() ? largestValues(std::span<const double>(m_logits), count)
                           : largestValues(m_given, count);
}

std::size_t CandidateSet::firstLargest() const
{
    return m_given.empty() ? engine::firstLargest(std::span<const double>(m_logits))
                           : firstEqual(m_given, m_givenMaximum);
}

std::int64_t CandidateSet::rankOf(std::size_t position) const
{
    return m_given.empty() ? engine::rankOf(std::span<const double>(m_logits), position)
                           : engine::rankOf(m_given, position);
}

std::span<const double> CandidateSet::weights()
{
    updateWeights();
    return m_weights;
}

double CandidateSet::totalWeight()
{
    updateWeights();
    return m_total;
}

double CandidateSet::weightBefore(std::size_t position)
{
    updateWeights();
    const double weight = m_weights[position];
    constexpr std::size_t block = 256;
    std::array<double, block> larger;
    LaneSum result;
    for (std::size_t begin = 0; begin < m_weights.size(); begin += block) {
        const std::size_t count = std::min(block, m_weights.size() - begin);
        const double* const from = m_weights.data() + begin;
        if (position >= begin && position < begin + count) {
            for (std::size_t i = 0; i < count; ++i)
                larger[i] =
                    from[i] > weight || (from[i] == weight && begin + i < position) ? from[i] : 0;
        } else {
            const double least = position < begin ? std::nextafter(weight, 2.0) : weight;
            for (std::size_t i = 0; i < count; ++i)
                larger[i] = from[i] >= least ? from[i] : 0;
        }
        result.add(larger.data(), count);
    }
    return result.value();
}

std::span<const double> CandidateSet::probabilities()
{
    updateWeights();
    m_probabilities.resize(m_weights.size());
    for (std::size_t i = 0; i < m_probabilities.size(); ++i)
        m_probabilities[i] = m_weights[i] / m_total;
    return m_probabilities;
}

void CandidateSet::divideBy(double temperature)
{
    m_temperature *= temperature;
    m_weightsValid = false;
}

void CandidateSet::setLogit(std::size_t position, double logit)
{
    if (!m_given.empty()) {
        m_logits.assign(m_given.begin(), m_given.end());
        m_given = {};
    }
    m_logits[position] = logit;
    m_weightsValid = false;
    ++m_version;
}

double CandidateSet::keep(std::span<const std::int32_t> positions)
{
    assert(!positions.empty());
    updateWeights();
    double removed = 0;
    std::size_t begin = 0; // of the run of removed positions before the next kept one
    for (const std::int32_t position : positions) {
        const auto end = static_cast<std::size_t>(position);
        removed += sum(m_weights.subspan(begin, end - begin));
        begin = end + 1;
    }
    removed += sum(m_weights.subspan(begin));
    const double removedProbability = std::min(removed / m_total, 1.0);

    // What is kept moves down in the same arrays, or into them from the given ones.
    const bool wasWhole = m_ids.empty();
    const bool wasGiven = !m_given.empty();
    if (wasWhole)
        m_ids.resize(positions.size());
    if (wasGiven)
        m_logits.resize(positions.size());
    if (m_ownWeights.size() < positions.size())
        m_ownWeights.resize(positions.size());
    std::size_t to = 0;
    for (const std::int32_t position : positions) {
        const auto from = static_cast<std::size_t>(position);
        m_ids[to] = wasWhole ? position : m_ids[from];
        m_logits[to] = wasGiven ? static_cast<double>(m_given[from]) : m_logits[from];
        m_ownWeights[to] = m_weights[from];
        ++to;
    }
    m_ids.resize(to);
    m_logits.resize(to);
    ++m_version;
    m_given = {};
    m_weights = std::span<const double>(m_ownWeights).first(to);
    // The weights are relative to the largest score. Only the mask of unnamed ids can take that
    // out, and then they begin anew from the largest left.
    m_weightsValid = std::find(m_weights.begin(), m_weights.end(), 1.0) != m_weights.end();
    m_total = sum(m_weights);
    return removedProbability;
}

void CandidateSet::updateWeights()
{
    if (m_weightsValid)
        return;
    const std::size_t count = size();
    if (m_ownWeights.size() < count)
        m_ownWeights.resize(count);
    const std::span<double> weights = std::span(m_ownWeights).first(count);
    if (m_given.empty()) {
        const std::span<const double> logits = m_logits;
        const double maximum = logits[engine::firstLargest(logits)];
        m_total = softmaxWeights(logits, maximum, m_temperature, weights).total;
    } else {
        m_total = softmaxWeights(m_given, m_givenMaximum, m_temperature, weights).total;
    }
    m_weights = weights;
    m_weightsValid = true;
}

} // namespace engine
