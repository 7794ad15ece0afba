#pragma once

#include "engine/api/RunChecks.h"
#include "ui/Theme.h"

#include <QDialog>

class QLabel;
class QPushButton;
class QSpinBox;
class QTableWidget;

namespace ui {

/// Makes the run on screen several times and says whether it comes out the same: the fingerprints
/// of all of them, step by step, and how near the run came to another text. Thread: GUI.
class CheckDialog : public QDialog
{
    Q_OBJECT

public:
    explicit CheckDialog(const Theme& theme, QWidget* parent = nullptr);

    /// The run on screen: its fingerprint, and why it cannot be made again (empty: it can).
    void setRun(const engine::RunFingerprint& fingerprint, int steps, const QString& fault);
    void setProgress(int runsDone, int runs, int steps); ///< while a check goes on
    void showCheck(const engine::RunCheck& check);
    void showFailure(const QString& words); ///< also "cancelled"

    QSpinBox* count() const { return m_count; }
    QPushButton* startButton() const { return m_start; }
    QString words() const; ///< of the run on screen
    QString verdict() const;
    QString closeCalls() const;
    QTableWidget* runs() const { return m_runs; }
    QTableWidget* steps() const { return m_steps; }
    bool isRunning() const { return m_isRunning; }

    static constexpr int mostRuns = 20;

Q_SIGNALS:
    void checkRequested(int runs);
    void cancelRequested();

private:
    void setRunning(bool running);
    void fillRuns(const engine::RunCheck& check);
    void fillSteps(const engine::RunCheck& check);

    Theme m_theme;
    QLabel* m_words;
    QLabel* m_digits;
    QLabel* m_explanation;
    QSpinBox* m_count;
    QPushButton* m_start;
    QLabel* m_verdict;
    QLabel* m_closeCalls;
    QTableWidget* m_runs;
    QTableWidget* m_steps;
    bool m_isRunning = false;
};

} // namespace ui
