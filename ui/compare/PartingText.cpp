#include "ui/compare/PartingText.h"

#include "ui/NumberText.h"
#include "ui/TokenText.h"
#include "ui/compare/CompareModel.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <utility>

namespace ui {
namespace {

using engine::ChainSetting;
using engine::PartingCause;
using engine::PartingSide;
using engine::RunParting;
using engine::SamplingStage;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(ui::PartingText)
};

QString asText(std::string_view name)
{
    return QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size()));
}

/// Two numbers with as few decimals as tell them apart, three at least.
std::pair<QString, QString> apart(double a, double b)
{
    constexpr int mostDecimals = 15;
    int decimals = 3;
    while (decimals < mostDecimals && a != b &&
           QString::number(a, 'f', decimals) == QString::number(b, 'f', decimals))
        ++decimals;
    return {QString::number(a, 'f', decimals), QString::number(b, 'f', decimals)};
}

QString orderText(const std::vector<SamplingStage>& order)
{
    QStringList names;
    for (const SamplingStage stage : order)
        names << asText(name(stage));
    return names.join(QStringLiteral(", "));
}

QString settingPair(const QString& name, const QString& a, const QString& b)
{
    return Words::tr("%1 %2 and %3").arg(name, a, b);
}

QString settingWords(ChainSetting setting, const engine::SamplingConfig& a,
                     const engine::SamplingConfig& b)
{
    const auto numbers = [](SamplingStage stage, double x, double y) {
        return settingPair(asText(name(stage)), settingText(x), settingText(y));
    };
    switch (setting) {
    case ChainSetting::Rule:
        return settingPair(Words::tr("decoding"), asText(name(a.rule)), asText(name(b.rule)));
    case ChainSetting::RepetitionPenalty:
        return numbers(SamplingStage::RepetitionPenalty, a.repetitionPenalty, b.repetitionPenalty);
    case ChainSetting::Temperature:
        return numbers(SamplingStage::Temperature, a.temperature, b.temperature);
    case ChainSetting::TopK:
        return settingPair(asText(name(SamplingStage::TopK)), countText(a.topK), countText(b.topK));
    case ChainSetting::TopP:
        return numbers(SamplingStage::TopP, a.topP, b.topP);
    case ChainSetting::MinP:
        return numbers(SamplingStage::MinP, a.minP, b.minP);
    case ChainSetting::Order:
        return settingPair(Words::tr("order"), orderText(a.order), orderText(b.order));
    }
    return {};
}

QString rankText(const PartingSide& side)
{
    return side.rank > 0 ? Words::tr("rank %1").arg(countText(side.rank)) : visibleText(side.pick);
}

/// How both sides came to their picks.
QString choices(const RunParting& parting, const QString& a, const QString& b)
{
    const PartingSide& x = parting.first;
    const PartingSide& y = parting.other;
    if (!x.draw && y.draw)
        return Words::tr("%1 takes the largest, %2’s draw u = %3 picks %4")
            .arg(a, b, apart(y.draw->u, y.draw->u).first, rankText(y));
    if (x.draw && !y.draw)
        return Words::tr("%1’s draw u = %2 picks %3, %4 takes the largest")
            .arg(a, apart(x.draw->u, x.draw->u).first, rankText(x), b);
    if (!x.draw || !y.draw)
        return Words::tr("%1 picks %2, %3 picks %4").arg(a, rankText(x), b, rankText(y));
    const auto [u, v] = apart(x.draw->u, y.draw->u);
    if (x.draw->u == y.draw->u)
        return Words::tr("the draw u = %1 picks %2 in %3 and %4 in %5")
            .arg(u, rankText(x), a, rankText(y), b);
    return Words::tr("%1’s draw u = %2 picks %3, %4’s draw u = %5 picks %6")
        .arg(a, u, rankText(x), b, v, rankText(y));
}

QString logitsText(const RunParting& parting)
{
    QString text = parting.sameModel
                       ? Words::tr("other logits, although model and context are the same")
                       : Words::tr("other logits, from another model");
    if (parting.logitsDifferSince)
        text += Words::tr(", and that since step %1").arg(*parting.logitsDifferSince);
    return text;
}

QString settingsText(const RunParting& parting)
{
    QStringList words;
    for (const ChainSetting setting : parting.settings)
        words << settingWords(setting, parting.first.sampling, parting.other.sampling);
    if (words.isEmpty())
        return Words::tr("same logits, other probabilities after the chain");
    return Words::tr("same logits; the settings differ (%1)").arg(words.join(QStringLiteral("; ")));
}

QString forcedText(const RunParting& parting, const QString& a, const QString& b)
{
    const auto one = [](const QString& letter, const PartingSide& side) {
        return Words::tr("%1 (%2)").arg(letter, rankText(side));
    };
    QStringList forced;
    if (parting.first.forced)
        forced << one(a, parting.first);
    if (parting.other.forced)
        forced << one(b, parting.other);
    return Words::tr("same logits; the token was put in by hand in %1")
        .arg(forced.join(Words::tr(" and ")));
}

bool byTheRuleAlone(const RunParting& parting)
{
    return parting.settings == std::vector{ChainSetting::Rule};
}

} // namespace

QString partingText(const RunParting& parting, int run)
{
    const QString a = runLetter(0);
    const QString b = runLetter(run);
    if (parting.cause == PartingCause::Context)
        return Words::tr("the prompts differ from token %1 on").arg(parting.contextPosition);
    const QString step = Words::tr("step %1: ").arg(parting.step);
    switch (parting.cause) {
    case PartingCause::Context:
        break;
    case PartingCause::Logits:
        return step + logitsText(parting) + QStringLiteral("; ") + choices(parting, a, b);
    case PartingCause::Settings:
        // The words of the choices name the rules already.
        return step + (byTheRuleAlone(parting) ? Words::tr("same logits") : settingsText(parting)) +
               QStringLiteral("; ") + choices(parting, a, b);
    case PartingCause::Draw:
        return step + Words::tr("same logits and probabilities; ") + choices(parting, a, b);
    case PartingCause::Forced:
        return step + forcedText(parting, a, b);
    case PartingCause::Text:
        return step +
               Words::tr("same token id, but it is %1 in %2 and %3 in %4: the tokenizers "
                         "differ")
                   .arg(visibleText(parting.first.pick), a, visibleText(parting.other.pick), b);
    }
    return {};
}

QString partingFlag(const RunParting& parting)
{
    return parting.cause == PartingCause::Context
               ? Words::tr("diverges in the prompt")
               : Words::tr("diverges at step %1").arg(parting.step);
}

QString agreementText(const engine::Reconvergence& agreement)
{
    return QStringLiteral("= %1 %2–%3")
        .arg(runLetter(0))
        .arg(agreement.firstStep)
        .arg(agreement.firstStep + agreement.count - 1);
}

QString loopText(const engine::RepetitionLoop& loop)
{
    return loop.period == 1
               ? Words::tr("repeats one token, %1 times").arg(loop.copies)
               : Words::tr("repeats %1 tokens, %2 times").arg(loop.period).arg(loop.copies);
}

} // namespace ui
