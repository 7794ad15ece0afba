#include "ui/InspectorPanel.h"

#include "ui/SamplingPanel.h"
#include "ui/StepFactsPanel.h"

#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

namespace ui {

InspectorPanel::InspectorPanel(QWidget* parent)
    : QFrame(parent), m_sampling(new SamplingPanel), m_facts(new StepFactsPanel)
{
    setProperty("card", true);
    auto* title = new QLabel(tr("Decoding"));
    title->setProperty("role", QStringLiteral("cardTitle"));
    auto* caption = new QLabel(tr("THIS STEP"));
    caption->setProperty("role", QStringLiteral("caption"));
    auto* rule = new QFrame;
    rule->setProperty("rule", true);

    auto* content = new QWidget;
    content->setObjectName(QStringLiteral("inspectorContent"));
    m_column = new QVBoxLayout(content);
    m_column->addWidget(title);
    m_column->addWidget(m_sampling);
    m_column->addWidget(rule);
    m_column->addWidget(caption);
    m_column->addWidget(m_facts);
    m_column->addStretch(1);

    auto* area = new QScrollArea;
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidget(content);
    content->setAutoFillBackground(false);
    area->viewport()->setAutoFillBackground(false);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(1, 1, 1, 1);
    outer->addWidget(area);
}

void InspectorPanel::setTheme(const Theme& theme)
{
    m_column->setContentsMargins(theme.px(16), theme.px(11), theme.px(16), theme.px(11));
    m_column->setSpacing(theme.px(8));
    m_sampling->setTheme(theme);
}

} // namespace ui
