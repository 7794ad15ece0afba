#include "ui/DistributionChart.h"

#include "ui/CandidateModel.h"
#include "ui/ChartLegend.h"
#include "ui/DistributionView.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

DistributionChart::DistributionChart(QWidget* parent)
    : QFrame(parent), m_title(new QLabel(tr("Next token"))), m_subtitle(new QLabel),
      m_legend(new ChartLegend), m_scaleButton(new QToolButton), m_view(new DistributionView)
{
    setProperty("card", true);
    m_title->setProperty("role", QStringLiteral("cardTitle"));
    m_subtitle->setProperty("role", QStringLiteral("secondary"));
    m_subtitle->setTextFormat(Qt::PlainText);
    m_scaleButton->setToolTip(tr("The axis: fitted to the bars, 0 to 100 %, or logarithmic from "
                                 "0.001 % (X)"));

    auto* head = new QHBoxLayout;
    head->addWidget(m_title);
    head->addWidget(m_subtitle);
    head->addWidget(m_legend, 1);
    head->addWidget(m_scaleButton);
    auto* column = new QVBoxLayout(this);
    column->addLayout(head);
    column->addWidget(m_view, 1);

    connect(m_scaleButton, &QToolButton::clicked, this, &DistributionChart::nextScale);
    connect(m_view, &DistributionView::candidateActivated, this,
            &DistributionChart::candidateActivated);
    setTheme(Theme::light());
}

void DistributionChart::setTheme(const Theme& theme)
{
    m_theme = theme;
    m_view->setTheme(theme);
    m_legend->setTheme(theme);
    restyle();
    refresh();
}

void DistributionChart::restyle()
{
    layout()->setContentsMargins(m_theme.px(16), m_theme.px(10), m_theme.px(16), m_theme.px(8));
    layout()->setSpacing(m_theme.px(6));
    auto* head = static_cast<QHBoxLayout*>(layout()->itemAt(0)->layout());
    head->setSpacing(m_theme.px(10));
    m_scaleButton->setStyleSheet(
        QStringLiteral("QToolButton { font-size: %1px; font-weight: 500; color: %2; background: %3;"
                       " border: 1px solid %4; border-radius: %5px; padding: %6px %7px;"
                       " min-height: 0; }"
                       "QToolButton:checked { color: %8; background: %9; border-color: %8; }"
                       "QToolButton:focus { border-color: %8; }")
            .arg(m_theme.px(11))
            .arg(m_theme.mutedText.name(), m_theme.surface.name(), m_theme.border.name())
            .arg(m_theme.px(5))
            .arg(m_theme.px(1))
            .arg(m_theme.px(7))
            .arg(m_theme.accent.name(), m_theme.accentTint.name()));
}

void DistributionChart::setModel(CandidateModel* model)
{
    if (m_model)
        m_model->disconnect(this);
    m_model = model;
    if (m_model) {
        connect(m_model, &QAbstractItemModel::modelReset, this, &DistributionChart::refresh);
        connect(m_model, &QAbstractItemModel::dataChanged, this, &DistributionChart::refresh);
        connect(m_model, &QObject::destroyed, this, [this] {
            m_model = nullptr;
            refresh();
        });
    }
    refresh();
}

void DistributionChart::setRowLimit(int limit)
{
    m_view->setRowLimit(limit);
}

void DistributionChart::setScale(BarScale scale)
{
    m_view->setScale(scale);

    refresh();
}

void DistributionChart::nextScale()
{
    switch (scale()) {
    case BarScale::Linear:
        setScale(BarScale::Full);
        break;
    case BarScale::Full:
        setScale(BarScale::Logarithmic);
        break;
    case BarScale::Logarithmic:
        setScale(BarScale::Linear);
        break;
    }
    Q_EMIT scaleChanged(scale());
}

void DistributionChart::setGhost(bool shown)
{
    m_view->setGhost(shown);
    refresh();
}

BarScale DistributionChart::scale() const
{
    return m_view->scale();
}

QString DistributionChart::stepText(const engine::Step& step) const
{
    return step.index < 0 ? tr("in the place of token %1 of the prompt").arg(step.contextLength)
                          : tr("step %1").arg(step.index);
}

void DistributionChart::refresh()
{
    const engine::Step* step = m_model ? m_model->step() : nullptr;
    m_view->showStep(step);
    const QString name = scale() == BarScale::Linear ? tr("fit")
                         : scale() == BarScale::Full ? tr("100 %")
                                                     : tr("log");
    m_scaleButton->setText(name);
    m_scaleButton->setAccessibleName(tr("Axis: %1").arg(name));
    m_subtitle->setText(step ? stepText(*step) : QString());

    using Mark = LegendEntry::Mark;
    std::vector<LegendEntry> entries = {{Mark::Square, m_theme.argmax, tr("argmax")},
                                        {Mark::Square, m_theme.picked, tr("picked")}};
    const DistributionRows& rows = m_view->rows();
    if (rows.hasFinal) {
        entries.push_back({Mark::Square, m_theme.kept, tr("kept")});
        entries.push_back({Mark::Hatch, m_theme.cutHatch, tr("cut off")});
        if (scale() != BarScale::Logarithmic)
            entries.push_back({Mark::Square, m_theme.gain, tr("gain after cut-off")});
        if (m_view->hasGhost() && scale() != BarScale::Logarithmic)
            entries.push_back({Mark::Outline, m_theme.mutedText, tr("as the model gave it")});
    } else if (step) {
        entries.push_back({Mark::Square, m_theme.kept, tr("other candidates")});
    }
    m_legend->setEntries(std::move(entries));
    layout()->activate();
}

} // namespace ui
