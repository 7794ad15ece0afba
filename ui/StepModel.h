#pragma once

#include "engine/api/Run.h"

#include <QAbstractListModel>

#include <optional>
#include <vector>

namespace ui {

/// A run's steps as the window shows them, and which one is selected: all views share this.
/// Thread: GUI.
class StepModel : public QAbstractListModel
{
    Q_OBJECT

public:
    explicit StepModel(QObject* parent = nullptr);

    const engine::Run& run() const { return m_run; }
    bool isEmpty() const { return m_run.steps.empty(); }
    int stepCount() const { return static_cast<int>(m_run.steps.size()); }
    int selected() const { return m_selected; } ///< -1 while there is no step
    /// What is looked at: the selected step, or in its place what showPromptStep() was given.
    const engine::Step* selectedStep() const;
    /// The place in the starting context of the token that is looked at; nothing while that is a
    /// step of the run.
    std::optional<int> promptPosition() const;

    /// The token that a step added to the context.
    engine::ContextToken addedToken(int step) const;
    /// The chips: the starting context, then the pick of every step.
    std::vector<engine::ContextToken> contextTokens() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

public Q_SLOTS:
    void setRun(const engine::Run& run); ///< selects the last step
    /// Replaces the steps from `from` on and keeps the selection in range; while nothing is
    /// selected, the last step becomes so. The run's output follows the new steps.
    void replaceSteps(int from, const std::vector<engine::Step>& steps,
                      std::optional<engine::StopReason> stop);
    void setMaxNewTokens(int count); ///< the length limit of the run; shown with the next change
    void select(int step);           ///< the nearest step there is
    /// Looks at what the model expected in the place of a token of the starting context: a step
    /// with an index below 0. The selection stays to come back to.
    void showPromptStep(const engine::Step& step);
    void leavePrompt();

Q_SIGNALS:
    void runChanged();              ///< another run
    void stepsChanged(int from);    ///< steps from this one on are new or gone
    void selectedChanged(int step); ///< also when the selected step's own values changed

private:
    void updateOutput();

    engine::Run m_run;
    int m_selected = -1;
    std::optional<engine::Step> m_promptStep;
};

} // namespace ui
