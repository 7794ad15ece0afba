#pragma once

#include "engine/api/ModelInfo.h"
#include "engine/api/ModelNotes.h"
#include "engine/api/PromptRendering.h"
#include "engine/api/RunConfig.h"
#include "engine/api/Token.h"
#include "ui/FileDialogs.h"
#include "ui/PromptRequest.h"
#include "ui/StepModel.h"
#include "ui/Theme.h"
#include "ui/WindowActions.h"

#include <QMainWindow>
#include <QPointer>
#include <QTimer>

class QStackedWidget;

namespace ui {

class Banner;
class Board;
class BranchActions;
class CandidateModel;
class CandidateTable;
class CompareActions;
class CompareBoard;
class ContextPanel;
class DistributionChart;
class InspectorPanel;
class ModelInfoDialog;
class PipelineStrip;
class StatusLine;
class Timeline;
class TopBar;
class WelcomePage;

/// Menus and layout. Shows the values of `steps()` and says as signals what the user asked for;
/// knows nothing of where the values come from. Thread: GUI.
class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(QWidget* parent = nullptr);

    StepModel& steps() { return m_steps; }
    const WindowActions& actions() const { return *m_actions; }
    BranchActions& branchActions() const { return *m_branchActions; }
    CompareActions& compareActions() const { return *m_compareActions; }
    const WindowState& state() const { return m_state; }
    const Theme& theme() const { return m_theme; }
    double speed() const; ///< steps a second while playing

    Board* board() const { return m_board; }
    CompareBoard* compareBoard() const { return m_compare; }
    bool isComparing() const; ///< runs beside each other are in view
    TopBar* topBar() const { return m_topBar; }
    Banner* banner() const { return m_banner; }
    Banner* warnings() const { return m_warnings; }
    ModelInfoDialog* modelDialog() const; ///< null while it is closed
    ContextPanel* context() const;
    InspectorPanel* inspector() const;
    DistributionChart* chart() const;
    CandidateTable* table() const;
    PipelineStrip* pipeline() const;
    Timeline* timeline() const;
    StatusLine* statusLine() const { return m_statusLine; }
    WelcomePage* welcome() const { return m_welcome; }

public Q_SLOTS:
    /// What the top bar names. With a path it is an open model, which prompts can be started with.
    void setModelInfo(const engine::ModelInfo& model, const engine::TokenizerInfo& tokenizer);
    /// What the open model's files suggest, whether it can chat, and what is odd in them: its
    /// warnings are shown until the user closes them.
    void setModelNotes(const engine::ModelNotes& notes);
    void setFingerprintProgress(double fraction); ///< of the open model, from 0 to 1
    void setFingerprint(const QString& sha256);   ///< known now
    void setSampling(const engine::SamplingConfig& sampling);
    void setMaxNewTokens(int count);
    void setPrompt(const ui::PromptRequest& prompt); ///< into the editor, not started
    void showRendering(const ui::PromptRequest& request, const engine::PromptRendering& rendering);
    void showRenderingFault(const ui::PromptRequest& request, const QString& fault);
    void setRunning(bool running); ///< a step is being computed
    void setPlaying(bool playing);
    void setCanStep(bool canStep);   ///< the run can go on past its last step
    void setTraceMode(bool isTrace); ///< the run was read from a file, without its model
    void setSpeed(double stepsPerSecond);
    void setTheme(const ui::Theme& theme);

    void showError(const QString& message); ///< until the user closes it; ends loading
    void clearError();
    void showLoading(const QString& name); ///< empty: loading is over
    void showStatus(const QString& message);

Q_SIGNALS:
    void promptSubmitted(const ui::PromptRequest& prompt);
    void renderingRequested(const ui::PromptRequest& prompt);
    void stepRequested();
    void backRequested();
    void playToggled(bool play);
    void speedChanged(double stepsPerSecond);
    void resetRequested();
    void stepToEndRequested();
    void stopRequested();
    void tryAgainRequested();
    void samplingChanged(const engine::SamplingConfig& sampling);
    void maxNewTokensChanged(int count);
    void candidateForced(engine::TokenId id);
    void stepSelected(int step);
    void openModelRequested(const QString& path);
    void openTraceRequested(const QString& path);
    void saveTraceRequested(const QString& path);
    void fileOpenRequested(const QString& path); ///< dropped: a model or a trace
    void themeChanged(bool dark);
    void textScaleChanged(double scale);

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void buildLayout();
    void connectActions();
    void connectFileActions();
    void connectViewActions();
    void connectPanels();
    void connectSteps();
    void connectCompare();
    void refreshState();
    void applyState();
    void refreshStep();
    void showModelInfo();
    void refreshModelInfo();
    void changeScale(double factor);

    StepModel m_steps;
    Theme m_theme;
    WindowState m_state;
    WindowState m_appliedState;
    engine::ModelInfo m_model;
    engine::TokenizerInfo m_tokenizer;
    engine::ModelNotes m_notes;
    double m_fingerprintProgress = 0;
    QPointer<ModelInfoDialog> m_modelDialog;
    QTimer m_busyTimer;
    QPointer<QWidget> m_focusBeforeStep;
    FileDialogs m_fileDialogs;

    WindowActions* m_actions;
    BranchActions* m_branchActions;
    CompareActions* m_compareActions;
    CandidateModel* m_candidates;
    TopBar* m_topBar;
    Banner* m_banner;
    Banner* m_warnings;
    QStackedWidget* m_pages;
    WelcomePage* m_welcome;
    Board* m_board;
    CompareBoard* m_compare;
    StatusLine* m_statusLine;
};

} // namespace ui
