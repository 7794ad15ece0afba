#include "ui/StepModel.h"

#include "ui/TokenText.h"

#include <algorithm>

namespace ui {
namespace {

engine::TokenPiece pickedPiece(const engine::Step& step)
{
    const engine::Candidate* candidate = step.find(step.picked);
    // A step always lists its pick; a damaged trace may not, and then the id is all that is known.
    return candidate ? candidate->piece : engine::TokenPiece{step.picked, {}, {}};
}

} // namespace

StepModel::StepModel(QObject* parent) : QAbstractListModel(parent) {}

const engine::Step* StepModel::selectedStep() const
{
    if (m_promptStep)
        return &*m_promptStep;
    // Past the end only while rows are being removed, before the selection has followed.
    const bool exists = m_selected >= 0 && m_selected < stepCount();
    return exists ? &m_run.steps[static_cast<std::size_t>(m_selected)] : nullptr;
}

std::optional<int> StepModel::promptPosition() const
{
    if (!m_promptStep)
        return std::nullopt;
    return static_cast<int>(m_run.context.tokens.size()) + m_promptStep->index;
}

engine::ContextToken StepModel::addedToken(int step) const
{
    const engine::Step& made = m_run.steps[static_cast<std::size_t>(step)];
    return {pickedPiece(made),
            made.forced ? engine::TokenOrigin::Forced : engine::TokenOrigin::Generated};
}

std::vector<engine::ContextToken> StepModel::contextTokens() const
{
    std::vector<engine::ContextToken> tokens = m_run.context.tokens;
    tokens.reserve(tokens.size() + m_run.steps.size());
    for (int step = 0; step < stepCount(); ++step)
        tokens.push_back(addedToken(step));
    return tokens;
}

int StepModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : stepCount();
}

QVariant StepModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const engine::Step& step = m_run.steps[static_cast<std::size_t>(index.row())];
    const QString text = visibleText(pickedPiece(step));
    switch (role) {
    case Qt::DisplayRole:
        return text;
    case Qt::AccessibleTextRole:
        return tr("Step %1: token %2").arg(index.row()).arg(text);
    default:
        return {};
    }
}

void StepModel::setRun(const engine::Run& run)
{
    beginResetModel();
    m_run = run;
    m_promptStep.reset();
    m_selected = stepCount() - 1;
    endResetModel();
    Q_EMIT runChanged();
    Q_EMIT selectedChanged(m_selected);
}

void StepModel::replaceSteps(int from, const std::vector<engine::Step>& steps,
                             std::optional<engine::StopReason> stop)
{
    const int before = stepCount();
    from = std::clamp(from, 0, before);
    const int after = from + static_cast<int>(steps.size());

    // Rows that stay are changed in place; only the difference in length is inserted or removed.
    const int kept = std::min(before, after);
    const auto begin = m_run.steps.begin();
    std::copy_n(steps.begin(), kept - from, begin + from);
    if (after > before) {
        beginInsertRows({}, before, after - 1);
        m_run.steps.insert(m_run.steps.end(), steps.begin() + (before - from), steps.end());
        endInsertRows();
    } else if (after < before) {
        beginRemoveRows({}, after, before - 1);
        m_run.steps.erase(m_run.steps.begin() + after, m_run.steps.end());
        endRemoveRows();
    }
    if (kept > from)
        Q_EMIT dataChanged(index(from), index(kept - 1));

    m_run.stop = stop;
    updateOutput();
    const int selected = m_selected < 0 ? after - 1 : std::min(m_selected, after - 1);
    const bool selectionChanged = selected != m_selected || selected >= from;
    m_selected = selected;
    Q_EMIT stepsChanged(from);
    if (selectionChanged)
        Q_EMIT selectedChanged(m_selected);
}

void StepModel::setMaxNewTokens(int count)
{
    m_run.settings.maxNewTokens = count;
}

void StepModel::select(int step)
{
    const int selected = std::clamp(step, std::min(0, stepCount() - 1), stepCount() - 1);
    if (selected == m_selected && !m_promptStep)
        return;
    m_selected = selected;
    m_promptStep.reset();
    Q_EMIT selectedChanged(m_selected);
}

void StepModel::showPromptStep(const engine::Step& step)
{
    m_promptStep = step;
    Q_EMIT selectedChanged(m_selected);
}

void StepModel::leavePrompt()
{
    select(m_selected);
}

void StepModel::updateOutput()
{
    m_run.output.clear();
    m_run.outputBytes.clear();
    // The stop token that ended the run is seen at its step, but is not part of the text.
    const bool lastIsStop = m_run.stop == engine::StopReason::StopToken && !m_run.steps.empty();
    const std::size_t count = m_run.steps.size() - (lastIsStop ? 1 : 0);
    for (std::size_t i = 0; i < count; ++i) {
        m_run.output.push_back(pickedPiece(m_run.steps[i]));
        m_run.outputBytes += m_run.output.back().bytes;
    }
}

} // namespace ui
