#include "app/CheckController.h"

#include "app/AppController.h"
#include "engine/generation/RunFingerprint.h"
#include "ui/MainWindow.h"
#include "ui/StepModel.h"
#include "ui/checks/CheckActions.h"
#include "ui/checks/CheckDialog.h"
#include "ui/checks/FanDialog.h"

#include <QMenuBar>

#include <algorithm>

namespace app {

CheckController::CheckController(ui::MainWindow& window, const AppController& source, int threads,
                                 QObject* parent)
    : QObject(parent), m_window(window), m_source(source), m_threads(threads),
      m_actions(new ui::CheckActions(&window))
{
    m_actions->fillMenuBar(window.menuBar());
    connect(m_actions->check, &QAction::triggered, this, &CheckController::openCheck);
    connect(m_actions->fan, &QAction::triggered, this, &CheckController::openFan);
    connect(&window.steps(), &ui::StepModel::runChanged, this, &CheckController::refresh);
    connect(&window.steps(), &ui::StepModel::stepsChanged, this, &CheckController::refresh);
    connect(&m_worker, &CheckWorker::failed, this, &CheckController::fail);
    connect(&m_worker, &CheckWorker::progressed, this, [this](int done, int all, int steps) {
        if (m_check && m_check->isRunning())
            m_check->setProgress(done, all, steps);
        else if (m_fan)
            m_fan->setProgress(done, all, steps);
    });
    connect(&m_worker, &CheckWorker::checked, this, [this](const engine::RunCheck& check) {
        if (m_check)
            m_check->showCheck(check);
    });
    connect(&m_worker, &CheckWorker::fanned, this, [this](const engine::SeedFan& fan) {
        if (m_fan)
            m_fan->showFan(fan);
    });
    refresh();
}

ui::CheckDialog* CheckController::checkDialog() const
{
    return m_check;
}

ui::FanDialog* CheckController::fanDialog() const
{
    return m_fan;
}

QString CheckController::fault() const
{
    if (m_window.state().isTrace)
        return tr("This is a recorded run. To make it again, open its model and start it there.");
    if (m_source.model() == nullptr)
        return tr("No model is open. Open one with File, Open model.");
    return {};
}

/// As far as the run on screen has come, under the settings that it has now.
std::optional<engine::RunInputs> CheckController::inputs() const
{
    const engine::Run& run = m_window.steps().run();
    if (!fault().isEmpty() || run.steps.empty())
        return std::nullopt;
    engine::RunInputs inputs;
    inputs.model = m_source.model();
    inputs.prompt = engine::promptOf(run);
    inputs.config = run.settings;
    inputs.config.sampling = m_source.runConfig().sampling;
    inputs.config.maxNewTokens = static_cast<int>(run.steps.size());
    inputs.threads = m_threads;
    return inputs;
}

void CheckController::refresh()
{
    const engine::Run& run = m_window.steps().run();
    m_actions->setHasRun(!run.steps.empty());
    if (m_check)
        m_check->setRun(engine::fingerprintOf(run), static_cast<int>(run.steps.size()), fault());
    if (m_fan)
        m_fan->setFault(fault());
}

void CheckController::openCheck()
{
    if (!m_check) {
        m_check = new ui::CheckDialog(m_window.theme(), &m_window);
        connect(m_check, &ui::CheckDialog::checkRequested, this, [this](int runs) {
            if (const auto made = inputs()) {
                m_check->setProgress(0, runs, 0);
                m_worker.check(*made, runs);
            }
        });
        connect(m_check, &ui::CheckDialog::cancelRequested, &m_worker, &CheckWorker::cancel);
        connect(m_check, &QObject::destroyed, &m_worker, &CheckWorker::cancel);
    }
    refresh();
    m_check->show();
    m_check->raise();
}

void CheckController::openFan()
{
    if (!m_fan) {
        m_fan = new ui::FanDialog(m_window.theme(), &m_window);
        connect(m_fan, &ui::FanDialog::fanRequested, this, [this](int seeds) {
            if (const auto made = inputs()) {
                m_fan->setProgress(-1, seeds, 0);
                m_worker.fan(*made, seeds);
            }
        });
        connect(m_fan, &ui::FanDialog::cancelRequested, &m_worker, &CheckWorker::cancel);
        connect(m_fan, &QObject::destroyed, &m_worker, &CheckWorker::cancel);
    }
    refresh();
    m_fan->show();
    m_fan->raise();
}

void CheckController::fail(const engine::Error& error)
{
    const QString words = error.code == engine::ErrorCode::Cancelled
                              ? tr("Stopped.")
                              : QString::fromStdString(error.message);
    if (m_check && m_check->isRunning())
        m_check->showFailure(words);
    else if (m_fan)
        m_fan->showFailure(words);
}

} // namespace app
