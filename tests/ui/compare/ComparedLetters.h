#pragma once

#include "tests/ui/branches/LineSteps.h"
#include "ui/compare/CompareModel.h"

#include <string>
#include <vector>

// Runs of single letters to be compared; how they stand to each other is written down by the test.

namespace support {

inline engine::RunParting drawParting(int step, double first, double other)
{
    engine::RunParting parting;
    parting.step = step;
    parting.cause = engine::PartingCause::Draw;
    parting.first.rank = 1;
    parting.other.rank = 2;
    parting.first.draw = engine::Draw{first, 0, 1, 0};
    parting.other.draw = engine::Draw{other, 0, 1, 0};
    return parting;
}

/// The runs as given; all share the prompt "x" and `sharedSteps` steps, and those whose number is
/// in `parted` part there by another draw.
inline void showLetters(ui::CompareModel& model, const std::vector<std::string>& letters,
                        int sharedSteps, const std::vector<int>& parted)
{
    std::vector<ui::NamedRun> runs;
    engine::RunComparison comparison;
    comparison.sharedContext = 1;
    comparison.sharedSteps = sharedSteps;
    comparison.runs.resize(letters.size());
    for (const std::string& text : letters)
        runs.push_back({QStringLiteral("Run %1").arg(runs.size()), letterRun(text)});
    for (const int run : parted)
        comparison.runs[static_cast<std::size_t>(run)].parting =
            drawParting(sharedSteps, 0.25, 0.611);
    model.setRuns(runs, comparison);
}

} // namespace support
