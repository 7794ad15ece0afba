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
      m_legend(new ChartLegend), m_logButton(new QToolButton), m_view(new DistributionView)
{
    setProperty("card", true);
    m_title->setProperty("role", QStringLiteral("cardTitle"));
    m_subtitle->setProperty("role", QStringLiteral("secondary"));
    m_subtitle->setTextFormat(Qt::PlainText);
    m_logButton->setText(tr("log"));
    m_logButton->setCheckable(true);
    m_logButton->setToolTip(tr("Logarithmic scale, from 0.001 % to 100 %"));
    m_logButton->setAccessibleName(tr("Logarithmic scale"));

    auto* head = new QHBoxLayout;
    head->addWidget(m_title);
    head->addWidget(m_subtitle);
    head->addWidget(m_legend, 1);
    head->addWidget(m_logButton);
    auto* column = new QVBoxLayout(this);
    column->addLayout(head);
    column->addWidget(m_view, 1);

    connect(m_logButton, &QToolButton::toggled, this, [this](bool on) {
        setScale(on ? BarScale::Logarithmic : BarScale::Linear);
        Q_EMIT scaleChanged(scale());
    });
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
    m_logButton->setStyleSheet(
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
    m_logButton->setChecked(scale == BarScale::Logarithmic);
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
    m_subtitle->setText(step ? stepText(*step) : QString());

    using Mark = LegendEntry::Mark;
    std::vector<LegendEntry> entries = {{Mark::Square, m_theme.argmax, tr("argmax")},
                                        {Mark::Square, m_theme.picked, tr("picked")}};
    const DistributionRows& rows = m_view->rows();
    if (rows.hasFinal) {
        entries.push_back({Mark::Square, m_theme.kept, tr("kept")});
        entries.push_back({Mark::Hatch, m_theme.cutHatch, tr("cut off")});
        if (scale() == BarScale::Linear)
            entries.push_back({Mark::Square, m_theme.gain, tr("gain after cut-off")});
    } else if (step) {
        entries.push_back({Mark::Square, m_theme.kept, tr("other candidates")});
    }
    m_legend->setEntries(std::move(entries));
    layout()->activate();
}

} // namespace ui
