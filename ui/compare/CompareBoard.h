#pragma once

#include "engine/api/RunConfig.h"
#include "ui/Theme.h"
#include "ui/WindowActions.h"
#include "ui/compare/CompareModel.h"

#include <QTimer>
#include <QWidget>

#include <vector>

class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace ui {

class AlignmentRibbon;
class RunPane;

/// Two to four runs beside each other: how they are aligned, and a card for each at the same step.
/// What is asked for goes out as signals. Thread: GUI.
class CompareBoard : public QWidget
{
    Q_OBJECT

public:
    explicit CompareBoard(QWidget* parent = nullptr);

    CompareModel* model() const { return m_model; }
    AlignmentRibbon* ribbon() const { return m_ribbon; }
    int paneCount() const { return static_cast<int>(m_panes.size()); }
    RunPane* pane(int run) const { return m_panes.at(static_cast<std::size_t>(run)); }
    QString reasonText() const;   ///< where and why the runs part, a line for each
    QString subtitleText() const; ///< what they have in common
    QString statusText() const;   ///< for the line at the bottom of the window

    void setTheme(const Theme& theme);
    /// Takes a widget that says more of the runs compared; it stands below the alignment.
    void setVerdictWidget(QWidget* widget);

    /// What decides which of the window's actions make sense while the board is in view.
    const WindowState& state() const { return m_state; }
    /// Of runs that a model makes here: one is being computed, all go on by themselves, one can go
    /// on past its last step.
    void setProgress(bool isRunning, bool isPlaying, bool canStep);
    void setLive(bool isLive); ///< a model makes the runs; else they are recorded

Q_SIGNALS:
    void stateChanged();
    void stepRequested();
    void backRequested();
    void resetRequested();
    void toEndRequested();
    void playToggled(bool play);
    void stopRequested();
    void stepSelected(int step);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showRuns();
    void showStep();
    void makePanes();
    void fitPanes();
    void refreshState();

    Theme m_theme;
    WindowState m_state;
    bool m_isLive = false;
    CompareModel* m_model;
    QLabel* m_title;
    QLabel* m_subtitle;
    QLabel* m_reason;
    AlignmentRibbon* m_ribbon;
    QWidget* m_ribbonCard;
    QVBoxLayout* m_column;
    QHBoxLayout* m_paneRow;
    QWidget* m_verdict = nullptr;
    std::vector<RunPane*> m_panes;
    QTimer m_fitLater; ///< once all charts have their new size
};

} // namespace ui
