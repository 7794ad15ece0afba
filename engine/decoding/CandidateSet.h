#pragma once

#include "engine/api/Token.h"
#include "engine/decoding/Softmax.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace engine {

/// The tokens that a sampling chain has left so far, with their scores as the chain altered them,
/// in ascending order of id; "position" below is a place in that order. One object serves step
/// after step, so that its arrays are allocated once. As long as nothing is removed or altered it
/// looks at the arrays it was given instead of copying a whole vocabulary.
class CandidateSet
{
public:
    CandidateSet() = default;
    CandidateSet(CandidateSet&&) = default; // a copy would look into the arrays of the original
    CandidateSet& operator=(CandidateSet&&) = default;
    ~CandidateSet() = default;

    /// Starts again with the whole vocabulary, not empty; `distribution` is the softmax of
    /// `logits`. Both must stay until the next reset.
    void reset(std::span<const float> logits, const Distribution& distribution);

    std::size_t size() const { return m_weights.size(); }
    /// Another number whenever positions or the order of scores may have changed.
    std::uint64_t version() const { return m_version; }
    TokenId idAt(std::size_t position) const;
    std::optional<std::size_t> positionOf(TokenId id) const;
    std::vector<std::int32_t> ids() const; ///< a copy of all

    /// Scores, all of which are still to be divided by temperature(). Dividing only where the
    /// softmax is taken, after the maximum is subtracted, keeps a tiny temperature from making
    /// infinities; a penalty commutes with it, since a positive divisor changes no sign.
    double logitAt(std::size_t position) const;
    std::vector<double> logits() const; ///< a copy of all
    double temperature() const { return m_temperature; }
    /// logitAt divided by temperature(), at most the largest number.
    double scoreAt(std::size_t position) const;

    /// Positions of the `count` largest scores, ascending; among equals the smaller is larger.
    std::vector<std::int32_t> largest(std::size_t count) const;
    std::size_t firstLargest() const;
    /// 1-based, by score, among equals by position.
    std::int64_t rankOf(std::size_t position) const;

    /// Softmax over the set, before it is divided by its sum: exp((logit - max logit) /
    /// temperature), so that the largest is 1. Valid until the set changes.
    std::span<const double> weights();
    double totalWeight(); ///< their sum
    /// The sum of the weights that are larger, and of equals before it.
    double weightBefore(std::size_t position);
    std::span<const double> probabilities(); ///< valid until the set changes

    void divideBy(double temperature); ///< > 0
    void setLogit(std::size_t position, double logit);

    /// Keeps only these positions, ascending and at least one; returns the probability removed.
    double keep(std::span<const std::int32_t> positions);

private:
    void updateWeights();

    std::span<const float> m_given; ///< the raw logits; empty once they are altered or some removed
    float m_givenMaximum = 0;
    std::vector<double> m_logits;    ///< in their place
    std::vector<std::int32_t> m_ids; ///< empty while all are in
    std::span<const double> m_weights;
    std::vector<double> m_ownWeights; ///< behind m_weights where they are not the given ones
    std::vector<double> m_probabilities;
    double m_temperature = 1.0;
    double m_total = 0;
    std::uint64_t m_version = 0;
    bool m_weightsValid = false;
};

} // namespace engine
