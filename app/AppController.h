#pragma once

#include "app/FingerprintWorker.h"
#include "app/GenerationWorker.h"
#include "app/PromptLook.h"
#include "app/TokenLook.h"
#include "engine/api/Run.h"
#include "engine/api/RunConfig.h"
#include "ui/PromptRequest.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <memory>
#include <optional>
#include <vector>

namespace engine {
class LanguageModel;
}
namespace ui {
class MainWindow;
struct RunLine;
} // namespace ui

namespace app {

/// Joins the window to the engine: turns what the user asks for into requests to the worker, and
/// what comes back into values that the window shows. Keeps no value that the window's StepModel
/// has. Thread: GUI.
class AppController : public QObject
{
    Q_OBJECT

public:
    /// `window` must outlive this.
    AppController(ui::MainWindow& window, int threads, QObject* parent = nullptr);

    /// Settings and prompt of the runs to come; call before opening a model.
    void setInitialRun(const QString& prompt, const engine::SamplingConfig& sampling,
                       std::optional<int> maxNewTokens);

    /// A model (file or folder) or a trace, told apart by its name and content.
    void openPath(const QString& path);
    void openModel(const QString& path);
    void openTrace(const QString& path);

    /// Makes up to `count` further steps, or looks at as many of a trace, as pressing Step that
    /// often would. False where that needs no model call: what there is to see is there.
    bool makeSteps(int count);
    bool isBusy() const { return m_inFlight; } ///< `settled` is to come

    /// What runs begin from: the open model, null while none is, the prompt and the settings.
    const std::shared_ptr<const engine::LanguageModel>& model() const { return m_model; }
    const ui::PromptRequest& prompt() const { return m_prompt; }
    const engine::RunConfig& runConfig() const { return m_config; }

Q_SIGNALS:
    void settled();                      ///< what was asked for is done and shown
    void failed(const QString& message); ///< what was asked for; the window shows it too

private:
    void connectWindow();
    void connectWorker();
    void addExploring();

    void step();
    void back();
    void restart();
    void stepToEnd();
    void setPlaying(bool playing);
    void stopAll();
    void startRun(const ui::PromptRequest& prompt);
    void showRendering(const ui::PromptRequest& prompt);
    void changeSampling(const engine::SamplingConfig& sampling);
    void changeMaxNewTokens(int count);
    void force(engine::TokenId token);
    void tryAgain();
    void drawAgain();
    void adopt(const ui::RunLine& line);
    void select(int step);
    void runTo(int step);

    void showModel(const std::shared_ptr<const engine::LanguageModel>& model);
    void showRun(const engine::Run& run);
    void showSteps(int from, const std::vector<engine::Step>& steps,
                   std::optional<engine::StopReason> stop);
    void showTrace(const engine::Run& run, const QString& path);
    void fail(const engine::Error& error);
    void saveTrace(const QString& path);
    void showFingerprint();
    void updateState();
    bool canMakeStep() const; ///< the run itself can go on (not only the view of it)
    void requestSteps(int count);

    ui::MainWindow& m_window;
    FingerprintWorker m_fingerprints; ///< outlives m_worker, which hands it traces to save
    GenerationWorker m_worker;
    PromptLook m_promptLook;
    TokenLook m_tokenLook;
    QTimer m_playTimer;

    std::shared_ptr<const engine::LanguageModel> m_model; ///< null until one is open
    ui::PromptRequest m_prompt;
    engine::RunConfig m_config; ///< but for what the prompt says of itself
    double m_stepsPerSecond = 2.0;
    bool m_playing = false;
    bool m_inFlight = false; ///< requests at the worker that will answer
    int m_pendingSteps = 0;  ///< presses of Step while one was in flight
    bool m_showsTrace = false;
    bool m_followLast = true; ///< select each new last step as it comes
};

} // namespace app
