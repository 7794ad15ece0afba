#include "ui/why/WorkedLine.h"

#include "ui/NumberText.h"
#include "ui/TokenText.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

using engine::Candidate;
using engine::CandidateAtStage;
using engine::SamplingStage;
using engine::StageTrace;
using engine::Step;

QString tr(const char* text)
{
    return QCoreApplication::translate("WorkedLine", text);
}

const StageTrace* traceOf(const Step& step, std::size_t at)
{
    return at < step.stages.size() ? &step.stages[at] : nullptr;
}

/// Enough digits that a number and the bound it is held against do not look equal.
QString besideText(double value, double bound)
{
    for (int decimals = 3; decimals < 10; ++decimals)
        if (QString text = QString::number(value, 'f', decimals);
            text != QString::number(bound, 'f', decimals) || value == bound)
            return text;
    return QString::number(value, 'g', 17);
}

double shareOf(const CandidateAtStage& seen, const StageTrace& stage)
{
    return stage.largestProbability > 0 ? seen.probability / stage.largestProbability : 0;
}

QString penaltyWork(const CandidateAtStage& seen, const StageTrace& stage)
{
    if (seen.scoreAfter == seen.scoreBefore)
        return tr("not in the context, or a logit of 0: stays %1").arg(scoreText(seen.scoreBefore));
    return QStringLiteral("%1 %2 %3 = %4")
        .arg(scoreText(seen.scoreBefore),
             seen.scoreBefore > 0 ? QStringLiteral("÷") : QStringLiteral("×"),
             settingText(stage.value), scoreText(seen.scoreAfter));
}

QString topPWork(const CandidateAtStage& seen, const StageTrace& stage, bool removed)
{
    const QString mass = besideText(seen.massBefore, stage.value);
    if (removed)
        return tr("mass before it %1 ≥ %2").arg(mass, settingText(stage.value));
    if (seen.rank == 1)
        return tr("the first always stays");
    return tr("mass before it %1 < %2").arg(mass, settingText(stage.value));
}

WorkedLine lineOf(const CandidateAtStage& seen, const StageTrace& stage, bool removed)
{
    WorkedLine line;
    line.stage = stageText(seen.stage, stage.value);
    line.result = removed ? tr("removed") : tr("kept");
    switch (seen.stage) {
    case SamplingStage::UnnamedIds:
        line.work =
            removed ? tr("the tokenizer has no name for this id") : tr("the tokenizer knows it");
        break;
    case SamplingStage::RepetitionPenalty:
        line.work = penaltyWork(seen, stage);
        line.result = seen.scoreAfter == seen.scoreBefore ? tr("unchanged") : tr("changed");
        break;
    case SamplingStage::Temperature:
        line.work = QStringLiteral("%1 ÷ %2 = %3")
                        .arg(scoreText(seen.scoreBefore), settingText(stage.value),
                             scoreText(seen.scoreAfter));
        line.result = tr("scaled");
        break;
    case SamplingStage::TopK:
        line.work = QStringLiteral("%1 %2 %3 %4")
                        .arg(tr("rank"), countText(seen.rank),
                             removed ? QStringLiteral(">") : QStringLiteral("≤"),
                             countText(static_cast<std::int64_t>(stage.value)));
        break;
    case SamplingStage::TopP:
        line.work = topPWork(seen, stage, removed);
        break;
    case SamplingStage::MinP:
        line.work =
            QStringLiteral("%1 ÷ %2 = %3 %4 %5")
                .arg(percentText(seen.probability), percentText(stage.largestProbability),
                     besideText(shareOf(seen, stage), stage.value),
                     removed ? QStringLiteral("<") : QStringLiteral("≥"), settingText(stage.value));
        break;
    }
    return line;
}

/// The final probability over the largest one, which tells the sum of the softmax.
const Candidate* mostProbableLeft(const Step& step)
{
    const Candidate* best = nullptr;
    for (const Candidate& candidate : step.candidates)
        if (best == nullptr || candidate.finalProbability > best->finalProbability)
            best = &candidate;
    return best;
}

double lastScore(const Candidate& candidate)
{
    return candidate.path.empty() ? static_cast<double>(candidate.logit)
                                  : candidate.path.back().scoreAfter;
}

WorkedLine finalLine(const Candidate& candidate, const Step& step)
{
    WorkedLine line{tr("final probability"), {}, tr("for the draw")};
    if (!step.draw) {
        line.work = candidate.piece.id == step.ruleChoice
                        ? tr("the largest score left is taken: 100 %, with no draw")
                        : tr("not the largest score left: 0 %");
        line.result = tr("greedy");
        return line;
    }
    const QString probability = percentText(candidate.finalProbability);
    if (!candidate.path.empty()) {
        const StageTrace& last = step.stages.back();
        if (last.removedProbability > 0) {
            line.work = QStringLiteral("%1 ÷ %2 = %3")
                            .arg(percentText(candidate.path.back().probability),
                                 percentText(1 - last.removedProbability), probability);
            line.stage = tr("renormalised");
            return line;
        }
    }
    const Candidate* best = mostProbableLeft(step);
    if (best == nullptr || best->finalProbability <= 0)
        return line;
    line.work = QStringLiteral("e^(%1 − %2) ÷ %3 = %4")
                    .arg(scoreText(lastScore(candidate)), scoreText(lastScore(*best)),
                         QString::number(1 / best->finalProbability, 'f', 3), probability);
    line.stage = tr("softmax");
    return line;
}

/// The nearest number of `decimals` decimals on the side on which the candidate stays.
double rounded(double exact, int decimals, bool up)
{
    const double unit = std::pow(10.0, decimals);
    double result = (up ? std::ceil(exact * unit) : std::floor(exact * unit)) / unit;
    if (up && result <= exact) // top-p keeps what has less than p before it, not as much
        result = (std::ceil(exact * unit) + 1) / unit;
    return result;
}

WayBack typed(SamplingStage stage, double now, double exact, bool up)
{
    WayBack back{stage, now, exact, 4, {}};
    constexpr int most = 15;
    // Not at 1 for top-p nor at 0 for min-p: there they are off.
    for (; back.decimals <= most; ++back.decimals) {
        back.needed = rounded(exact, back.decimals, up);
        if (back.needed > 0 && back.needed < 1)
            break;
    }
    if (back.decimals > most) // nothing but "off" is far enough
        return {stage, now, up ? 1.0 : 0.0, 0, up ? QStringLiteral("1") : QStringLiteral("0")};
    back.text = QString::number(back.needed, 'f', back.decimals);
    back.needed = back.text.toDouble();
    return back;
}

/// "; a tie with ␣dog: the smaller id comes first"; empty without one.
QString tieText(const Candidate& candidate, const Step& step)
{
    for (const Candidate& other : step.candidates)
        if (other.piece.id != candidate.piece.id && other.logit == candidate.logit)
            return tr("; a tie with %1: the smaller id comes first")
                .arg(visibleText(other.piece, 16));
    return {};
}

QString removedBySentence(const CandidateAtStage& seen, const StageTrace& stage)
{
    switch (seen.stage) {
    case SamplingStage::TopK:
        return tr("Removed by %1 at rank %2.")
            .arg(stageText(seen.stage, stage.value), countText(seen.rank));
    case SamplingStage::TopP:
        return tr("Removed by %1: the candidates before it already had %2 of the mass.")
            .arg(stageText(seen.stage, stage.value), besideText(seen.massBefore, stage.value));
    case SamplingStage::MinP:
        return tr("Removed by %1: it has %2 of the largest probability.")
            .arg(stageText(seen.stage, stage.value), besideText(shareOf(seen, stage), stage.value));
    default:
        return tr("Removed: the tokenizer has no name for this id, so it could not be shown.");
    }
}

QString wayBackSentence(const WayBack& back)
{
    if (back.stage == SamplingStage::TopK)
        return tr("top-k %1 would keep it: %2 more.")
            .arg(countText(static_cast<std::int64_t>(back.needed)),
                 countText(static_cast<std::int64_t>(back.needed - back.now)));
    const double distance = std::abs(back.needed - back.now);
    const QString by = QString::number(distance, 'f', back.decimals);
    return back.stage == SamplingStage::TopP
               ? tr("top-p %1 would keep it: %2 more.").arg(back.text, by)
               : tr("min-p %1 would keep it: %2 less.").arg(back.text, by);
}

} // namespace

QString scoreText(double score)
{
    const double size = std::abs(score);
    return size != 0 && (size < 0.005 || size >= 1e7) ? QString::number(score, 'g', 4)
                                                      : logitText(score);
}

std::vector<WorkedLine> workedLines(const Candidate& candidate, const Step& step)
{
    std::vector<WorkedLine> lines;
    lines.push_back({tr("logit"),
                     tr("%1, rank %2; alone a softmax of %3")
                             .arg(scoreText(candidate.logit), countText(candidate.rank),
                                  percentText(candidate.probability)) +
                         tieText(candidate, step),
                     tr("model")});
    if (candidate.path.empty() && !step.stages.empty()) {
        lines.push_back({tr("settings"), tr("This trace does not tell what each setting saw."),
                         candidate.removedBy ? tr("removed") : tr("kept")});
        return lines;
    }
    for (std::size_t at = 0; at < candidate.path.size(); ++at) {
        const StageTrace* stage = traceOf(step, at);
        if (stage == nullptr)
            break;
        const bool removed = candidate.removedBy && at + 1 == candidate.path.size();
        lines.push_back(lineOf(candidate.path[at], *stage, removed));
    }
    if (!candidate.removedBy)
        lines.push_back(finalLine(candidate, step));
    return lines;
}

std::optional<WayBack> wayBack(const Candidate& candidate, const Step& step)
{
    if (!candidate.removedBy || candidate.path.empty())
        return std::nullopt;
    const CandidateAtStage& seen = candidate.path.back();
    const StageTrace* stage = traceOf(step, candidate.path.size() - 1);
    if (stage == nullptr || seen.stage != *candidate.removedBy)
        return std::nullopt;
    switch (seen.stage) {
    case SamplingStage::TopK:
        return WayBack{seen.stage, stage->value, static_cast<double>(seen.rank), 0,
                       QString::number(seen.rank)};
    case SamplingStage::TopP:
        return typed(seen.stage, stage->value, seen.massBefore, true);
    case SamplingStage::MinP:
        return typed(seen.stage, stage->value, shareOf(seen, *stage), false);
    default:
        return std::nullopt;
    }
}

QString removalSentence(const Candidate& candidate, const Step& step)
{
    if (!candidate.removedBy)
        return candidate.piece.id == step.picked ? tr("Kept, and picked.")
                                                 : tr("Kept, not picked.");
    if (candidate.path.empty() || candidate.path.size() > step.stages.size()) {
        const std::string_view name = engine::name(*candidate.removedBy);
        return tr("Removed by %1; this trace does not tell how near it was.")
            .arg(QLatin1String(name.data(), static_cast<qsizetype>(name.size())));
    }
    QString sentence =
        removedBySentence(candidate.path.back(), step.stages[candidate.path.size() - 1]);
    if (const auto back = wayBack(candidate, step))
        sentence += QLatin1Char(' ') + wayBackSentence(*back);
    return sentence;
}

} // namespace ui
