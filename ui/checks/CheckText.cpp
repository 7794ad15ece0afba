#include "ui/checks/CheckText.h"

#include "ui/TokenText.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace ui {
namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(ui::CheckText)
};

QString number(double value)
{
    return QString::number(value, 'g', 3);
}

QString tokenName(const engine::TokenPiece& piece)
{
    return piece.id.value < 0 ? Words::tr("another token") : visibleText(piece, 20);
}

} // namespace

QString checkSentence(const engine::RunCheck& check)
{
    const auto count = check.runs.size();
    if (check.agree())
        return count == 1 ? Words::tr("One run was made; it takes two to compare.")
                          : Words::tr("All %1 runs are the same, to the bit.").arg(count);
    const auto other = std::find_if(check.runs.begin(), check.runs.end(),
                                    [](const engine::CheckedRun& run) { return !run.same; });
    const auto differing = std::count_if(check.runs.begin(), check.runs.end(),
                                         [](const engine::CheckedRun& run) { return !run.same; });
    return Words::tr("%1 of %2 runs differ from the first. Run %3: %4")
        .arg(differing)
        .arg(count)
        .arg(other - check.runs.begin() + 1)
        .arg(QString::fromStdString(other->sentence));
}

QString closeCallSentence(const engine::CloseCall& call)
{
    const bool isDraw = call.kind == engine::CloseCall::Kind::Draw;
    const QString margin =
        isDraw
            ? Words::tr("the draw missed %1 by %2").arg(tokenName(call.rival), number(call.margin))
            : Words::tr("%1 and %2 are %3 apart in their scores")
                  .arg(tokenName(call.picked), tokenName(call.rival), number(call.margin));
    if (call.isNearTie())
        return Words::tr("Near tie at step %1: %2. Another machine's rounding can be off by %3, so "
                         "it may pick the other.")
            .arg(call.step)
            .arg(margin, number(call.bound));
    return Words::tr(
               "No near tie. The closest call is step %1: %2, %3 times what another machine's "
               "rounding can be off by.")
        .arg(call.step)
        .arg(margin, number(call.margin / std::max(call.bound, 1e-300)));
}

QString closeCallsText(const std::vector<engine::CloseCall>& calls)
{
    constexpr std::size_t mostTold = 5;
    QStringList lines;
    for (std::size_t i = 0; i < std::min(calls.size(), mostTold); ++i)
        lines << closeCallSentence(calls[i]);
    if (calls.size() > mostTold)
        lines << Words::tr("and %1 more near ties").arg(calls.size() - mostTold);
    return lines.join(QLatin1Char('\n'));
}

QString fanSentence(const engine::SeedFan& fan)
{
    const auto likelier =
        std::count_if(fan.seeds.begin(), fan.seeds.end(),
                      [&fan](const engine::FanPath& path) { return fan.advantage(path) > 0; });
    if (fan.seeds.empty())
        return {};
    if (likelier == 0)
        return Words::tr("None of these %1 seeds made a likelier text than greedy, counted over as "
                         "many tokens.")
            .arg(fan.seeds.size());
    return Words::tr(
               "%1 of %2 seeds made a likelier text than greedy, counted over as many tokens: "
               "the likeliest token at each step need not make the likeliest text.")
        .arg(likelier)
        .arg(fan.seeds.size());
}

QString agreementSentence(const engine::SeedFan& fan, int step)
{
    const auto agreeing = std::count_if(
        fan.seeds.begin(), fan.seeds.end(),
        [&fan, step](const engine::FanPath& path) { return fan.agreement(path) > step; });
    return Words::tr("Step %1: %2 of %3 seeds still agree with greedy")
        .arg(step)
        .arg(agreeing)
        .arg(fan.seeds.size());
}

} // namespace ui
