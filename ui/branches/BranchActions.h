#pragma once

#include <QAction>
#include <QObject>

class QMenuBar;
class QWidget;

namespace ui {

class RunLines;

/// Undo, redo and "try again": what moves between the branches of a run. Thread: GUI.
class BranchActions : public QObject
{
    Q_OBJECT

public:
    /// Enabled as `lines` says; undo and redo are carried out by it.
    BranchActions(RunLines* lines, QWidget* window);

    /// A menu "Edit" after the first, and "try again" at the end of the second.
    void fillMenuBar(QMenuBar* bar) const;
    void setCanTryAgain(bool can) { tryAgain->setEnabled(can); }
    void setInView(bool inView); ///< of the run; undo and redo are off else

    QAction* const undo;
    QAction* const redo;
    QAction* const tryAgain; ///< with the next seed

private:
    void refresh();

    RunLines* m_lines;
    bool m_inView = true;
};

} // namespace ui
