#pragma once

#include "ui/Theme.h"

#include <QAction>
#include <QObject>

class QMenuBar;
class QWidget;

namespace ui {

class CompareBoard;
class WindowActions;

/// What leads to the comparison of runs and back. Thread: GUI.
class CompareActions : public QObject
{
    Q_OBJECT

public:
    /// While `compare` is checked, what steps a run is for the board. All must outlive this.
    CompareActions(const WindowActions& actions, CompareBoard* board, QWidget* window);

    bool isComparing() const { return compare->isChecked(); }
    /// "Compare traces" behind the opening of one, "Compare" at the end of the menu of views.
    void fillMenuBar(QMenuBar* bar) const;
    void setTheme(const Theme& theme);
    /// A model has a run that others can be made beside.
    void setCanCompare(bool can);

    QAction* const compare;       ///< checkable: the runs beside each other are in view
    QAction* const compareTraces; ///< recorded ones

private:
    void connectBoard();
    void refresh();

    const WindowActions& m_actions;
    CompareBoard* m_board;
    Theme m_theme;
    bool m_canCompare = false;
};

} // namespace ui
