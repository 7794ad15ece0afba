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
    /// The starting contexts are the same tokens.
    bool sameContext() const;

public Q_SLOTS:
    /// Other runs in the place of those there are; the cursor goes to where they first part.
    void setRuns(const std::vector<ui::NamedRun>& runs, const engine::RunComparison& comparison);
    void select(int step); ///< the nearest step there is

Q_SIGNALS:
    void runsChanged();
    void cursorChanged(int step);

private:
    struct Entry
    {
        QString name;
        std::unique_ptr<StepModel> steps;
    };

    std::vector<Entry> m_runs;
    engine::RunComparison m_comparison;
    int m_cursor = -1;
};

/// The first step at which any run parts from the first; nothing where none does.
std::optional<int> firstParting(const engine::RunComparison& comparison);

} // namespace ui
