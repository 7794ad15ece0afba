#pragma once

#include "engine/api/RunConfig.h"
#include "engine/api/Step.h"

#include <QString>

namespace ui {

/// Who a setting's value is from.
enum class SettingOrigin
{
    Program, ///< nobody has set it
    Model,   ///< taken over from the model's own file
    User,
    Trace, ///< recorded
};

/// "default", "model's", "you", "recorded"
QString originText(SettingOrigin origin);

/// What a stage's setting does at a step, in a few words: "off", "not used" (by greedy decoding),
/// "no effect", "cuts 4,084", "sharpens", "changes 12". Empty without a step.
QString effectText(engine::SamplingStage stage, const engine::SamplingConfig& sampling,
                   const engine::Step* step);

/// What the seed does at a step: "not used", "no effect" where one candidate is left, "draws".
QString seedEffectText(const engine::Step* step);

} // namespace ui
