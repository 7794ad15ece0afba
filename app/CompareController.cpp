#include "app/CompareController.h"

#include "app/AppController.h"
#include "engine/generation/Alignment.h"
#include "engine/generation/LanguageModel.h"
#include "engine/generation/TraceFile.h"
#include "ui/FileDialogs.h"
#include "ui/MainWindow.h"
#include "ui/compare/CompareActions.h"
#include "ui/compare/CompareBoard.h"
#include "ui/compare/RunNames.h"

#include <QFileInfo>

#include <algorithm>
#include <chrono>
#include <limits>
#include <string>
#include <utility>

namespace app {

namespace {

constexpr std::chrono::milliseconds busyDelay{150};
constexpr int mostPendingSteps = 64;
constexpr int fewestSteps = 12; ///< of runs begun here: enough to see them part
constexpr int unlimited = std::numeric_limits<int>::max();

engine::RunComparison comparisonOf(const std::vector<ui::NamedRun>& runs)
{
    std::vector<const engine::Run*> pointers;
    pointers.reserve(runs.size());
    for (const ui::NamedRun& named : runs)
        pointers.push_back(&named.run);
    return engine::alignRuns(pointers);
}

/// The file's name without what says that it is a trace.
QString traceName(const QString& path)
{
    const QString file = QFileInfo(path).fileName();
    QString name = file;
    for (const QLatin1String ending :
         {QLatin1String(".json"), QLatin1String(".jsonl"), QLatin1String(".tokenscope")})
        if (name.endsWith(ending))
            name.chop(ending.size());
    return name.isEmpty() ? file : name;
}

engine::RunConfig sampled(engine::RunConfig config)
{
    config.sampling.rule = engine::DecodingRule::Sample;
    if (config.sampling.temperature == 0) // would be greedy again
        config.sampling.temperature = 1;
    return config;
}

std::vector<CompareMember> membersOf(ui::ComparePreset preset, const engine::RunConfig& config)
{
    switch (preset) {
    case ui::ComparePreset::GreedyAndSampled: {
        engine::RunConfig greedy = config;
        greedy.sampling.rule = engine::DecodingRule::Greedy;
        return {{{}, greedy, {}}, {{}, sampled(config), {}}};
    }
    case ui::ComparePreset::ThreeIdentical:
        return {{{}, config, {}}, {{}, config, {}}, {{}, config, {}}};
    case ui::ComparePreset::TemperatureLadder: {
        std::vector<CompareMember> members;
        for (const double temperature : {0.2, 0.7, 1.0, 1.5}) {
            members.push_back({{}, sampled(config), {}});
            members.back().config.sampling.temperature = temperature;
        }
        return members;
    }
    case ui::ComparePreset::TwoQuantizations:
        return {{{}, config, {}}, {{}, config, {}}};
    }
    return {};
}

} // namespace

bool CompareController::Source::isSameAs(const Source& other) const
{
    return model == other.model && prompt == other.prompt && config.chat == other.config.chat &&
           config.parseSpecial == other.config.parseSpecial;
}

CompareController::CompareController(ui::MainWindow& window, const AppController* source,
                                     int threads, QObject* parent)
    : QObject(parent), m_window(window), m_source(source), m_board(*window.compareBoard()),
      m_worker(threads)
{
    m_playTimer.setSingleShot(true);
    m_busyTimer.setSingleShot(true);
    m_busyTimer.setInterval(busyDelay);
    connect(&m_playTimer, &QTimer::timeout, this, &CompareController::step);
    connect(&m_busyTimer, &QTimer::timeout, this, &CompareController::updateState);
    connectBoard();
    connectWorker();
    connect(window.compareActions().compareTraces, &QAction::triggered, this, [this] {
        const QStringList paths = ui::FileDialogs(&m_window).tracesToCompare();
        if (!paths.isEmpty())
            openTraces(paths);
    });
    connect(window.compareActions().compare, &QAction::toggled, this, &CompareController::enter);
    connect(&window.steps(), &ui::StepModel::runChanged, this, [this] {
        dropOutdated();
        refreshPossible();
    });
}

void CompareController::connectBoard()
{
    using ui::CompareBoard;
    connect(&m_board, &CompareBoard::stepRequested, this, &CompareController::step);
    connect(&m_board, &CompareBoard::playToggled, this, &CompareController::setPlaying);
    connect(&m_board, &CompareBoard::stopRequested, this, &CompareController::stopAll);
    connect(&m_board, &CompareBoard::toEndRequested, this, &CompareController::toEnd);
    connect(&m_board, &CompareBoard::backRequested, this,
            [this] { moveTo(m_board.model()->cursor() - 1); });
    connect(&m_board, &CompareBoard::resetRequested, this, [this] { moveTo(0); });
    connect(&m_board, &CompareBoard::stepSelected, this, &CompareController::moveTo);
    connect(&m_board, &CompareBoard::samplingChanged, this,
            [this](int run, const engine::SamplingConfig& sampling) {
                CompareMember member = m_members.at(static_cast<std::size_t>(run));
                member.config.sampling = sampling;
                changeRun(run, member);
            });
    connect(&m_board, &CompareBoard::maxNewTokensChanged, this, [this](int run, int count) {
        CompareMember member = m_members.at(static_cast<std::size_t>(run));
        member.config.maxNewTokens = count;
        changeRun(run, member);
    });
    connect(&m_board, &CompareBoard::modelRequested, this, &CompareController::chooseModel);
    connect(&m_board, &CompareBoard::removeRequested, this, &CompareController::removeRun);
    connect(m_board.bar(), &ui::CompareBar::addRequested, this, &CompareController::addRun);
    connect(m_board.bar(), &ui::CompareBar::presetRequested, this, &CompareController::startPreset);
    connect(m_board.model(), &ui::CompareModel::cursorChanged, this,
            &CompareController::lookOnFirstContext);
    connect(m_board.model(), &ui::CompareModel::contextViewChanged, this,
            &CompareController::lookOnFirstContext);
}

void CompareController::connectWorker()
{
    connect(&m_worker, &CompareWorker::runsMade, this, &CompareController::showRuns);
    connect(&m_worker, &CompareWorker::stepsMade, this, &CompareController::showSteps);
    connect(&m_worker, &CompareWorker::lookedOnFirstContext, this,
            &CompareController::showOnFirstContext);
    connect(&m_worker, &CompareWorker::failed, this, &CompareController::fail);
    connect(&m_worker, &CompareWorker::idle, this, [this] {
        if (m_pendingSteps > 0) {
            m_followLast = true;
            m_worker.step(std::exchange(m_pendingSteps, 0));
            return;
        }
        m_busyTimer.stop();
        updateState();
        Q_EMIT settled();
    });
}

std::optional<CompareController::Source> CompareController::source() const
{
    if (m_source == nullptr || m_source->model() == nullptr)
        return std::nullopt;
    return Source{m_source->model(), m_source->prompt().text, m_source->runConfig()};
}

/// Runs of a model that is open no more are let go, and the model with them.
void CompareController::dropOutdated()
{
    const auto now = source();
    if (!m_isLive || !now || now->model == m_startedFrom->model)
        return;
    m_isLive = false;
    m_canGoOn = false;
    m_members.clear();
    m_made.clear();
    m_worker.clear();
    m_board.model()->setRuns({}, {});
}

void CompareController::refreshPossible()
{
    const bool canRun = source().has_value();
    m_window.compareActions().setCanCompare(canRun);
    m_board.setLive(m_isLive, canRun);
}

/// Runs that are in view already stay, unless they are of another model or prompt.
void CompareController::enter(bool comparing)
{
    if (!comparing) {
        setPlaying(false);
        return;
    }
    const auto now = source();
    const bool isOutOfDate = m_isLive && now && !m_startedFrom->isSameAs(*now);
    if (now && (m_board.model()->isEmpty() || isOutOfDate))
        startPreset(ui::ComparePreset::GreedyAndSampled);
    refreshPossible();
}

// ---------------------------------------------------------------- what is compared

void CompareController::openTraces(const QStringList& paths)
{
    if (paths.size() < ui::CompareModel::leastRuns || paths.size() > ui::CompareModel::mostRuns) {
        showFault(
            tr("To compare traces, choose two to four of them; %1 chosen.").arg(paths.size()));
        return;
    }
    std::vector<ui::NamedRun> runs;
    for (const QString& path : paths) {
        auto run = engine::readTrace(path.toStdString());
        if (!run) {
            showFault(QString::fromStdString(run.error().message));
            return;
        }
        runs.push_back({traceName(path), std::move(*run)});
    }
    showTraces(runs);
}

void CompareController::showTraces(const std::vector<ui::NamedRun>& runs)
{
    m_window.clearError();
    stopAll();
    m_isLive = false;
    m_canGoOn = false;
    m_board.model()->setContextView(ui::ContextView::Own);
    m_board.model()->setRuns(runs, comparisonOf(runs));
    m_window.compareActions().compare->setChecked(true);
    refreshPossible();
    updateState();
    Q_EMIT settled();
}

void CompareController::startPreset(ui::ComparePreset preset)
{
    const auto from = source();
    if (!from)
        return;
    if (preset != ui::ComparePreset::TwoQuantizations) {
        start(membersOf(preset, from->config));
        return;
    }
    const QString path = ui::FileDialogs(&m_window).modelToOpen();
    if (path.isEmpty())
        m_window.showStatus(tr("Two quantizations need a second file of the model, such as its "
                               "Q8_0 beside its F16; none was chosen"));
    else
        startTwoModels(path);
}

void CompareController::startTwoModels(const QString& secondPath)
{
    const auto from = source();
    if (!from)
        return;
    std::vector<CompareMember> members =
        membersOf(ui::ComparePreset::TwoQuantizations, from->config);
    members.back().modelPath = secondPath.toStdString();
    start(members);
}

void CompareController::start(const std::vector<CompareMember>& members)
{
    const auto from = source();
    setPlaying(false);
    m_window.clearError();
    m_starting = from;
    m_members = members;
    m_pendingSteps = 0;
    m_isFresh = true;
    const int steps = std::max(fewestSteps, m_window.steps().stepCount());
    m_worker.start(from->model, from->prompt.toStdString(), members, steps);
    updateState();
}

void CompareController::showRuns(const std::vector<engine::Run>& runs,
                                 const std::vector<CompareMember>& members,
                                 const engine::RunComparison& comparison, bool canGoOn)
{
    std::vector<const engine::Run*> pointers;
    pointers.reserve(runs.size());
    for (const engine::Run& run : runs)
        pointers.push_back(&run);
    const QStringList names = ui::runNames(pointers);
    std::vector<ui::NamedRun> named;
    for (std::size_t i = 0; i < runs.size(); ++i)
        named.push_back({names[static_cast<qsizetype>(i)], runs[i]});
    m_isLive = true;
    m_made = members;
    m_canGoOn = canGoOn;
    std::optional<int> cursor = m_board.model()->cursor();
    if (std::exchange(m_isFresh, false)) {
        m_startedFrom = m_starting;
        cursor.reset(); // to where they part
    }
    m_board.model()->setRuns(named, comparison, cursor);
    m_window.compareActions().compare->setChecked(true);
    refreshPossible();
    lookOnFirstContext();
    updateState();
}

void CompareController::showSteps(const std::vector<ui::RunUpdate>& updates,
                                  const engine::RunComparison& comparison, bool canGoOn)
{
    if (!m_isLive)
        return;
    m_canGoOn = canGoOn;
    ui::CompareModel& model = *m_board.model();
    model.replaceSteps(updates, comparison);
    if (m_followLast)
        model.select(model.stepCount() - 1);
    else
        lookOnFirstContext(); // what was known of it is out of date
    if (m_playing)
        m_playTimer.start(static_cast<int>(1000.0 / m_window.speed()));
    updateState();
}

void CompareController::addRun()
{
    if (!m_isLive || m_members.size() >= ui::CompareModel::mostRuns)
        return;
    CompareMember added = m_members.back();
    ++added.config.sampling.seed;
    changeRun(static_cast<int>(m_members.size()), added);
}

void CompareController::removeRun(int run)
{
    if (!m_isLive || m_members.size() <= ui::CompareModel::leastRuns)
        return;
    m_members.erase(m_members.begin() + run);
    m_worker.remove(run);
    updateState();
}

void CompareController::changeRun(int run, const CompareMember& member)
{
    if (!m_isLive)
        return;
    setPlaying(false);
    m_window.clearError();
    if (run < static_cast<int>(m_members.size()))
        m_members[static_cast<std::size_t>(run)] = member;
    else
        m_members.push_back(member);
    m_worker.set(run, member);
    updateState();
}

void CompareController::chooseModel(int run)
{
    const QString path = ui::FileDialogs(&m_window).modelToOpen();
    if (!path.isEmpty())
        useModel(run, path);
}

void CompareController::useModel(int run, const QString& path)
{
    if (!m_isLive)
        return;
    CompareMember member = m_members.at(static_cast<std::size_t>(run));
    member.modelPath = path.toStdString();
    changeRun(run, member);
}

// ---------------------------------------------------------------- on the first run's context

void CompareController::lookOnFirstContext()
{
    const ui::CompareModel& model = *m_board.model();
    if (m_isLive && model.contextView() == ui::ContextView::First && model.step(0) != nullptr)
        m_worker.lookOnFirstContext(model.cursor());
}

void CompareController::showOnFirstContext(int step,
                                           const std::vector<std::optional<engine::Step>>& steps,
                                           const std::vector<std::string>& faults)
{
    for (std::size_t run = 0; run < faults.size(); ++run)
        m_board.setElsewhereFault(static_cast<int>(run), QString::fromStdString(faults[run]));
    m_board.model()->setOnFirstContext(step, steps);
}

/// What was asked for did not come about, so what was made before is what there is.
void CompareController::fail(const engine::Error& error)
{
    m_members = m_made;
    m_isFresh = false;
    showFault(QString::fromStdString(error.message));
}

void CompareController::showFault(const QString& message)
{
    setPlaying(false);
    if (m_board.model()->isEmpty()) // there is nothing to be looked at here
        m_window.compareActions().compare->setChecked(false);
    m_window.showError(message);
    Q_EMIT failed(message);
}

// ---------------------------------------------------------------- stepping

void CompareController::step()
{
    ui::CompareModel& model = *m_board.model();
    if (model.cursor() + 1 < model.stepCount()) {
        model.select(model.cursor() + 1);
        if (m_playing && (canGoOn() || model.cursor() + 1 < model.stepCount()))
            m_playTimer.start(static_cast<int>(1000.0 / m_window.speed()));
        else
            setPlaying(false);
        return;
    }
    if (!canGoOn()) {
        setPlaying(false);
        return;
    }
    m_followLast = true;
    if (m_worker.isBusy())
        m_pendingSteps = std::min(m_pendingSteps + 1, mostPendingSteps);
    else
        m_worker.step(1);
    updateState();
}

std::vector<CompareMember> CompareController::members() const
{
    return m_isLive ? m_made : std::vector<CompareMember>();
}

bool CompareController::makeSteps(int count)
{
    ui::CompareModel& model = *m_board.model();
    const int missing = model.cursor() + count - (model.stepCount() - 1);
    if (missing <= 0 || !canGoOn()) {
        model.select(model.cursor() + count);
        return false;
    }
    m_followLast = true;
    m_worker.step(missing);
    updateState();
    return true;
}

void CompareController::moveTo(int step)
{
    setPlaying(false);
    m_pendingSteps = 0;
    m_board.model()->select(step);
    m_followLast = m_board.model()->cursor() == m_board.model()->stepCount() - 1;
}

void CompareController::toEnd()
{
    setPlaying(false);
    if (!canGoOn()) {
        moveTo(m_board.model()->stepCount() - 1);
        return;
    }
    m_followLast = true;
    m_worker.step(unlimited);
    updateState();
}

void CompareController::stopAll()
{
    setPlaying(false);
    m_pendingSteps = 0;
    m_worker.cancel();
}

void CompareController::setPlaying(bool playing)
{
    const ui::CompareModel& model = *m_board.model();
    m_playing = playing && (canGoOn() || model.cursor() + 1 < model.stepCount());
    m_playTimer.stop();
    updateState();
    if (m_playing)
        step();
}

void CompareController::updateState()
{
    if (m_worker.isBusy() && !m_busyTimer.isActive() && !m_board.state().isRunning) {
        m_busyTimer.start();
        m_board.setProgress(false, m_playing, canGoOn());
        return;
    }
    m_board.setProgress(m_worker.isBusy() && !m_busyTimer.isActive(), m_playing, canGoOn());
}

} // namespace app
