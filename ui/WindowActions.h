#pragma once

#include "ui/Theme.h"

#include <QAction>
#include <QObject>

class QMenuBar;
class QWidget;

namespace ui {

/// What decides which actions make sense.
struct WindowState
{
    bool hasModel = false;
    bool isTrace = false; ///< a recorded run without its model
    bool isLoading = false;
    bool isRunning = false; ///< a step is being computed
    bool isPlaying = false;
    bool canStep = false; ///< the run can go on past its last step
    bool hasRun = false;  ///< there is a context on screen
    int stepCount = 0;
    int selected = -1;
    bool isAtPrompt = false; ///< a token of the prompt is looked at, not a step

    bool operator==(const WindowState&) const = default;
};

/// The window's actions: one QAction each, shared by menus, buttons and keys.
class WindowActions : public QObject
{
    Q_OBJECT

public:
    explicit WindowActions(QWidget* window);

    void fillMenuBar(QMenuBar* bar) const;
    void setTheme(const Theme& theme);
    void setState(const WindowState& state);

    QAction* const openModel;
    QAction* const openFolder;
    QAction* const openTrace;
    QAction* const saveTrace;
    QAction* const modelInfo;
    QAction* const quit;
    QAction* const step;
    QAction* const back;
    QAction* const play; ///< Play or Pause
    QAction* const reset;
    QAction* const toEnd;
    QAction* const stop;
    QAction* const toggleRule;
    QAction* const toggleTheme;
    QAction* const candidateTable; ///< checkable
    QAction* const inspector;      ///< checkable: the column of settings
    QAction* const largerText;
    QAction* const smallerText;
    QAction* const normalText;
    QAction* const keyboardHelp;
    QAction* const about;

private:
    void refreshPlayIcon();

    Theme m_theme;
    bool m_isPlaying = false;
};

} // namespace ui
