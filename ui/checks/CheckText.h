#pragma once

#include "engine/api/RunChecks.h"

#include <QString>

namespace ui {

/// "All 5 runs are the same, to the bit." or which one parts from the first, where and why.
QString checkSentence(const engine::RunCheck& check);

/// What the closest call of a run means for another machine: a warning where it is a near tie, else
/// how far from one it is. Empty where nothing came close.
QString closeCallSentence(const engine::CloseCall& call);
QString closeCallsText(const std::vector<engine::CloseCall>& calls);

/// "Of 20 seeds 3 are likelier than the greedy text over as many tokens: greedy takes the likeliest
/// token at each step, which need not make the likeliest text."
QString fanSentence(const engine::SeedFan& fan);

/// "4 of 20 seeds still agree with the greedy text at step 3"
QString agreementSentence(const engine::SeedFan& fan, int step);

} // namespace ui
