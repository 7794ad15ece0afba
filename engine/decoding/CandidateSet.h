#pragma once

#include "engine/api/Token.h"
#include "engine/decoding/Softmax.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace engine {

/// The tokens that a sampling chain has left so far, with their scores as the chain altered them.
/// Parallel arrays in ascending order of id; "position" below is an index into them. One object
/// serves step after step, so that its arrays are allocated once.
class CandidateSet
{
public:
    /// Starts again with the whole vocabulary, not empty; `distribution` is the softmax of
    /// `logits`.
    void reset(std::span<const float> logits, const Distribution& distribution);

    std::size_t size() const { return m_ids.size(); }
    const std::vector<std::int32_t>& ids() const { return m_ids; }
    std::optional<std::size_t> positionOf(TokenId id) const;

    /// Scores, all of which are still to be divided by temperature(). Dividing only where the
    /// softmax is taken, after the maximum is subtracted, keeps a tiny temperature from making
    /// infinities; a penalty commutes with it, since a positive divisor changes no sign.
    const std::vector<double>& logits() const { return m_logits; }
    double temperature() const { return m_temperature; }

    /// Softmax over the set, before it is divided by its sum: exp((logit - max logit) /
    /// temperature), so that the largest is 1. Valid until the set changes.
    std::span<const double> weights();
    std::span<const double> probabilities(); ///< valid until the set changes

    void divideBy(double temperature); ///< > 0
    void setLogit(std::size_t position, double logit);

    /// Keeps only these positions, ascending and at least one; returns the probability removed.
    double keep(std::span<const std::int32_t> positions);

private:
    void updateWeights();

    std::vector<std::int32_t> m_ids;
    std::vector<double> m_logits;
    std::vector<double> m_weights;
    std::vector<double> m_probabilities;
    double m_temperature = 1.0;
    double m_total = 0;
    bool m_weightsValid = false;
};

} // namespace engine
