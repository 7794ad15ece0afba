#pragma once

#include "ui/explore/Jumps.h"

#include <QAction>
#include <QObject>
#include <QString>

class QMenuBar;
class QWidget;

namespace ui {

class StepModel;

/// Jumps among the steps of a run: to uncertain ones, to those whose pick was not the argmax, to
/// one by its number. Thread: GUI.
class JumpActions : public QObject
{
    Q_OBJECT

public:
    JumpActions(StepModel* steps, QWidget* window);

    /// Into the menu "Run", after its last entry.
    void fillMenuBar(QMenuBar* bar) const;

    QAction* const nextUncertain;
    QAction* const previousUncertain;
    QAction* const nextNotArgmax;
    QAction* const previousNotArgmax;
    QAction* const toStep; ///< asks for a number

    void setInView(bool inView); ///< the run that they are about
    void jump(JumpTo target, int direction);
    /// Asks for a number with a dialog; tests emit `stepWanted` in its place.
    void askForStep();

Q_SIGNALS:
    void stepWanted(int step);               ///< may be one that is not made yet
    void nothingFound(const QString& words); ///< a sentence for the user

private:
    void refresh();

    bool m_inView = true;
    StepModel* m_steps;
    QWidget* m_window;
};

} // namespace ui
