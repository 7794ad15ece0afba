#pragma once

#include "ui/StepPage.h"

class QLabel;
class QToolButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace ui {

class RunLines;

/// The page "Branches": the lines that the run has taken as a tree, each under the one it left; a
/// line is gone back to by Enter or a double click. Thread: GUI.
class BranchesPage : public StepPage
{
    Q_OBJECT

public:
    /// `lines` must outlive this.
    BranchesPage(RunLines* lines, QWidget* parent = nullptr);

    void setTheme(const Theme& theme) override;
    void showStep(const StepModel& steps) override;

    QTreeWidget* tree() const { return m_tree; }
    QLabel* summary() const { return m_summary; }
    QToolButton* undoButton() const { return m_undo; }
    QToolButton* redoButton() const { return m_redo; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    void fill(QTreeWidgetItem* item, int id) const;
    void layOutColumns();

    Theme m_theme;
    RunLines* m_lines;
    QLabel* m_title;
    QLabel* m_summary;
    QToolButton* m_undo;
    QToolButton* m_redo;
    QTreeWidget* m_tree;
};

} // namespace ui
