#pragma once

#include "engine/api/Run.h"
#include "engine/api/RunChecks.h"
#include "engine/api/Step.h"

#include <optional>
#include <vector>

namespace engine {

/// How far two float32 programs may disagree on one logit, as a share of the largest logit of the
/// step. Against the same network in float64 the logits of this program were measured to be off by
/// 4e-7 to 2e-6 of their size (root mean square), and other float32 programs, which add up in other
/// orders, by up to 1e-5; that is the share taken here, five times our own worst. A program that
/// rounds what flows between the layers to 8 bits, as some do for quantized models, is off by up to
/// 1.3e-3, far more: no bound for float32 can speak for it.
inline constexpr double logitRounding = 1e-5;

/// How near this step came to another pick, by the values that decided it:
/// - the score of the pick and that of its nearest rival among the candidates kept and listed. Both
///   may be off, each the other way, so the bound is twice `logitRounding` of the largest logit;
/// - where the pick was drawn, also the distance from u to the nearer end of the pick's slice that
///   has a neighbour. A set of candidates with the share S gains at most 2 d S (1 - S), so at most
///   d / 2, where each score is off by d (derivative of S under e^d and e^-d); d is divided by the
///   temperature as the scores are.
/// Of the two the one that is nearer in terms of its bound. Nothing for a pick put in by hand or
/// without a rival.
std::optional<CloseCall> closestCall(const Step& step);

/// All near ties of a run in the order of steps; where there is none, the step that came closest.
std::vector<CloseCall> closeCalls(const Run& run);

} // namespace engine
