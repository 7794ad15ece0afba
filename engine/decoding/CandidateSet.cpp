#include "engine/decoding/CandidateSet.h"

#include "engine/decoding/Exponential.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace engine {

void CandidateSet::reset(std::span<const float> logits, const Distribution& distribution)
{
    assert(!logits.empty() && distribution.weights.size() == logits.size());
    m_ids.resize(logits.size());
    std::iota(m_ids.begin(), m_ids.end(), 0);
    m_logits.assign(logits.begin(), logits.end());
    m_weights = distribution.weights;
    m_total = distribution.total;
    m_weightsValid = true;
    m_temperature = 1.0;
}

std::optional<std::size_t> CandidateSet::positionOf(TokenId id) const
{
    const auto found = std::lower_bound(m_ids.begin(), m_ids.end(), id.value);
    if (found == m_ids.end() || *found != id.value)
        return std::nullopt;
    return static_cast<std::size_t>(found - m_ids.begin());
}

std::span<const double> CandidateSet::weights()
{
    updateWeights();
    return m_weights;
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
    m_logits[position] = logit;
    m_weightsValid = false;
}

double CandidateSet::keep(std::span<const std::int32_t> positions)
{
    assert(!positions.empty());
    updateWeights();
    double removed = 0;
    std::size_t begin = 0; // of the run of removed positions before the next kept one
    for (const std::int32_t position : positions) {
        const auto end = static_cast<std::size_t>(position);
        removed += sum(std::span(m_weights).subspan(begin, end - begin));
        begin = end + 1;
    }
    removed += sum(std::span(m_weights).subspan(begin));
    const double removedProbability = std::min(removed / m_total, 1.0);

    std::size_t to = 0;
    for (const std::int32_t position : positions) {
        const auto from = static_cast<std::size_t>(position);
        m_ids[to] = m_ids[from];
        m_logits[to] = m_logits[from];
        m_weights[to] = m_weights[from];
        ++to;
    }
    m_ids.resize(to);
    m_logits.resize(to);
    m_weights.resize(to);
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
    const double maximum = *std::max_element(m_logits.begin(), m_logits.end());
    const double temperature = m_temperature;
    const double* const logits = m_logits.data();
    double* const weights = m_weights.data();
    for (std::size_t i = 0; i < m_weights.size(); ++i)
        weights[i] = (logits[i] - maximum) / temperature;
    exponentiate(m_weights);
    m_total = sum(m_weights);
    m_weightsValid = true;
}

} // namespace engine
