#include "app/AppController.h"

#include "app/CommandLine.h"
#include "app/WhyPages.h"
#include "app/commands/Fingerprints.h"
#include "engine/generation/LanguageModel.h"
#include "engine/generation/RenderPrompt.h"
#include "engine/generation/TraceFile.h"
#include "ui/Board.h"
#include "ui/FileDialogs.h"
#include "ui/MainWindow.h"
#include "ui/StepModel.h"
#include "ui/branches/RunLines.h"
#include "ui/compare/CompareActions.h"
#include "ui/explore/AxisActions.h"
#include "ui/explore/JumpActions.h"
#include "ui/why/DrawPage.h"

#include <QFileInfo>
#include <QMenuBar>

#include <algorithm>
#include <limits>
#include <utility>

namespace app {

namespace {

constexpr int mostPendingSteps = 64;
constexpr int unlimited = std::numeric_limits<int>::max();

QString words(const engine::Error& error)
{
    return QString::fromStdString(error.message);
}

} // namespace

AppController::AppController(ui::MainWindow& window, int threads, QObject* parent)
    : QObject(parent), m_window(window), m_fingerprints(userFingerprints()), m_worker(threads),
      m_promptLook(window, m_worker), m_tokenLook(window, m_worker)
{
    m_playTimer.setSingleShot(true);
    connectWindow();
    connectWorker();
    addExploring();
    updateState();
}

void AppController::connectWindow()
{
    using ui::MainWindow;
    connect(&m_window, &MainWindow::promptSubmitted, this, &AppController::startRun);
    connect(&m_window, &MainWindow::renderingRequested, this, &AppController::showRendering);
    connect(&m_window, &MainWindow::stepRequested, this, &AppController::step);
    connect(&m_window, &MainWindow::backRequested, this, &AppController::back);
    connect(&m_window, &MainWindow::resetRequested, this, &AppController::restart);
    connect(&m_window, &MainWindow::stepToEndRequested, this, &AppController::stepToEnd);
    connect(&m_window, &MainWindow::stopRequested, this, &AppController::stopAll);
    connect(&m_window, &MainWindow::playToggled, this, &AppController::setPlaying);
    connect(&m_window, &MainWindow::speedChanged, this,
            [this](double stepsPerSecond) { m_stepsPerSecond = stepsPerSecond; });
    connect(&m_window, &MainWindow::samplingChanged, this, &AppController::changeSampling);
    connect(&m_window, &MainWindow::maxNewTokensChanged, this, &AppController::changeMaxNewTokens);
    connect(&m_window, &MainWindow::candidateForced, this, &AppController::force);
    connect(&m_window, &MainWindow::tryAgainRequested, this, &AppController::tryAgain);
    connectWhyPages(*m_window.board());
    connect(m_window.board()->draw(), &ui::DrawPage::drawAgainRequested, this,
            &AppController::drawAgain);
    connect(m_window.board()->lines(), &ui::RunLines::lineRequested, this, &AppController::adopt);
    connect(&m_window, &MainWindow::stepSelected, this, &AppController::select);
    connect(&m_window, &MainWindow::openModelRequested, this, &AppController::openModel);
    connect(&m_window, &MainWindow::openTraceRequested, this, &AppController::openTrace);
    connect(&m_window, &MainWindow::fileOpenRequested, this, &AppController::openPath);
    connect(&m_window, &MainWindow::saveTraceRequested, this, &AppController::saveTrace);
    connect(&m_playTimer, &QTimer::timeout, this, &AppController::step);
}

void AppController::connectWorker()
{
    connect(&m_worker, &GenerationWorker::modelOpened, this, &AppController::showModel);
    connect(&m_worker, &GenerationWorker::modelFailed, this, &AppController::fail);
    connect(&m_worker, &GenerationWorker::runStarted, this, &AppController::showRun);
    connect(&m_worker, &GenerationWorker::runFailed, this, &AppController::fail);
    connect(&m_worker, &GenerationWorker::stepsReplaced, this, &AppController::showSteps);
    connect(&m_worker, &GenerationWorker::stepFailed, this, &AppController::fail);
    connect(&m_worker, &GenerationWorker::traceFailed, this, &AppController::fail);
    connect(&m_fingerprints, &FingerprintWorker::traceFailed, this, &AppController::fail);
    connect(&m_fingerprints, &FingerprintWorker::traceSaved, this,
            [this](const QString& path) { m_window.showStatus(tr("Saved %1").arg(path)); });
    connect(&m_fingerprints, &FingerprintWorker::progressed, &m_window,
            &ui::MainWindow::setFingerprintProgress);
    connect(&m_fingerprints, &FingerprintWorker::computed, this, &AppController::showFingerprint);
    connect(&m_worker, &GenerationWorker::idle, this, [this] {
        m_inFlight = false;
        if (m_pendingSteps > 0) {
            requestSteps(std::exchange(m_pendingSteps, 0));
            return;
        }
        updateState();
        Q_EMIT settled();
    });
}

/// Jumps among the steps, and how the bars are drawn.
void AppController::addExploring()
{
    auto* jumps = new ui::JumpActions(&m_window.steps(), &m_window);
    jumps->fillMenuBar(m_window.menuBar());
    connect(jumps, &ui::JumpActions::stepWanted, this, &AppController::runTo);
    connect(jumps, &ui::JumpActions::nothingFound, &m_window, &ui::MainWindow::showStatus);
    auto* axis = new ui::AxisActions(m_window.chart(), &m_window);
    axis->fillMenuBar(m_window.menuBar());
    // They are about the one run, which is out of view while runs are compared.
    connect(m_window.compareActions().compare, &QAction::toggled, this,
            [jumps, axis](bool comparing) {
                jumps->setInView(!comparing);
                axis->setInView(!comparing);
            });
}

void AppController::setInitialRun(const QString& prompt, const engine::SamplingConfig& sampling,
                                  std::optional<int> maxNewTokens)
{
    m_prompt.text = prompt;
    m_config.sampling = sampling;
    m_config.maxNewTokens = maxNewTokens.value_or(m_config.maxNewTokens);
    m_window.setPrompt(m_prompt);
    m_window.setSampling(sampling);
    m_window.setMaxNewTokens(m_config.maxNewTokens);
}

// ---------------------------------------------------------------- opening and saving

void AppController::openPath(const QString& path)
{
    if (isTracePath(path.toStdString()))
        openTrace(path);
    else
        openModel(ui::modelPath(path)); // a file may stand for its folder
}

void AppController::openModel(const QString& path)
{
    setPlaying(false);
    m_window.clearError();
    m_window.showLoading(QFileInfo(path).fileName());
    m_inFlight = true;
    m_worker.openModel(path.toStdString());
}

void AppController::showModel(const std::shared_ptr<const engine::LanguageModel>& model)
{
    m_model = model;
    m_showsTrace = false;
    m_window.setModelInfo(model->info(), model->tokenizerInfo());
    m_window.setModelNotes(model->notes());
    m_tokenLook.setModel(model);
    m_fingerprints.compute(model);
    m_prompt.chat = m_prompt.chat && model->notes().chat.usable;
    startRun(m_prompt);
}

void AppController::openTrace(const QString& path)
{
    setPlaying(false);
    const auto run = engine::readTrace(path.toStdString());
    if (!run) {
        fail(run.error());
        return;
    }
    m_worker.cancel();
    showTrace(*run, path);
}

void AppController::showTrace(const engine::Run& run, const QString& path)
{
    m_showsTrace = true;
    m_pendingSteps = 0;
    m_window.clearError();
    m_window.setModelInfo(run.model, run.tokenizer);
    m_window.setModelNotes({}); // what the files of another model suggest is not this run's
    m_window.setSampling(run.settings.sampling);
    m_window.setMaxNewTokens(run.settings.maxNewTokens);
    m_tokenLook.setRecorded(true);
    m_window.steps().setRun(run);
    m_window.showStatus(tr("Trace %1").arg(QFileInfo(path).fileName()));
    updateState();
    Q_EMIT settled();
}

void AppController::saveTrace(const QString& path)
{
    if (!m_showsTrace) {
        if (m_model && m_model->info().sha256.empty())
            m_window.showStatus(
                tr("The trace is saved as soon as the model's fingerprint is known"));
        // From thread to thread, so that closing the window at once loses nothing.
        m_worker.saveTrace([this, model = m_model, path](const engine::Run& run) {
            m_fingerprints.save(run, model, path.toStdString());
        });
        return;
    }
    // A recorded run has the fingerprint that it was recorded with.
    const auto written = engine::writeTrace(m_window.steps().run(), path.toStdString());
    if (!written)
        fail(written.error());
    else
        m_window.showStatus(tr("Saved %1").arg(path));
}

void AppController::showFingerprint()
{
    // Of an earlier model, where a trace of it was still to be saved, it is nothing to show.
    if (const std::string digest = m_model->info().sha256; !digest.empty())
        m_window.setFingerprint(QString::fromStdString(digest));
}

/// Tokenizing a prompt takes milliseconds, so it is done here.
void AppController::showRendering(const ui::PromptRequest& prompt)
{
    if (m_model == nullptr)
        return;
    engine::RunConfig config = m_config;
    config.chat = prompt.chat;
    config.parseSpecial = prompt.parseSpecial;
    const auto rendering = engine::renderPrompt(*m_model, prompt.text.toStdString(), config);
    if (rendering)
        m_window.showRendering(prompt, *rendering);
    else
        m_window.showRenderingFault(prompt, words(rendering.error()));
}

// ---------------------------------------------------------------- running

void AppController::startRun(const ui::PromptRequest& prompt)
{
    if (m_model == nullptr) {
        m_window.showError(tr("No model is open. Open one with File, Open model."));
        return;
    }
    setPlaying(false);
    m_window.clearError();
    m_prompt = prompt;
    m_pendingSteps = 0;
    m_inFlight = true;
    m_config.chat = prompt.chat;
    m_config.parseSpecial = prompt.parseSpecial;
    m_worker.startRun(prompt.text.toStdString(), m_config);
    updateState();
}

void AppController::showRun(const engine::Run& run)
{
    if (std::exchange(m_showsTrace, false))
        m_window.setModelNotes(m_model->notes());
    m_tokenLook.setRecorded(false);
    m_followLast = true;
    m_window.setModelInfo(run.model, run.tokenizer);
    showFingerprint(); // it may be known only since the run began
    m_window.setPrompt(m_prompt);
    m_window.setSampling(m_config.sampling);
    m_window.setMaxNewTokens(m_config.maxNewTokens);
    m_window.steps().setRun(run);
    updateState();
}

bool AppController::canMakeStep() const
{
    const ui::StepModel& steps = m_window.steps();
    return m_model != nullptr && !m_showsTrace && !steps.isEmpty() &&
           (!steps.run().stop || steps.run().stop == engine::StopReason::Cancelled);
}

void AppController::step()
{
    if (m_promptLook.move(1))
        return;
    ui::StepModel& steps = m_window.steps();
    if (steps.selected() + 1 < steps.stepCount()) {
        steps.select(steps.selected() + 1);
        if (m_playing)
            m_playTimer.start(static_cast<int>(1000.0 / m_stepsPerSecond));
        updateState();
        return;
    }
    if (!canMakeStep()) {
        setPlaying(false);
        return;
    }
    if (m_inFlight)
        m_pendingSteps = std::min(m_pendingSteps + 1, mostPendingSteps);
    else
        requestSteps(1);
}

void AppController::requestSteps(int count)
{
    m_inFlight = true;
    m_followLast = true;
    m_window.steps().leavePrompt();
    m_worker.step(count);
    updateState();
}

bool AppController::makeSteps(int count)
{
    if (m_showsTrace)
        select(std::min(m_window.steps().selected() + count, m_window.steps().stepCount() - 1));
    if (count <= 0 || !canMakeStep())
        return false;
    requestSteps(count);
    return true;
}

void AppController::showSteps(int from, const std::vector<engine::Step>& newSteps,
                              std::optional<engine::StopReason> stop)
{
    if (m_showsTrace)
        return;
    ui::StepModel& steps = m_window.steps();
    steps.replaceSteps(from, newSteps, stop);
    if (m_followLast && !steps.promptPosition())
        steps.select(steps.stepCount() - 1);
    if (m_playing && canMakeStep())
        m_playTimer.start(static_cast<int>(1000.0 / m_stepsPerSecond));
    else if (m_playing)
        setPlaying(false);
    updateState();
}

void AppController::back()
{
    setPlaying(false);
    m_pendingSteps = 0;
    if (!m_promptLook.move(-1))
        select(m_window.steps().selected() - 1);
}

void AppController::select(int step)
{
    ui::StepModel& steps = m_window.steps();
    if (step < 0 || step >= steps.stepCount())
        return;
    m_followLast = step == steps.stepCount() - 1;
    steps.select(step);
    updateState();
}

/// To a step that is there, or on to one that is not.
void AppController::runTo(int step)
{
    setPlaying(false);
    const int missing = step - (m_window.steps().stepCount() - 1);
    if (missing <= 0)
        select(step);
    else if (!makeSteps(missing))
        m_window.showStatus(tr("The run ended before step %1").arg(step));
}

void AppController::restart()
{
    setPlaying(false);
    m_pendingSteps = 0;
    m_window.clearError();
    if (m_showsTrace || m_model == nullptr) {
        select(0);
        return;
    }
    m_inFlight = true;
    m_followLast = true;
    m_worker.restart();
    updateState();
}

void AppController::stepToEnd()
{
    setPlaying(false);
    if (canMakeStep())
        requestSteps(unlimited);
    else
        select(m_window.steps().stepCount() - 1);
}

void AppController::setPlaying(bool playing)
{
    const ui::StepModel& steps = m_window.steps();
    const bool hasNext = canMakeStep() || steps.selected() + 1 < steps.stepCount();
    m_playing = playing && hasNext;
    m_playTimer.stop();
    m_window.setPlaying(m_playing);
    if (!m_playing)
        return;
    m_window.steps().leavePrompt();
    step();
}

void AppController::stopAll()
{
    setPlaying(false);
    m_pendingSteps = 0;
    m_worker.cancel();
}

// ---------------------------------------------------------------- decoding settings

void AppController::changeSampling(const engine::SamplingConfig& sampling)
{
    m_config.sampling = sampling;
    if (m_showsTrace || m_window.steps().isEmpty())
        return;
    // The step in view is decoded again from its logits; those before it stay as they were made.
    m_followLast = false;
    m_inFlight = true;
    m_worker.redecodeFrom(m_window.steps().selected(), sampling);
    updateState();
}

void AppController::changeMaxNewTokens(int count)
{
    m_config.maxNewTokens = count;
    if (m_showsTrace || m_window.steps().isEmpty())
        return;
    m_window.steps().setMaxNewTokens(count);
    m_inFlight = true;
    m_worker.setMaxNewTokens(count);
}

void AppController::force(engine::TokenId token)
{
    if (m_showsTrace) {
        m_window.showStatus(tr("A trace cannot be changed; press Start for a run of your own"));
        return;
    }
    if (m_window.steps().isEmpty())
        return;
    setPlaying(false);
    m_followLast = false;
    m_inFlight = true;
    m_worker.force(m_window.steps().selected(), token);
    updateState();
}

/// The same run with the next seed, as far as this one has come.
void AppController::tryAgain()
{
    if (m_showsTrace || m_window.steps().isEmpty())
        return;
    engine::SamplingConfig& sampling = m_config.sampling;
    if (sampling.rule == engine::DecodingRule::Greedy || sampling.temperature == 0) {
        m_window.showStatus(
            tr("Greedy decoding makes the same text with every seed; switch to Sample first"));
        return;
    }
    ++sampling.seed; // wraps after the largest, as every number is a seed
    m_window.setSampling(sampling);
    setPlaying(false);
    m_pendingSteps = 0;
    m_followLast = true;
    m_inFlight = true;
    m_worker.tryAgain(sampling);
    updateState();
}

/// The step in view with the next random number in the place of its own.
void AppController::drawAgain()
{
    const engine::Step* step = m_window.steps().selectedStep();
    if (m_showsTrace) {
        m_window.showStatus(tr("A trace cannot be changed; press Start for a run of your own"));
        return;
    }
    if (step == nullptr || !step->draw || m_inFlight)
        return;
    setPlaying(false);
    m_followLast = false;
    m_inFlight = true;
    m_worker.redraw(step->index, step->draw->attempt + 1);
    updateState();
}

void AppController::adopt(const ui::RunLine& line)
{
    if (m_showsTrace || m_model == nullptr)
        return;
    setPlaying(false);
    m_pendingSteps = 0;
    m_config.sampling = line.sampling();
    m_window.setSampling(m_config.sampling);
    m_followLast = true;
    m_inFlight = true;
    m_worker.adopt(line.steps, m_config.sampling);
    updateState();
}

// ---------------------------------------------------------------- state

void AppController::fail(const engine::Error& error)
{
    if (error.code == engine::ErrorCode::Cancelled)
        return;
    setPlaying(false);
    m_pendingSteps = 0;
    m_window.showError(words(error));
    updateState();
    Q_EMIT failed(words(error));
}

void AppController::updateState()
{
    m_window.setRunning(m_inFlight);
    m_window.setCanStep(canMakeStep());
    m_window.setTraceMode(m_showsTrace);
}

} // namespace app
