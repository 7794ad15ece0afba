#include "ui/DistributionRows.h"

#include "ui/NumberText.h"
#include "ui/TokenText.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

using engine::Candidate;
using engine::Step;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(ui::DistributionRows)
};

DistributionRow rowOf(const Candidate& candidate, const Step& step, bool hasFinal)
{
    DistributionRow row;
    row.piece = candidate.piece;
    row.rank = candidate.rank;
    row.logit = candidate.logit;
    row.probability = candidate.probability;
    row.finalProbability = candidate.finalProbability;
    row.isArgmax = candidate.piece.id == step.argmax;
    row.isGiven = step.index < 0 && candidate.piece.id == step.picked;
    row.isPicked = step.index >= 0 && candidate.piece.id == step.picked;
    row.isForced = row.isPicked && step.forced;
    row.isRuleChoice = step.forced && candidate.piece.id == step.ruleChoice && !row.isPicked;
    row.isCut = hasFinal && candidate.removedBy.has_value();
    row.removedBy = candidate.removedBy;
    return row;
}

/// Every candidate as a row, with the running sum for as long as no rank is missing.
std::vector<DistributionRow> allRows(const Step& step, bool hasFinal)
{
    std::vector<DistributionRow> rows;
    rows.reserve(step.candidates.size());
    double sum = 0;
    bool whole = true;
    for (const Candidate& candidate : step.candidates) {
        DistributionRow row = rowOf(candidate, step, hasFinal);
        whole = whole && row.rank == static_cast<int>(rows.size()) + 1;
        sum += row.probability;
        if (whole)
            row.cumulative = std::min(sum, 1.0);
        rows.push_back(std::move(row));
    }
    return rows;
}

/// The tokens without a row of their own: those that the step does not list, and `hidden`.
DistributionRow othersRow(const Step& step, const std::vector<DistributionRow>& hidden,
                          bool hasFinal)
{
    DistributionRow row;
    row.others = step.others.count + static_cast<std::int64_t>(hidden.size());
    row.probability = step.others.probability;
    row.finalProbability = step.others.finalProbability;
    const auto keptListed =
        std::count_if(step.candidates.begin(), step.candidates.end(),
                      [](const Candidate& candidate) { return !candidate.removedBy; });
    row.isCut = hasFinal && step.keptCount <= keptListed;
    for (const DistributionRow& candidate : hidden) {
        row.probability += candidate.probability;
        row.finalProbability += candidate.finalProbability;
        row.isCut = row.isCut && candidate.isCut;
    }
    return row;
}

/// The stages that cut off candidates, as "top-k 20, top-p 0.90".
QString cuttingStages(const Step& step)
{
    QStringList names;
    for (const engine::StageTrace& stage : step.stages)
        if (stage.after < stage.before)
            names << stageText(stage.stage, stage.value);
    return names.join(QStringLiteral(", "));
}

/// The stage that decided where the line is: the one that removed the row right below it.
QString stageAtLine(const DistributionRow& below, const Step& step)
{
    if (below.removedBy)
        for (const engine::StageTrace& stage : step.stages)
            if (stage.stage == *below.removedBy)
                return stageText(stage.stage, stage.value);
    return cuttingStages(step);
}

std::optional<CutLine> cutLineOf(const std::vector<DistributionRow>& rows, const Step& step,
                                 const QString& keptWords)
{
    const auto isCut = [](const DistributionRow& row) { return row.isCut; };
    const auto firstCut = std::find_if(rows.begin(), rows.end(), isCut);
    if (firstCut == rows.end() || firstCut == rows.begin() ||
        !std::all_of(firstCut, rows.end(), isCut))
        return std::nullopt;
    return CutLine{static_cast<int>(firstCut - rows.begin()),
                   Words::tr("%1 cuts below · %2").arg(stageAtLine(*firstCut, step), keptWords)};
}

double logarithmicLength(double probability)
{
    return probability > 0 ? std::max(0.0, (5 + std::log10(probability)) / 5) : 0;
}

} // namespace

DistributionRows DistributionRows::of(const Step& step, int limit)
{
    DistributionRows shown;
    shown.hasFinal = step.draw.has_value();
    std::vector<DistributionRow> rows = allRows(step, shown.hasFinal);
    std::vector<DistributionRow> hidden;
    const auto most = static_cast<std::size_t>(std::max(2, limit));
    if (rows.size() > most) {
        const auto picked = std::find_if(rows.begin(), rows.end(), [](const DistributionRow& row) {
            return row.isPicked || row.isGiven;
        });
        if (picked - rows.begin() >= static_cast<std::ptrdiff_t>(most))
            std::rotate(rows.begin() + static_cast<std::ptrdiff_t>(most) - 1, picked, picked + 1);
        hidden.assign(rows.begin() + static_cast<std::ptrdiff_t>(most), rows.end());
        rows.resize(most);
    }
    const std::int64_t vocabulary =
        static_cast<std::int64_t>(step.candidates.size()) + step.others.count;
    if (shown.hasFinal && step.keptCount < vocabulary)
        shown.keptWords =
            Words::tr("%1 of %2 tokens kept").arg(countText(step.keptCount), countText(vocabulary));
    if (step.others.count > 0 || !hidden.empty())
        rows.push_back(othersRow(step, hidden, shown.hasFinal));
    shown.cutLine = cutLineOf(rows, step, shown.keptWords);
    shown.rows = std::move(rows);
    return shown;
}

Bar DistributionRows::bar(const DistributionRow& row, BarScale scale) const
{
    if (scale == BarScale::Logarithmic) {
        const double length = logarithmicLength(row.probability);
        return row.isCut && !row.isPicked ? Bar{0, 0, length} : Bar{length, 0, 0};
    }
    // A pick that the chain had cut off was forced: it is orange as every pick is.
    if (!hasFinal || (row.isPicked && row.isCut))
        return {row.probability, 0, 0};
    return {std::min(row.probability, row.finalProbability),
            std::max(0.0, row.finalProbability - row.probability),
            std::max(0.0, row.probability - row.finalProbability)};
}

QString DistributionRows::axisWords(BarScale scale) const
{
    switch (scale) {
    case BarScale::Linear:
        return Words::tr("AXIS FITTED TO %1 %").arg(100 * axisMaximum(), 0, 'g', 3);
    case BarScale::Full:
        return Words::tr("AXIS 0 TO 100 %");
    case BarScale::Logarithmic:
        return Words::tr("LOGARITHMIC AXIS");
    }
    return {};
}

double DistributionRows::axisMaximum(BarScale scale) const
{
    if (scale != BarScale::Linear)
        return 1.0;
    double largest = 0;
    for (const DistributionRow& row : rows)
        if (!row.isOthers())
            largest = std::max(largest, bar(row, BarScale::Linear).end());
    if (largest <= 0)
        return 0.05;
    if (largest > 0.025)
        return std::min(1.0, 0.05 * std::ceil(largest / 0.05 - 1e-9));
    const double decade = std::pow(10.0, std::floor(std::log10(largest)));
    for (const double multiple : {1.0, 2.0, 5.0})
        if (largest <= multiple * decade * (1 + 1e-9))
            return multiple * decade;
    return 10 * decade;
}

QString spokenText(const DistributionRow& row)
{
    QString percent = percentText(row.probability);
    percent.chop(2);
    percent.replace(QLatin1Char('<'), Words::tr("less than "));
    percent.replace(QLatin1Char('>'), Words::tr("more than "));
    if (row.isOthers())
        return Words::tr("all other %1 tokens, probability %2 percent")
            .arg(countText(row.others), percent);
    QStringList parts = {Words::tr("token %1").arg(visibleText(row.piece)),
                         Words::tr("probability %1 percent").arg(percent),
                         Words::tr("rank %1").arg(row.rank)};
    if (row.isArgmax)
        parts << Words::tr("argmax");
    if (row.isPicked)
        parts << Words::tr("picked");
    if (row.isGiven)
        parts << Words::tr("in the prompt");
    if (row.isForced)
        parts << Words::tr("forced");
    if (row.isRuleChoice)
        parts << Words::tr("the rule's choice");
    if (row.isCut && row.removedBy) {
        const std::string_view name = engine::name(*row.removedBy);
        parts << Words::tr("removed by %1")
                     .arg(QLatin1String(name.data(), static_cast<qsizetype>(name.size())));
    }
    return parts.join(QStringLiteral(", "));
}

} // namespace ui
