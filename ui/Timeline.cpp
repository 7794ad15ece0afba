#include "ui/Timeline.h"

#include "ui/ChartLegend.h"
#include "ui/StepModel.h"
#include "ui/TimelineView.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace ui {

Timeline::Timeline(QWidget* parent)
    : QFrame(parent), m_title(new QLabel(tr("Timeline"))), m_legend(new ChartLegend),
      m_view(new TimelineView)
{
    setProperty("card", true);
    m_title->setProperty("role", QStringLiteral("cardTitle"));
    auto* head = new QHBoxLayout;
    head->addWidget(m_title);
    head->addWidget(m_legend, 1);
    auto* column = new QVBoxLayout(this);
    column->addLayout(head);
    column->addWidget(m_view, 1);
    connect(m_view, &TimelineView::stepActivated, this, &Timeline::stepActivated);
    setTheme(Theme::light());
}

void Timeline::setTheme(const Theme& theme)
{
    m_theme = theme;
    layout()->setContentsMargins(theme.px(16), theme.px(10), theme.px(16), theme.px(8));
    layout()->setSpacing(theme.px(4));
    m_view->setTheme(theme);
    m_legend->setTheme(theme);
    using Mark = LegendEntry::Mark;
    m_legend->setEntries({{Mark::Line, theme.accent, tr("entropy, bit")},
                          {Mark::Dot, theme.picked, tr("p(picked token)")},
                          {Mark::Ring, theme.picked, tr("forced")}});
}

void Timeline::setModel(StepModel* model)
{
    if (m_model)
        m_model->disconnect(this);
    m_model = model;
    if (m_model) {
        connect(m_model, &StepModel::runChanged, this, &Timeline::refresh);
        connect(m_model, &StepModel::stepsChanged, this, &Timeline::refresh);
        connect(m_model, &StepModel::selectedChanged, this,
                [this](int step) { m_view->setSelected(step); });
        connect(m_model, &QObject::destroyed, this, [this] {
            m_model = nullptr;
            refresh();
        });
    }
    refresh();
}

void Timeline::refresh()
{
    static const std::vector<engine::Step> none;
    m_view->setSteps(m_model ? m_model->run().steps : none);
    m_view->setSelected(m_model ? m_model->selected() : -1);
}

} // namespace ui
