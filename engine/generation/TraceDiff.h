#pragma once

#include "engine/api/Run.h"

#include <optional>
#include <string>

namespace engine {

/// The stages at which two runs can part, in pipeline order.
enum class DiffStage
{
    Ids,    ///< the starting context, as token ids
    Logits, ///< same ids read, other scores
    Chain,  ///< same scores, the chain left other probabilities
    Draw,   ///< same probabilities, another u, or a token put in by hand
    Text,   ///< same token, other text (another tokenizer)
};

const char* name(DiffStage stage); ///< "ids", "logits", "chain", "draw", "text"

/// What two runs have in common. They part at the first step whose token differs, or its text; the
/// stage is the first in the pipeline whose values differ at that step. Runs whose values differ
/// earlier, or that differ in an input, and yet go on to the same tokens, have not parted.
struct TraceDiff
{
    bool same = false;        ///< every value but the timings is equal
    bool sameContext = false; ///< the same ids
    bool sameSettings =
        false; ///< all that can change the output, so not the number of candidates listed
    bool sameModel = false;     ///< by digest, or by what is said of it where a digest is missing
    bool sameTokenizer = false; ///< likewise
    struct Parting
    {
        int step = 0; ///< 0-based
        DiffStage stage = DiffStage::Ids;
    };
    std::optional<Parting> parted;
    std::string sentence; ///< for a student: where they part, and which input caused it
};

TraceDiff diffTraces(const Run& a, const Run& b);

} // namespace engine
