#include "ui/compare/CompareModel.h"

#include <algorithm>

namespace ui {

QString runLetter(int run)
{
    return QString(QChar(static_cast<char16_t>(u'A' + run)));
}

std::optional<int> firstParting(const engine::RunComparison& comparison)
{
    std::optional<int> first;
    for (const engine::ComparedRun& run : comparison.runs)
        if (run.parting && (!first || run.parting->step < *first))
            first = run.parting->step;
    return first;
}

CompareModel::CompareModel(QObject* parent) : QObject(parent) {}

QString CompareModel::name(int run) const
{
    return m_runs.at(static_cast<std::size_t>(run)).name;
}

const engine::Run& CompareModel::run(int run) const
{
    return steps(run).run();
}

StepModel& CompareModel::steps(int run) const
{
    return *m_runs.at(static_cast<std::size_t>(run)).steps;
}

std::vector<const engine::Run*> CompareModel::runs() const
{
    std::vector<const engine::Run*> runs;
    for (int i = 0; i < count(); ++i)
        runs.push_back(&run(i));
    return runs;
}

const engine::ComparedRun& CompareModel::compared(int run) const
{
    return m_comparison.runs.at(static_cast<std::size_t>(run));
}

int CompareModel::stepCount() const
{
    int most = 0;
    for (const Entry& entry : m_runs)
        most = std::max(most, entry.steps->stepCount());
    return most;
}

const engine::Step* CompareModel::step(int run) const
{
    const std::vector<engine::Step>& made = steps(run).run().steps;
    const bool exists = m_cursor >= 0 && m_cursor < static_cast<int>(made.size());
    return exists ? &made[static_cast<std::size_t>(m_cursor)] : nullptr;
}

bool CompareModel::sameContext() const
{
    return std::none_of(m_comparison.runs.begin(), m_comparison.runs.end(), [](const auto& run) {
        return run.parting && run.parting->cause == engine::PartingCause::Context;
    });
}

void CompareModel::setRuns(const std::vector<NamedRun>& runs,
                           const engine::RunComparison& comparison, std::optional<int> wanted)
{
    m_runs.resize(std::min<std::size_t>(runs.size(), mostRuns));
    for (std::size_t i = 0; i < m_runs.size(); ++i) {
        m_runs[i].name = runs[i].name;
        if (!m_runs[i].steps)
            m_runs[i].steps = std::make_unique<StepModel>();
        m_runs[i].steps->setRun(runs[i].run);
    }
    m_comparison = comparison;
    m_comparison.runs.resize(m_runs.size());
    const int last = stepCount() - 1;
    m_cursor = std::min(wanted.value_or(firstParting(m_comparison).value_or(last)), last);
    m_firstContextStep = -1;
    if (!sameContext())
        m_view = ContextView::Own;
    Q_EMIT runsChanged();
    Q_EMIT cursorChanged(m_cursor);
}

void CompareModel::replaceSteps(const std::vector<RunUpdate>& updates,
                                const engine::RunComparison& comparison)
{
    for (std::size_t i = 0; i < std::min(updates.size(), m_runs.size()); ++i)
        m_runs[i].steps->replaceSteps(updates[i].from, updates[i].steps, updates[i].stop);
    m_comparison = comparison;
    m_comparison.runs.resize(m_runs.size());
    const int before = m_cursor;
    m_cursor = std::clamp(m_cursor, std::min(0, stepCount() - 1), stepCount() - 1);
    m_firstContextStep = -1;
    Q_EMIT stepsChanged();
    if (m_cursor != before)
        Q_EMIT cursorChanged(m_cursor);
}

const engine::Step* CompareModel::shownStep(int run) const
{
    if (m_view == ContextView::Own || run == 0)
        return step(run);
    const auto index = static_cast<std::size_t>(run);
    const bool known = m_firstContextStep == m_cursor && index < m_onFirstContext.size();
    return known && m_onFirstContext[index] ? &*m_onFirstContext[index] : nullptr;
}

void CompareModel::setContextView(ContextView view)
{
    if (view == m_view)
        return;
    m_view = view;
    Q_EMIT contextViewChanged();
    Q_EMIT shownStepsChanged();
}

void CompareModel::setOnFirstContext(int step,
                                     const std::vector<std::optional<engine::Step>>& steps)
{
    m_firstContextStep = step;
    m_onFirstContext = steps;
    Q_EMIT shownStepsChanged();
}

void CompareModel::select(int step)
{
    const int last = stepCount() - 1;
    const int cursor = std::clamp(step, std::min(0, last), last);
    if (cursor == m_cursor)
        return;
    m_cursor = cursor;
    Q_EMIT cursorChanged(m_cursor);
}

} // namespace ui
