#pragma once

#include <QAction>
#include <QObject>

class QMenuBar;
class QWidget;

namespace ui {

/// What runs again what is on screen. Thread: GUI.
class CheckActions : public QObject
{
    Q_OBJECT

public:
    explicit CheckActions(QWidget* window);

    void fillMenuBar(QMenuBar* bar) const; ///< at the end of the menu "Run"
    void setHasRun(bool hasRun);

    QAction* const check; ///< does it come out the same?
    QAction* const fan;   ///< many seeds
};

} // namespace ui
