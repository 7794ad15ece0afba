#include "ui/NumberText.h"

#include <QLocale>

#include <algorithm>
#include <string_view>

namespace ui {
namespace {

QString fixed(double value, int decimals)
{
    return QString::number(value, 'f', decimals);
}

} // namespace

QString percentText(double probability)
{
    const double percent = 100 * probability;
    if (percent <= 0)
        return QStringLiteral("0 %");
    if (percent < 0.0005)
        return QStringLiteral("<0.001 %");
    if (percent >= 100)
        return QStringLiteral("100 %");
    if (percent > 99.9995)
        return QStringLiteral(">99.999 %");
    // As many decimals as it takes to differ from 0 and from 100.
    const double edge = std::min(percent, 100 - percent);
    const int decimals = edge >= 0.095 ? 1 : edge >= 0.0095 ? 2 : 3;
    return fixed(percent, decimals) + QStringLiteral(" %");
}

QString countText(std::int64_t count)
{
    static const QLocale english(QLocale::English, QLocale::UnitedStates);
    return english.toString(static_cast<qlonglong>(count));
}

QString logitText(double logit)
{
    return fixed(logit, 2);
}

QString bitsText(double bits)
{
    return fixed(bits, 2) + QStringLiteral(" bit");
}

QString settingText(double value)
{
    QString text = QString::number(value, 'g', 6);
    if (text.contains(QLatin1Char('e')))
        return text;
    const qsizetype point = text.indexOf(QLatin1Char('.'));
    const qsizetype decimals = point < 0 ? 0 : text.size() - point - 1;
    return decimals < 2 ? fixed(value, 2) : text;
}

QString stageText(engine::SamplingStage stage, double value)
{
    const std::string_view name = engine::name(stage);
    const QString stageName = QLatin1String(name.data(), static_cast<qsizetype>(name.size()));
    if (stage == engine::SamplingStage::UnnamedIds)
        return stageName; // a mask, with no setting
    const QString setting = stage == engine::SamplingStage::TopK
                                ? countText(static_cast<std::int64_t>(value))
                                : settingText(value);
    return stageName + QLatin1Char(' ') + setting;
}

} // namespace ui
