#include "app/CompareController.h"

#include "engine/generation/Alignment.h"
#include "engine/generation/TraceFile.h"
#include "ui/FileDialogs.h"
#include "ui/MainWindow.h"
#include "ui/compare/CompareActions.h"
#include "ui/compare/CompareBoard.h"

#include <QFileInfo>

namespace app {

namespace {

engine::RunComparison comparisonOf(const std::vector<ui::NamedRun>& runs)
{
    std::vector<const engine::Run*> pointers;
    for (const ui::NamedRun& named : runs)
        pointers.push_back(&named.run);
    return engine::alignRuns(pointers);
}

/// The file's name without what says that it is a trace.
QString traceName(const QString& path)
{
    QString name = QFileInfo(path).fileName();
    for (const char* ending : {".json", ".jsonl", ".tokenscope"})
        if (name.endsWith(QLatin1String(ending)))
            name.chop(static_cast<qsizetype>(std::char_traits<char>::length(ending)));
    return name.isEmpty() ? QFileInfo(path).fileName() : name;
}

} // namespace

CompareController::CompareController(ui::MainWindow& window, QObject* parent)
    : QObject(parent), m_window(window), m_board(*window.compareBoard())
{
    using ui::CompareBoard;
    m_playTimer.setSingleShot(true);
    connect(&m_playTimer, &QTimer::timeout, this, &CompareController::step);
    connect(&m_board, &CompareBoard::stepRequested, this, &CompareController::step);
    connect(&m_board, &CompareBoard::playToggled, this, &CompareController::setPlaying);
    connect(&m_board, &CompareBoard::stopRequested, this, [this] { setPlaying(false); });
    const auto goTo = [this](auto place) {
        return [this, place] {
            setPlaying(false);
            m_board.model()->select(place(*m_board.model()));
        };
    };
    connect(&m_board, &CompareBoard::backRequested, this,
            goTo([](const ui::CompareModel& model) { return model.cursor() - 1; }));
    connect(&m_board, &CompareBoard::resetRequested, this,
            goTo([](const ui::CompareModel&) { return 0; }));
    connect(&m_board, &CompareBoard::toEndRequested, this,
            goTo([](const ui::CompareModel& model) { return model.stepCount() - 1; }));
    connect(window.compareActions().compareTraces, &QAction::triggered, this, [this] {
        const QStringList paths = ui::FileDialogs(&m_window).tracesToCompare();
        if (!paths.isEmpty())
            openTraces(paths);
    });
    connect(window.compareActions().compare, &QAction::toggled, this, [this](bool comparing) {
        if (!comparing)
            setPlaying(false);
    });
}

void CompareController::openTraces(const QStringList& paths)
{
    if (paths.size() < ui::CompareModel::leastRuns || paths.size() > ui::CompareModel::mostRuns) {
        fail(tr("To compare traces, choose two to four of them; %1 is chosen.", "",
                static_cast<int>(paths.size()))
                 .arg(paths.size()));
        return;
    }
    std::vector<ui::NamedRun> runs;
    for (const QString& path : paths) {
        auto run = engine::readTrace(path.toStdString());
        if (!run) {
            fail(QString::fromStdString(run.error().message));
            return;
        }
        runs.push_back({traceName(path), std::move(*run)});
    }
    showRuns(runs);
}

bool CompareController::makeSteps(int count)
{
    m_board.model()->select(m_board.model()->cursor() + count);
    return false;
}

void CompareController::showRuns(const std::vector<ui::NamedRun>& runs)
{
    m_window.clearError();
    setPlaying(false);
    m_board.setLive(false);
    m_board.model()->setRuns(runs, comparisonOf(runs));
    m_window.compareActions().compare->setChecked(true);
    updateState();
    Q_EMIT settled();
}

void CompareController::fail(const QString& message)
{
    m_window.showError(message);
    Q_EMIT failed(message);
}

void CompareController::step()
{
    ui::CompareModel& model = *m_board.model();
    model.select(model.cursor() + 1);
    if (m_playing && model.cursor() + 1 < model.stepCount())
        m_playTimer.start(static_cast<int>(1000.0 / m_window.speed()));
    else
        setPlaying(false);
}

void CompareController::setPlaying(bool playing)
{
    const ui::CompareModel& model = *m_board.model();
    m_playing = playing && model.cursor() + 1 < model.stepCount();
    m_playTimer.stop();
    updateState();
    if (m_playing)
        step();
}

void CompareController::updateState()
{
    m_board.setProgress(false, m_playing, false);
}

} // namespace app
