#include "ui/StepPages.h"

#include "ui/StepModel.h"
#include "ui/StepPage.h"

#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

namespace ui {

StepPages::StepPages(StepModel* steps, QWidget* parent)
    : QWidget(parent), m_steps(steps), m_tabs(new QTabBar), m_pages(new QStackedWidget)
{
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setUsesScrollButtons(true);
    m_tabs->setElideMode(Qt::ElideNone);
    m_tabs->setProperty("pages", true);
    m_tabs->setAccessibleName(tr("Views of this step"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_tabs);
    column->addWidget(m_pages, 1);
    connect(m_tabs, &QTabBar::currentChanged, this, &StepPages::changePage);
    connect(m_steps, &StepModel::selectedChanged, this, &StepPages::refresh);
    connect(m_steps, &StepModel::stepsChanged, this, &StepPages::refresh);
    connect(m_steps, &StepModel::runChanged, this, &StepPages::refresh);
}

void StepPages::setTheme(const Theme& theme)
{
    layout()->setSpacing(theme.px(6));
    m_tabs->setFixedHeight(theme.px(26));
    for (StepPage* page : m_stepPages)
        page->setTheme(theme);
}

void StepPages::addPage(const QString& title, const QString& toolTip, QWidget* page)
{
    m_pages->addWidget(page);
    const int index = m_tabs->addTab(title);
    m_tabs->setTabToolTip(index, toolTip);
}

void StepPages::addPage(const QString& title, const QString& toolTip, StepPage* page)
{
    m_stepPages.push_back(page);
    page->setProperty("card", true);
    addPage(title, toolTip, static_cast<QWidget*>(page));
}

void StepPages::showPage(QWidget* page)
{
    if (const int index = m_pages->indexOf(page); index >= 0)
        m_tabs->setCurrentIndex(index);
}

QWidget* StepPages::currentPage() const
{
    return m_pages->currentWidget();
}

void StepPages::changePage(int index)
{
    m_pages->setCurrentIndex(index);
    refresh();
    Q_EMIT pageChanged(currentPage());
}

void StepPages::refresh()
{
    if (auto* page = qobject_cast<StepPage*>(currentPage()))
        page->showStep(*m_steps);
}

} // namespace ui
