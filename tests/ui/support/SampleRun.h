#pragma once

#include "engine/api/Run.h"

#include <string>

namespace support {

/// A believable run without a model: a story of 24 steps over a vocabulary of 4,096, sampled at
/// temperature 0.8, top-k 20, top-p 0.90, seed 42. Every number follows from the logits by the
/// rules of the contract (softmax, chain, running sum, draw), so tests can check what is shown
/// against what is computed. The story holds what is awkward to show: a prompt with BOS, a newline,
/// a tab, CJK, a character split over two tokens (twice), an emoji, a stop token at the end.
/// `steps` beyond 24 begin the story again; below 24 the run has not stopped yet.
engine::Run sampleRun(int steps = 24);

/// The same with the greedy rule: no chain, no draw, every pick the argmax.
engine::Run greedyRun(int steps = 24);

/// Only a prompt, as after "Start" and before the first step.
engine::Run promptOnlyRun();

/// A run of three generated tokens whose middle one has these bytes.
engine::Run runWithToken(const std::string& bytes);

/// The step of a run with another pick, as when the user forces a candidate.
engine::Step forcedStep(engine::Step step, engine::TokenId id);

} // namespace support
