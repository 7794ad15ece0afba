#include "app/PromptLook.h"

#include "app/GenerationWorker.h"
#include "ui/ContextPanel.h"
#include "ui/MainWindow.h"
#include "ui/StepModel.h"
#include "ui/TokenStrip.h"

namespace app {

PromptLook::PromptLook(ui::MainWindow& window, GenerationWorker& worker, QObject* parent)
    : QObject(parent), m_window(window), m_worker(worker)
{
    connect(window.context()->strip(), &ui::TokenStrip::promptTokenActivated, this,
            &PromptLook::show);
    connect(&worker, &GenerationWorker::promptStepMade, this, [this](const engine::Step& step) {
        // Of the run before, where another has begun meanwhile, it would be another token.
        const auto& tokens = m_window.steps().run().context.tokens;
        const auto position = step.index + static_cast<int>(tokens.size());
        if (!m_window.state().isTrace && position > 0 && position == step.contextLength &&
            tokens[static_cast<std::size_t>(position)].piece.id == step.picked)
            m_window.steps().showPromptStep(step);
    });
}

bool PromptLook::move(int by)
{
    const auto position = m_window.steps().promptPosition();
    if (position)
        show(*position + by);
    return position.has_value();
}

void PromptLook::show(int position)
{
    const auto count = static_cast<int>(m_window.steps().run().context.tokens.size());
    if (position >= count)
        m_window.steps().leavePrompt();
    else if (m_window.state().isTrace)
        m_window.showStatus(
            tr("A trace has no values for its prompt; press Start for a run that has"));
    else if (position < 1)
        m_window.showStatus(
            tr("Before the first token the model has nothing to read, so it expects nothing"));
    else
        m_worker.lookAtPrompt(position);
}

} // namespace app
