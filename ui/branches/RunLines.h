#pragma once

#include "engine/api/RunConfig.h"
#include "engine/api/Step.h"

#include <QObject>
#include <QString>

#include <optional>
#include <vector>

namespace ui {

class StepModel;

/// One way that a run went on. It shares the steps before `fork` with its parent.
struct RunLine
{
    int id = 0;
    int parent = -1;                 ///< id of the line it left; -1: the first
    int fork = 0;                    ///< the step that differs from the parent's, 0-based
    QString cause;                   ///< of the parting, in words; empty for the first line
    std::vector<engine::Step> steps; ///< all of them, from step 0

    /// The settings that it goes on with.
    engine::SamplingConfig sampling() const;
};

/// Every line that the run on screen has taken: whatever puts another token in the place of a pick
/// (forcing, drawing again, other settings, the next seed) begins a new line, and the old one is
/// kept as it was. Follows the StepModel; what has to be done to go back to a line is asked for by
/// a signal. Thread: GUI.
class RunLines : public QObject
{
    Q_OBJECT

public:
    /// More than these are not kept: the oldest that nothing else grew from goes.
    static constexpr int mostLines = 100;

    explicit RunLines(StepModel* steps, QObject* parent = nullptr);

    /// In the order they began; the first is the run as it came.
    const std::vector<RunLine>& lines() const { return m_lines; }
    int current() const { return m_current; } ///< id; -1 while there is no run
    const RunLine* find(int id) const;
    bool canUndo() const { return !m_undo.empty(); }
    bool canRedo() const { return !m_redo.empty(); }

public Q_SLOTS:
    void switchTo(int id); ///< asks for it; current once its steps are in the StepModel
    void undo();           ///< back to the line that was current before
    void redo();

Q_SIGNALS:
    void changed();
    void lineRequested(const ui::RunLine& line);

private:
    enum class Move
    {
        Choose,
        Undo,
        Redo,
    };
    struct Pending
    {
        int id = -1;
        Move move = Move::Choose;
    };

    void begin();
    void follow(int from);
    bool arrive(); ///< whether the steps are those of the line that was asked for
    void fork(int at);
    const RunLine* lineWith(const std::vector<engine::Step>& beginning) const;
    void forget();
    void request(int id, Move move);
    RunLine& currentLine();

    StepModel* m_steps;
    std::vector<RunLine> m_lines;
    int m_current = -1;
    int m_nextId = 0;
    std::optional<Pending> m_pending;
    std::vector<int> m_undo, m_redo; ///< ids, the nearest last
};

/// The settings of `b` that are not those of `a`: "temperature 0.90 → 1.20, seed 12".
QString changedSettings(const engine::SamplingConfig& a, const engine::SamplingConfig& b);

/// Why `after` has another pick than `before`, the same step of the line it left: "forced", "drawn
/// again", "seed 12", "temperature 0.90 → 1.20".
QString partingCause(const engine::Step& before, const engine::Step& after);

} // namespace ui
