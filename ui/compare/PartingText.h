#pragma once

#include "engine/api/RunComparison.h"

#include <QString>

namespace ui {

/// Where and why run number `run` parts from run A: "step 4: same logits; A takes the largest, B’s
/// draw u = 0.611 picks rank 2".
QString partingText(const engine::RunParting& parting, int run);

/// "diverges at step 4", or "diverges in the prompt".
QString partingFlag(const engine::RunParting& parting);

/// "= A 12–17": the steps of A that have the same tokens.
QString agreementText(const engine::Reconvergence& agreement);

/// "repeats 4 tokens, 3 times".
QString loopText(const engine::RepetitionLoop& loop);

} // namespace ui
