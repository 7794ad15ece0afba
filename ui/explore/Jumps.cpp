#include "ui/explore/Jumps.h"

#include "engine/api/StepMetrics.h"

namespace ui {

bool isTarget(const engine::Step& step, JumpTo target)
{
    if (target == JumpTo::NotArgmax)
        return step.picked != step.argmax;
    return engine::effectiveChoices(step) >= uncertainFrom;
}

std::optional<int> findStep(const engine::Run& run, int from, int direction, JumpTo target)
{
    const int count = static_cast<int>(run.steps.size());
    for (int step = from + direction; step >= 0 && step < count; step += direction)
        if (isTarget(run.steps[static_cast<std::size_t>(step)], target))
            return step;
    return std::nullopt;
}

} // namespace ui
