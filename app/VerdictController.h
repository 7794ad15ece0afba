#pragma once

#include "app/CheckWorker.h"
#include "engine/api/RunChecks.h"

#include <QObject>
#include <QPointer>
#include <QTimer>

namespace ui {
class CompareModel;
class MainWindow;
class VerdictDialog;
class VerdictStrip;
} // namespace ui

namespace app {

class AppController;

/// The verdict on two of the runs that are compared: which inputs differ, where the runs first do,
/// and the proof by exchanging one input at a time. Thread: GUI.
class VerdictController : public QObject
{
    Q_OBJECT

public:
    /// Both must outlive this.
    VerdictController(ui::MainWindow& window, const AppController& source, int threads,
                      QObject* parent = nullptr);

    ui::VerdictStrip& strip() const { return *m_strip; }
    ui::VerdictDialog* dialog() const; ///< null while it is closed

private:
    void refresh();
    void open();
    void startSwap();
    bool hasOther() const;
    SwapSide side(int run) const;
    QString fault() const; ///< why the runs cannot be made again; else empty

    ui::MainWindow& m_window;
    const AppController& m_source;
    const int m_threads;
    ui::CompareModel& m_model;
    ui::VerdictStrip* m_strip; ///< the board's
    CheckWorker m_worker;
    QTimer m_refreshLater; ///< comparing whole runs for each of many steps would hold up the window
    QPointer<ui::VerdictDialog> m_dialog;
    engine::RunsVerdict m_verdict;
};

} // namespace app
