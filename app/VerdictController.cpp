#include "app/VerdictController.h"

#include "app/AppController.h"
#include "engine/generation/LanguageModel.h"
#include "engine/generation/RunsVerdict.h"
#include "ui/MainWindow.h"
#include "ui/compare/CompareBoard.h"
#include "ui/compare/CompareModel.h"
#include "ui/compare/VerdictDialog.h"
#include "ui/compare/VerdictStrip.h"

#include <chrono>

namespace app {

namespace {

constexpr std::chrono::milliseconds refreshDelay{40};

} // namespace

VerdictController::VerdictController(ui::MainWindow& window, const AppController& source,
                                     int threads, QObject* parent)
    : QObject(parent), m_window(window), m_source(source), m_threads(threads),
      m_model(*window.compareBoard()->model()), m_strip(new ui::VerdictStrip)
{
    window.compareBoard()->setVerdictWidget(m_strip);
    m_refreshLater.setSingleShot(true);
    m_refreshLater.setInterval(refreshDelay);
    connect(&m_refreshLater, &QTimer::timeout, this, &VerdictController::refresh);
    const auto later = [this] { m_refreshLater.start(); };
    connect(&m_model, &ui::CompareModel::runsChanged, this, later);
    connect(&m_model, &ui::CompareModel::stepsChanged, this, later);
    connect(m_strip, &ui::VerdictStrip::otherChosen, this, &VerdictController::refresh);
    connect(m_strip, &ui::VerdictStrip::verdictRequested, this, &VerdictController::open);
    connect(&m_worker, &CheckWorker::progressed, this, [this](int done, int all) {
        if (m_dialog)
            m_dialog->setProgress(done, all);
    });
    connect(&m_worker, &CheckWorker::swapped, this, [this](const engine::SwapGrid& grid) {
        if (m_dialog)
            m_dialog->showGrid(grid);
    });
    connect(&m_worker, &CheckWorker::failed, this, [this](const engine::Error& error) {
        if (m_dialog)
            m_dialog->showFailure(error.code == engine::ErrorCode::Cancelled
                                      ? tr("Stopped.")
                                      : QString::fromStdString(error.message));
    });
    refresh();
}

ui::VerdictDialog* VerdictController::dialog() const
{
    return m_dialog;
}

bool VerdictController::hasOther() const
{
    return m_model.count() > m_strip->other();
}

void VerdictController::refresh()
{
    m_strip->setTheme(m_window.theme());
    if (m_model.count() >= 2)
        m_strip->setRunCount(m_model.count());
    m_strip->setVisible(hasOther());
    if (!hasOther())
        return;
    const engine::RunsVerdict verdict =
        engine::verdictOn(m_model.run(0), m_model.run(m_strip->other()));
    if (verdict == m_verdict)
        return;
    m_verdict = verdict;
    m_strip->setVerdict(m_verdict);
    if (m_dialog) // of other runs: what it says and proved is out of date
        m_dialog->close();
}

SwapSide VerdictController::side(int run) const
{
    const engine::Run& made = m_model.run(run);
    SwapSide side{made, nullptr, made.model.path};
    const auto& open = m_source.model();
    if (open != nullptr && open->info().path == made.model.path)
        side.model = open;
    return side;
}

QString VerdictController::fault() const
{
    for (const int run : {0, m_strip->other()})
        if (m_model.run(run).model.path.empty())
            return tr("Run %1 is recorded, without its model, so it cannot be made again here. "
                      "Open the model and compare runs of it to prove the cause.")
                .arg(ui::runLetter(run));
    return {};
}

void VerdictController::open()
{
    if (!hasOther())
        return;
    if (m_dialog)
        m_dialog->close();
    m_dialog = new ui::VerdictDialog(m_window.theme(), ui::runLetter(m_strip->other()), &m_window);
    m_dialog->setVerdict(m_verdict);
    m_dialog->setSwapFault(fault());
    connect(m_dialog, &ui::VerdictDialog::swapRequested, this, &VerdictController::startSwap);
    connect(m_dialog, &ui::VerdictDialog::cancelRequested, &m_worker, &CheckWorker::cancel);
    connect(m_dialog, &QObject::destroyed, &m_worker, &CheckWorker::cancel);
    m_dialog->show();
}

void VerdictController::startSwap()
{
    if (!hasOther() || !fault().isEmpty())
        return;
    m_dialog->setProgress(0, 2);
    m_worker.swap(side(0), side(m_strip->other()), m_threads);
}

} // namespace app
