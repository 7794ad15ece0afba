#pragma once

#include "engine/api/Error.h"
#include "ui/compare/CompareModel.h"

#include <QObject>
#include <QStringList>
#include <QTimer>

#include <vector>

namespace ui {
class CompareBoard;
class MainWindow;
} // namespace ui

namespace app {

/// Joins the board of compared runs to the engine. Thread: GUI.
class CompareController : public QObject
{
    Q_OBJECT

public:
    /// `window` must outlive this.
    explicit CompareController(ui::MainWindow& window, QObject* parent = nullptr);

    /// Two to four recorded runs beside each other; one sentence says what is wrong with them else.
    void openTraces(const QStringList& paths);
    /// Goes on by `count` steps, as pressing Step that often would. False where that needs no model
    /// call: what there is to see is there.
    bool makeSteps(int count);

Q_SIGNALS:
    void settled();
    void failed(const QString& message); ///< the window shows it too

private:
    void showRuns(const std::vector<ui::NamedRun>& runs);
    void fail(const QString& message);
    void step();
    void setPlaying(bool playing);
    void updateState();

    ui::MainWindow& m_window;
    ui::CompareBoard& m_board;
    QTimer m_playTimer;
    bool m_playing = false;
};

} // namespace app
