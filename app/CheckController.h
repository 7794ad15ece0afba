#pragma once

#include "app/CheckWorker.h"
#include "engine/generation/RunCheck.h"

#include <QObject>
#include <QPointer>

#include <optional>

namespace ui {
class CheckActions;
class CheckDialog;
class FanDialog;
class MainWindow;
} // namespace ui

namespace app {

class AppController;

/// Joins the checks to the engine: whether the run on screen comes out the same again, and how
/// other seeds would have gone. Thread: GUI.
class CheckController : public QObject
{
    Q_OBJECT

public:
    /// Both must outlive this.
    CheckController(ui::MainWindow& window, const AppController& source, int threads,
                    QObject* parent = nullptr);

    ui::CheckActions& actions() const { return *m_actions; }
    ui::CheckDialog* checkDialog() const; ///< null while it is closed
    ui::FanDialog* fanDialog() const;

private:
    void openCheck();
    void openFan();
    void refresh();
    QString fault() const; ///< why the run on screen cannot be made again; else empty
    std::optional<engine::RunInputs> inputs() const;
    void fail(const engine::Error& error);

    ui::MainWindow& m_window;
    const AppController& m_source;
    const int m_threads;
    ui::CheckActions* m_actions;
    CheckWorker m_worker;
    QPointer<ui::CheckDialog> m_check;
    QPointer<ui::FanDialog> m_fan;
};

} // namespace app
