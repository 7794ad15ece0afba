#pragma once

#include "engine/api/RunChecks.h"
#include "ui/Theme.h"

#include <QDialog>

class QLabel;
class QPushButton;
class QTableWidget;

namespace ui {

/// The verdict on two runs: their four inputs with fingerprints, the first stage whose values
/// differ, and the proof: each input exchanged by itself, both ways. Thread: GUI.
class VerdictDialog : public QDialog
{
    Q_OBJECT

public:
    VerdictDialog(const Theme& theme, const QString& otherLetter, QWidget* parent = nullptr);

    void setVerdict(const engine::RunsVerdict& verdict);
    void setSwapFault(const QString& why); ///< why it cannot be proved by running; empty: it can
    void setProgress(int runsDone, int runs);
    void showGrid(const engine::SwapGrid& grid);
    void showFailure(const QString& words);

    QTableWidget* inputs() const { return m_inputs; }
    QTableWidget* grid() const { return m_grid; }
    QPushButton* swapButton() const { return m_swap; }
    QString sentence() const;
    QString conclusion() const;

Q_SIGNALS:
    void swapRequested();
    void cancelRequested();

private:
    void setRunning(bool running);
    void addGridRow(const QString& name, const QString& a, const QString& b, const QString& proof);
    QString outcomeText(const engine::SwapOutcome& outcome) const;
    QString swapName(const engine::InputSwap& swap) const;

    Theme m_theme;
    QString m_other;
    QLabel* m_sentence;
    QTableWidget* m_inputs;
    QPushButton* m_swap;
    QLabel* m_conclusion;
    QTableWidget* m_grid;
    bool m_isRunning = false;
};

} // namespace ui
