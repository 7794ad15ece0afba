#pragma once

#include "app/CompareWorker.h"
#include "engine/api/Error.h"
#include "ui/compare/CompareBar.h"
#include "ui/compare/CompareModel.h"

#include <QObject>
#include <QStringList>
#include <QTimer>

#include <optional>
#include <vector>

namespace ui {
class CompareBoard;
class MainWindow;
} // namespace ui

namespace app {

class AppController;

/// Joins the board of compared runs to the engine: recorded runs, or runs that the open model makes
/// from the prompt of the single run. Thread: GUI.
class CompareController : public QObject
{
    Q_OBJECT

public:
    /// Both must outlive this; without a source only traces can be compared.
    explicit CompareController(ui::MainWindow& window, const AppController* source = nullptr,
                               int threads = 1, QObject* parent = nullptr);

    /// Two to four recorded runs beside each other; one sentence says what is wrong with them else.
    void openTraces(const QStringList& paths);
    /// Runs of the open model, from the prompt of the single run and about as long as it is.
    void startPreset(ui::ComparePreset preset);
    /// The preset of two files of one model.
    void startTwoModels(const QString& secondPath);
    void useModel(int run, const QString& path); ///< for this run alone
    /// Goes on by `count` steps, as pressing Step that often would. False where that needs no model
    /// call: what there is to see is there.
    bool makeSteps(int count);
    bool isBusy() const { return m_worker.isBusy(); }
    /// What the runs in view were made from, with their models; none where they are recorded.
    std::vector<CompareMember> members() const;

Q_SIGNALS:
    void settled();
    void failed(const QString& message); ///< the window shows it too

private:
    /// From which the runs in view were made; another one makes them out of date.
    struct Source
    {
        CompareWorker::ModelPointer model;
        QString prompt;
        engine::RunConfig config;

        bool isSameAs(const Source& other) const;
    };

    void connectBoard();
    void connectWorker();
    std::optional<Source> source() const;
    void refreshPossible();
    void dropOutdated();

    void enter(bool comparing);
    void showTraces(const std::vector<ui::NamedRun>& runs);
    void start(const std::vector<CompareMember>& members);
    void showRuns(const std::vector<engine::Run>& runs, const std::vector<CompareMember>& members,
                  const engine::RunComparison& comparison, bool canGoOn);
    void showSteps(const std::vector<ui::RunUpdate>& updates,
                   const engine::RunComparison& comparison, bool canGoOn);
    void addRun();
    void removeRun(int run);
    void changeRun(int run, const CompareMember& member);
    void chooseModel(int run);
    void lookOnFirstContext();
    void showOnFirstContext(int step, const std::vector<std::optional<engine::Step>>& steps,
                            const std::vector<std::string>& faults);
    void fail(const engine::Error& error);
    void showFault(const QString& message);

    void step();
    void moveTo(int step);
    void toEnd();
    void stopAll();
    void setPlaying(bool playing);
    void updateState();
    bool canGoOn() const { return m_isLive && m_canGoOn; }

    ui::MainWindow& m_window;
    const AppController* m_source;
    ui::CompareBoard& m_board;
    CompareWorker m_worker;
    QTimer m_playTimer;
    QTimer m_busyTimer; ///< a step that is over sooner does not grey out the buttons

    bool m_isLive = false; ///< the runs in view are made here
    std::optional<Source> m_startedFrom;
    std::optional<Source> m_starting;     ///< from which runs are asked for now
    std::vector<CompareMember> m_members; ///< as last asked for
    std::vector<CompareMember> m_made;    ///< as the runs in view were made
    bool m_canGoOn = false;
    bool m_isFresh = false;    ///< runs begun anew: the cursor goes to where they part
    bool m_followLast = false; ///< select each new last step as it comes
    bool m_playing = false;
    int m_pendingSteps = 0;
};

} // namespace app
