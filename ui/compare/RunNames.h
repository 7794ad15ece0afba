#pragma once

#include "engine/api/Run.h"

#include <QStringList>

#include <vector>

namespace ui {

/// What to call runs that a model makes here: by the first two things that differ among them, from
/// the model on ("Greedy" and "Sampled", "T 0.20" and "T 1.50", "F16" and "Q4_0"); where nothing
/// does, "Run 1", "Run 2".
QStringList runNames(const std::vector<const engine::Run*>& runs);

} // namespace ui
