#pragma once

#include "engine/api/Error.h"
#include "engine/api/Token.h"

#include <span>
#include <vector>

namespace engine {

/// The softmax of a step's logits over the whole vocabulary, at temperature 1, in float64.
struct Distribution
{
    std::vector<double> weights; ///< exp(logit - maxLogit), shape [vocabularySize]
    double total = 0;            ///< their sum, at least 1
    double logSumExp = 0;        ///< natural log of the sum of exp(logit)
    double entropyBits = 0;
    float minLogit = 0;
    float maxLogit = 0;

    /// `id` must be in the vocabulary.
    double probability(TokenId id) const { return weights[id.value] / total; }
};

/// p_i = exp(x_i - max x) / sum_j exp(x_j - max x). `buffer` becomes the weights: handing back
/// those of the step before saves the operating system finding megabytes for each step. Errors:
/// InvalidArgument (no logits); NotFinite, naming the token whose logit is no number.
Result<Distribution> softmax(std::span<const float> logits, std::vector<double> buffer = {});

} // namespace engine
