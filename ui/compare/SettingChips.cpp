#include "ui/compare/SettingChips.h"

#include "ui/NumberText.h"
#include "ui/StyleProperty.h"

#include <QFontMetrics>
#include <QPushButton>

#include <algorithm>

namespace ui {
namespace {

QStringList chipTexts(const engine::SamplingConfig& sampling, const QString& model)
{
    using engine::SamplingStage;
    const auto stage = [](SamplingStage which, double value, bool isOff) {
        const QString text = stageText(which, value);
        return isOff ? text.section(QLatin1Char(' '), 0, 0) + SettingChips::tr(" off") : text;
    };
    QStringList texts;
    const bool isGreedy = sampling.rule == engine::DecodingRule::Greedy;
    texts << (isGreedy ? SettingChips::tr("greedy") : SettingChips::tr("sample"));
    if (!isGreedy) {
        texts << SettingChips::tr("T %1").arg(settingText(sampling.temperature))
              << stage(SamplingStage::TopK, static_cast<double>(sampling.topK), sampling.topK == 0)
              << stage(SamplingStage::TopP, sampling.topP, sampling.topP >= 1);
        if (sampling.minP > 0)
            texts << stageText(SamplingStage::MinP, sampling.minP);
    }
    if (sampling.repetitionPenalty != 1)
        texts << stageText(SamplingStage::RepetitionPenalty, sampling.repetitionPenalty);
    if (!isGreedy)
        texts << SettingChips::tr("seed %1").arg(sampling.seed);
    if (!model.isEmpty())
        texts << model;
    return texts;
}

} // namespace

SettingChips::SettingChips(QWidget* parent) : QWidget(parent), m_theme(Theme::light())
{
    QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void SettingChips::setTheme(const Theme& theme)
{
    m_theme = theme;
    updateGeometry();
    arrange(width(), true);
}

void SettingChips::setSettings(const engine::SamplingConfig& sampling, const QString& model)
{
    const QStringList shown = chipTexts(sampling, model);
    while (m_chips.size() < static_cast<std::size_t>(shown.size())) {
        auto* chip = new QPushButton(this);
        chip->setProperty("tag", true);
        chip->setFocusPolicy(Qt::TabFocus);
        connect(chip, &QPushButton::clicked, this, [this, chip] {
            if (!m_isEditable)
                return;
            if (chip->property("isModel").toBool())
                Q_EMIT modelRequested();
            else
                Q_EMIT editRequested();
        });
        m_chips.push_back(chip);
    }
    while (m_chips.size() > static_cast<std::size_t>(shown.size())) {
        m_chips.back()->deleteLater();
        m_chips.back()->hide();
        m_chips.pop_back();
    }
    for (std::size_t i = 0; i < m_chips.size(); ++i) {
        const bool isModel = !model.isEmpty() && i + 1 == m_chips.size();
        QString text = shown[static_cast<qsizetype>(i)];
        m_chips[i]->setAccessibleName(text);
        m_chips[i]->setText(text.replace(QLatin1Char('&'), QStringLiteral("&&")));
        m_chips[i]->setProperty("isModel", isModel);
        m_chips[i]->show();
    }
    setEditable(m_isEditable);
    updateGeometry();
    arrange(width(), true);
}

void SettingChips::setEditable(bool editable)
{
    m_isEditable = editable;
    for (QPushButton* chip : m_chips) {
        const bool isModel = chip->property("isModel").toBool();
        setStyleProperty(chip, "tagEditable", editable);
        chip->setFocusPolicy(editable ? Qt::TabFocus : Qt::NoFocus);
        chip->setCursor(editable ? Qt::PointingHandCursor : Qt::ArrowCursor);
        chip->setToolTip(!editable ? tr("As it was recorded")
                         : isModel ? tr("Another model or quantization for this run")
                                   : tr("Change the settings of this run"));
    }
}

QStringList SettingChips::texts() const
{
    QStringList texts;
    for (const QPushButton* chip : m_chips)
        texts << chip->accessibleName();
    return texts;
}

/// Places the chips in rows of this width; returns the height that takes.
int SettingChips::arrange(int width, bool place) const
{
    const int gap = m_theme.px(4);
    const int height = m_theme.px(22);
    int x = 0;
    int y = 0;
    for (QPushButton* chip : m_chips) {
        const int chipWidth = std::min(chip->sizeHint().width(), std::max(1, width));
        if (x > 0 && x + chipWidth > width) {
            x = 0;
            y += height + gap;
        }
        if (place)
            chip->setGeometry(x, y, chipWidth, height);
        x += chipWidth + gap;
    }
    return m_chips.empty() ? 0 : y + height;
}

int SettingChips::heightForWidth(int width) const
{
    return arrange(width, false);
}

QSize SettingChips::sizeHint() const
{
    return {m_theme.px(220), heightForWidth(std::max(width(), m_theme.px(220)))};
}

QSize SettingChips::minimumSizeHint() const
{
    return {m_theme.px(120), m_theme.px(22)};
}

void SettingChips::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange(width(), true);
}

} // namespace ui
