#pragma once

#include "engine/api/Error.h"
#include "engine/api/Run.h"
#include "engine/generation/GenerationSession.h"

#include <QObject>

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

namespace engine {
class LanguageModel;
}

namespace app {

/// Owns the thread on which a model is opened and a run goes on. Requests are queued and done in
/// order; each result comes back as a value in a signal on the GUI thread. What a later request
/// makes pointless is dropped: a new run cancels the one in flight, and of several settings moved
/// in a row only the newest is decoded.
/// Thread: this object lives on the GUI thread; the session and its model calls on the worker's.
class GenerationWorker : public QObject
{
    Q_OBJECT

public:
    explicit GenerationWorker(int threads, QObject* parent = nullptr);
    ~GenerationWorker() override; ///< cancels what is in flight and waits for the thread

    void openModel(const std::filesystem::path& path);
    void startRun(const engine::Prompt& prompt, const engine::RunConfig& config);
    void step(int count); ///< makes up to `count` steps, until a stop
    void redecodeFrom(int index, const engine::SamplingConfig& sampling);
    void force(int index, engine::TokenId token);
    void redraw(int index, int attempt);
    /// Goes back to a line of this run that was left, as the window kept it.
    void adopt(const std::vector<engine::Step>& steps, const engine::SamplingConfig& sampling);
    /// All steps again under `sampling`, which draws others, and as many as there are.
    void tryAgain(const engine::SamplingConfig& sampling);
    /// Follows these tokens in the run's steps, those made and those to come; also in later runs,
    /// until another model is opened.
    void watch(const std::vector<engine::TokenId>& ids);
    /// What step `index` saw of these tokens; `lookedUp` answers. Of several asked for in a row
    /// only the newest is answered.
    void lookUp(int index, const std::vector<engine::TokenId>& ids);
    /// What the model expected in the place of a token of the prompt; `promptStepMade` answers.
    /// Of several asked for in a row only the newest is answered.
    void lookAtPrompt(int position);
    void restart(); ///< back to the starting context and on to the first step
    void setMaxNewTokens(int count);
    /// Hands the run as it is once what was asked for before is done to `save`, on the worker's
    /// thread; also where this object goes away meanwhile.
    void saveTrace(std::function<void(const engine::Run&)> save);
    /// Stops the steps in flight and those queued; the run can go on from where it is.
    void cancel();

Q_SIGNALS:
    void modelOpened(std::shared_ptr<const engine::LanguageModel> model);
    void modelFailed(engine::Error error); ///< the model there was stays
    void runStarted(engine::Run run);      ///< its first step has been made, where it has one
    void runFailed(engine::Error error);   ///< the run there was stays
    /// Steps from `from` on are these now.
    void stepsReplaced(int from, std::vector<engine::Step> steps,
                       std::optional<engine::StopReason> stop);
    void stepFailed(engine::Error error);
    void lookedUp(int index, std::vector<engine::Candidate> found);
    void promptStepMade(engine::Step step);
    void traceFailed(engine::Error error);
    void idle(); ///< nothing is queued or in flight

private:
    struct Request
    {
        enum class Kind
        {
            Open,
            Start,
            Step,
            Redecode,
            LookUp,
            LookAtPrompt,
            Other,
        };
        Kind kind = Kind::Other;
        std::function<void(const std::stop_token&)> work;
    };

    void push(Request request);
    void loop(const std::stop_token& quit);
    void reportIdle(std::uint64_t pause);
    template <typename Signal>
    void post(Signal emitSignal);
    void makeSteps(int count, const std::stop_token& stop);
    void postStepsFrom(int from);

    const int m_threads;

    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::deque<Request> m_requests;
    std::stop_source m_inFlight;
    bool m_busy = false;
    std::uint64_t m_pauses = 0; ///< times that the requests ran out

    // The worker thread's own.
    std::shared_ptr<const engine::LanguageModel> m_model;
    std::optional<engine::GenerationSession> m_session;
    std::vector<engine::TokenId> m_watched;

    std::jthread m_thread; ///< last: joined before anything it uses goes away
};

} // namespace app
