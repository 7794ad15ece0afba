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
class CompareBar;
class RunPane;
class RunSettingsPopup;

/// Two to four runs beside each other: how they are aligned, and a card for each at the same step.
/// What is asked for goes out as signals. Thread: GUI.
class CompareBoard : public QWidget
{
    Q_OBJECT

public:
    explicit CompareBoard(QWidget* parent = nullptr);

    CompareModel* model() const { return m_model; }
    AlignmentRibbon* ribbon() const { return m_ribbon; }
    CompareBar* bar() const { return m_bar; }
    RunSettingsPopup* settings() const { return m_settings; }
    int paneCount() const { return static_cast<int>(m_panes.size()); }
    RunPane* pane(int run) const { return m_panes.at(static_cast<std::size_t>(run)); }
    QString reasonText() const;   ///< where and why the runs part, a line for each
    QString subtitleText() const; ///< what they have in common
    QString viewText() const;     ///< what is looked at, where it is not what happened
    QString keysText() const;
    QString statusText() const; ///< for the line at the bottom of the window

    void setTheme(const Theme& theme);
    /// Takes a widget that says more of the runs compared; it stands below the alignment.
    void setVerdictWidget(QWidget* widget);

    /// What decides which of the window's actions make sense while the board is in view.
    const WindowState& state() const { return m_state; }
    /// Of runs that a model makes here: one is being computed, all go on by themselves, one can go
    /// on past its last step.
    void setProgress(bool isRunning, bool isPlaying, bool canStep);
    /// `isLive`: a model makes the runs, else they are recorded. `canRun`: a model is open.
    void setLive(bool isLive, bool canRun);
    void setElsewhereFault(int run, const QString& why);

Q_SIGNALS:
    void stateChanged();
    void stepRequested();
    void backRequested();
    void resetRequested();
    void toEndRequested();
    void playToggled(bool play);
    void stopRequested();
    void stepSelected(int step);
    void samplingChanged(int run, const engine::SamplingConfig& sampling);
    void maxNewTokensChanged(int run, int count);
    void modelRequested(int run);
    void removeRequested(int run);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showRuns();
    void showStep();
    void makePanes();
    void fitPanes();
    void showText();
    void editSettings(int run);
    void refreshState();

    Theme m_theme;
    WindowState m_state;
    bool m_isLive = false;
    bool m_canRun = false;
    CompareModel* m_model;
    QLabel* m_title;
    QLabel* m_subtitle;
    QLabel* m_reason;
    QLabel* m_viewNote;
    CompareBar* m_bar;
    RunSettingsPopup* m_settings;
    AlignmentRibbon* m_ribbon;
    QWidget* m_ribbonCard;
    QVBoxLayout* m_column;
    QHBoxLayout* m_paneRow;
    QWidget* m_verdict = nullptr;
    std::vector<RunPane*> m_panes;
    QTimer m_fitLater; ///< once all charts have their new size
};

} // namespace ui
