#pragma once

#include "engine/api/Error.h"
#include "engine/api/Run.h"
#include "engine/api/RunComparison.h"
#include "engine/generation/RunGroup.h"
#include "ui/compare/CompareModel.h"

#include <QObject>
#include <QString>

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace engine {
class LanguageModel;
}

namespace app {

/// One of the runs to be made: the path of a model of its own, or none for the open model.
struct CompareMember
{
    std::string modelPath;
    engine::RunConfig config;
    std::shared_ptr<const engine::LanguageModel> model; ///< once it is open; set by the worker
};

/// Owns the thread on which a group of runs is made. Requests are queued and done in order; of
/// several settings of one run moved in a row only the newest is made. Models are opened once for
/// all runs that name the same path.
/// Thread: this object lives on the GUI thread; models and runs on the worker's.
class CompareWorker : public QObject
{
    Q_OBJECT

public:
    explicit CompareWorker(int threads, QObject* parent = nullptr);
    ~CompareWorker() override; ///< cancels what is in flight and waits for the thread

    using ModelPointer = std::shared_ptr<const engine::LanguageModel>;

    /// In the place of the runs there are, each at once with up to `steps` steps.
    void start(const ModelPointer& model, const engine::Prompt& prompt,
               const std::vector<CompareMember>& members, int steps);
    void step(int count); ///< up to so many for every run, until all have ended
    /// Another run in the place of this one, or behind the last, made as far as the others are.
    void set(int member, const CompareMember& input);
    void remove(int member);
    /// What the runs behind the first make of its context at this step.
    void lookOnFirstContext(int step);
    void clear();  ///< lets the runs and their models go
    void cancel(); ///< the steps in flight and those queued

    bool isBusy() const { return m_pending > 0; }

Q_SIGNALS:
    /// All runs and what they were made from, after a start or where one was exchanged; `canGoOn`:
    /// one has not ended.
    void runsMade(std::vector<engine::Run> runs, std::vector<app::CompareMember> members,
                  engine::RunComparison comparison, bool canGoOn);
    void stepsMade(std::vector<ui::RunUpdate> updates, engine::RunComparison comparison,
                   bool canGoOn);
    /// One for each run; nothing for the first, and where `faults` says why there is none.
    void lookedOnFirstContext(int step, std::vector<std::optional<engine::Step>> steps,
                              std::vector<std::string> faults);
    void failed(engine::Error error); ///< what there was stays
    void idle();                      ///< nothing is queued or in flight

private:
    struct Request
    {
        enum class Kind
        {
            Step,
            Set,
            Look,
            Other,
        };
        Kind kind = Kind::Other;
        int member = -1;
        std::function<void(const std::stop_token&)> work;
        std::stop_source stop = {};
    };

    void push(Request request);
    void dropQueued(const std::function<bool(const Request&)>& isPointless);
    void loop(const std::stop_token& quit);
    template <typename Signal>
    void post(Signal emitSignal);
    void postFault(const engine::Error& error);

    // On the worker's thread.
    engine::Result<engine::GroupMember> opened(const CompareMember& member);
    void postRuns();
    void postSteps();
    void makeSteps(int count, const std::stop_token& stop);
    void changeMember(int member, const CompareMember& input, const std::stop_token& stop);
    void look(int step, const std::stop_token& stop);

    const int m_threads;
    int m_pending = 0; ///< requests without an answer; of the GUI thread

    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::deque<Request> m_requests;
    std::stop_source m_inFlight;

    // The worker thread's own.
    ModelPointer m_model; ///< of members without a path
    std::map<std::string, std::weak_ptr<const engine::LanguageModel>> m_opened;
    std::optional<engine::RunGroup> m_group;
    std::vector<CompareMember> m_members; ///< of the group, as asked for
    std::vector<int> m_posted;            ///< of each run: steps that the window has

    std::jthread m_thread; ///< last: joined before anything it uses goes away
};

} // namespace app
