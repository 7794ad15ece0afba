#pragma once

#include "ui/Theme.h"

#include <QWidget>

#include <vector>

class QStackedWidget;
class QTabBar;

namespace ui {

class StepModel;
class StepPage;

/// The middle of the board: the pages that look at the selected step, one in view, under a row of
/// tabs. The first page is shown at first. Thread: GUI.
class StepPages : public QWidget
{
    Q_OBJECT

public:
    explicit StepPages(StepModel* steps, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// Takes the widget, which follows the selected step by itself.
    void addPage(const QString& title, const QString& toolTip, QWidget* page);
    void addPage(const QString& title, const QString& toolTip, StepPage* page);
    void showPage(QWidget* page);
    QWidget* currentPage() const;
    QTabBar* tabs() const { return m_tabs; }

Q_SIGNALS:
    void pageChanged(QWidget* page);

private:
    void changePage(int index);
    void refresh();

    StepModel* m_steps;
    std::vector<StepPage*> m_stepPages;
    QTabBar* m_tabs;
    QStackedWidget* m_pages;
};

} // namespace ui
