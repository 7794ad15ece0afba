#pragma once

#include "engine/api/RunConfig.h"

#include <QString>

#include <vector>

namespace ui {

/// A temperature that goes by a name.
struct MoodPreset
{
    QString name; ///< "Factual"
    double temperature = 1;
};

/// Factual, balanced, creative: the temperatures that providers' guides commonly name so.
std::vector<MoodPreset> moodPresets();

/// The order in which a library runs the stages that are here too.
struct OrderPreset
{
    QString library;
    std::vector<engine::SamplingStage> order;
    QString source; ///< where the order is told, for a tool tip
};

std::vector<OrderPreset> orderPresets();

/// With the temperature, drawn rather than greedy.
engine::SamplingConfig withMood(engine::SamplingConfig config, const MoodPreset& mood);

/// Whether a stage is in the order and not at its "off" value.
bool isStageOn(engine::SamplingStage stage, const engine::SamplingConfig& config);
/// With the stage at its "off" value, or at `value`; a stage that is missing in the order is put at
/// its end.
engine::SamplingConfig withStage(engine::SamplingConfig config, engine::SamplingStage stage,
                                 double value);
/// A value at which a stage does something: what it has, or a usual one where it is off.
double usualValue(engine::SamplingStage stage);
double offValue(engine::SamplingStage stage);
double valueOf(engine::SamplingStage stage, const engine::SamplingConfig& config);

} // namespace ui
