#pragma once

#include "engine/api/Run.h"
#include "engine/api/RunComparison.h"
#include "ui/StepModel.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace ui {

/// "A" to "D": how the runs that are compared are told apart beside their colour.
QString runLetter(int run);

/// A run to be compared, and what it is called.
struct NamedRun
{
    QString name;
    engine::Run run;
};

/// Further steps of a run: those from `from` on are these now.
struct RunUpdate
{
    int from = 0;
    std::vector<engine::Step> steps;
    std::optional<engine::StopReason> stop;
};

/// On which context the runs are looked at.
enum class ContextView
{
    Own,   ///< what happened: each after its own text
    First, ///< what settings or model do: each on what run A has read
};

/// Up to four runs, how they stand to each other, and one cursor for all of them: the step in view.
/// Thread: GUI.
class CompareModel : public QObject
{
    Q_OBJECT

public:
    static constexpr int leastRuns = 2;
    static constexpr int mostRuns = 4;

    explicit CompareModel(QObject* parent = nullptr);

    int count() const { return static_cast<int>(m_runs.size()); }
    bool isEmpty() const { return m_runs.empty(); }
    QString name(int run) const;
    const engine::Run& run(int run) const;
    StepModel& steps(int run) const;
    std::vector<const engine::Run*> runs() const;
    const engine::RunComparison& comparison() const { return m_comparison; }
    const engine::ComparedRun& compared(int run) const;

    int cursor() const { return m_cursor; }  ///< -1 while there is no step
    int stepCount() const;                   ///< of the longest run
    const engine::Step* step(int run) const; ///< at the cursor; null where the run has none there
    ContextView contextView() const { return m_view; }
    /// The step to be looked at: the run's own, or what it would be on A's context, null while
    /// that is not known.
    const engine::Step* shownStep(int run) const;
    /// The starting contexts are the same tokens.
    bool sameContext() const;

public Q_SLOTS:
    /// Other runs in the place of those there are; without a cursor, it goes to where they first
    /// part.
    void setRuns(const std::vector<ui::NamedRun>& runs, const engine::RunComparison& comparison,
                 std::optional<int> cursor = std::nullopt);
    /// One for each run. The cursor stays.
    void replaceSteps(const std::vector<ui::RunUpdate>& updates,
                      const engine::RunComparison& comparison);
    void setContextView(ui::ContextView view);
    /// What the runs behind the first make of its context at this step.
    void setOnFirstContext(int step, const std::vector<std::optional<engine::Step>>& steps);
    void select(int step); ///< the nearest step there is

Q_SIGNALS:
    void runsChanged();
    void stepsChanged(); ///< the same runs have other steps
    void cursorChanged(int step);
    void contextViewChanged();
    void shownStepsChanged();

private:
    struct Entry
    {
        QString name;
        std::unique_ptr<StepModel> steps;
    };

    std::vector<Entry> m_runs;
    engine::RunComparison m_comparison;
    int m_cursor = -1;
    ContextView m_view = ContextView::Own;
    int m_firstContextStep = -1; ///< of m_onFirstContext
    std::vector<std::optional<engine::Step>> m_onFirstContext;
};

/// The first step at which any run parts from the first; nothing where none does.
std::optional<int> firstParting(const engine::RunComparison& comparison);

} // namespace ui
