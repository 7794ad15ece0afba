#pragma once

#include "engine/api/Step.h"

#include <QString>

#include <optional>
#include <vector>

namespace ui {

/// One line of the arithmetic that leads from a candidate's logit to its final probability.
struct WorkedLine
{
    QString stage;  ///< "logit", "top-p 0.90", "renormalised"
    QString work;   ///< "e^(13.68 − 14.20) ÷ 2.43 = 24.4 %": this step's numbers
    QString result; ///< "kept", "removed", "÷", "=": in a word

    bool operator==(const WorkedLine&) const = default;
};

/// The account of a candidate as the step recorded it: its logit, every stage that saw it, the
/// renormalisation. Where a trace does not tell what the stages saw, it says so.
std::vector<WorkedLine> workedLines(const engine::Candidate& candidate, const engine::Step& step);

/// The setting at which the stage that removed a candidate would just let it stay.
struct WayBack
{
    engine::SamplingStage stage = engine::SamplingStage::TopK;
    double now = 0;
    /// The nearest number of so few decimals that it can be typed; with one unit of its last
    /// decimal less far, the candidate still goes. For top-k the exact k.
    double needed = 0;
    int decimals = 0;
    QString text; ///< `needed` as it is typed
};

/// Nothing for a candidate that was kept, that the mask of unnamed ids removed, or of which the
/// trace does not tell enough.
std::optional<WayBack> wayBack(const engine::Candidate& candidate, const engine::Step& step);

/// By which rule a candidate went, at which rank, mass or share, and how far the setting would have
/// to move; or that it was kept. One or two sentences.
QString removalSentence(const engine::Candidate& candidate, const engine::Step& step);

/// The number of a score in the account, two decimals.
QString scoreText(double score);

} // namespace ui
