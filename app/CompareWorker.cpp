#include "app/CompareWorker.h"

#include "engine/generation/LanguageModel.h"

#include <QMetaObject>

#include <chrono>
#include <new>

namespace app {

namespace {

/// While many steps are made in a row, their values go to the window this often.
constexpr std::chrono::milliseconds batchInterval{60};

} // namespace

CompareWorker::CompareWorker(int threads, QObject* parent)
    : QObject(parent), m_threads(threads),
      m_thread([this](const std::stop_token& quit) { loop(quit); })
{}

CompareWorker::~CompareWorker()
{
    cancel();
    m_thread.request_stop();
    m_thread.join();
}

template <typename Signal>
void CompareWorker::post(Signal emitSignal)
{
    QMetaObject::invokeMethod(this, std::move(emitSignal), Qt::QueuedConnection);
}

void CompareWorker::postFault(const engine::Error& error)
{
    if (error.code != engine::ErrorCode::Cancelled)
        post([this, error] { Q_EMIT failed(error); });
}

void CompareWorker::push(Request request)
{
    ++m_pending;
    {
        const std::lock_guard lock(m_mutex);
        m_requests.push_back(std::move(request));
    }
    m_wake.notify_one();
}

/// Those not yet begun.
void CompareWorker::dropQueued(const std::function<bool(const Request&)>& isPointless)
{
    const std::lock_guard lock(m_mutex);
    m_pending -= static_cast<int>(std::erase_if(m_requests, isPointless));
}

void CompareWorker::loop(const std::stop_token& quit)
{
    while (true) {
        Request request;
        {
            std::unique_lock lock(m_mutex);
            if (!m_wake.wait(lock, quit, [this] { return !m_requests.empty(); }))
                return;
            request = std::move(m_requests.front());
            m_requests.pop_front();
            m_inFlight = request.stop;
        }
        try {
            request.work(request.stop.get_token());
        } catch (const std::bad_alloc&) {
            postFault({engine::ErrorCode::OutOfMemory,
                       "there is not enough memory to compare so many runs; take one away, or "
                       "close other programs"});
        }
        post([this] {
            if (--m_pending == 0)
                Q_EMIT idle();
        });
    }
}

void CompareWorker::cancel()
{
    const std::lock_guard lock(m_mutex);
    m_inFlight.request_stop();
    m_pending -= static_cast<int>(std::erase_if(m_requests, [](const Request& queued) {
        return queued.kind == Request::Kind::Step || queued.kind == Request::Kind::Look;
    }));
}

engine::Result<engine::GroupMember> CompareWorker::opened(const CompareMember& member)
{
    if (member.modelPath.empty())
        return engine::GroupMember{m_model, member.config};
    ModelPointer model = m_opened[member.modelPath].lock();
    if (!model) {
        auto loaded = engine::LanguageModel::load(member.modelPath);
        if (!loaded)
            return loaded.error();
        model = *loaded;
        m_opened[member.modelPath] = model;
    }
    return engine::GroupMember{model, member.config};
}

void CompareWorker::postRuns()
{
    m_posted.clear();
    std::vector<engine::Run> runs;
    for (int member = 0; member < m_group->count(); ++member) {
        m_members[static_cast<std::size_t>(member)].model = m_group->member(member).model;
        runs.push_back(m_group->run(member));
        m_posted.push_back(static_cast<int>(runs.back().steps.size()));
    }
    post([this, runs = std::move(runs), members = m_members, comparison = m_group->comparison(),
          canGoOn = m_group->canGoOn()] { Q_EMIT runsMade(runs, members, comparison, canGoOn); });
}

void CompareWorker::postSteps()
{
    std::vector<ui::RunUpdate> updates;
    for (int member = 0; member < m_group->count(); ++member) {
        const engine::Run& run = m_group->run(member);
        int& posted = m_posted[static_cast<std::size_t>(member)];
        updates.push_back({posted, {run.steps.begin() + posted, run.steps.end()}, run.stop});
        posted = static_cast<int>(run.steps.size());
    }
    post([this, updates = std::move(updates), comparison = m_group->comparison(),
          canGoOn = m_group->canGoOn()] { Q_EMIT stepsMade(updates, comparison, canGoOn); });
}

void CompareWorker::start(const ModelPointer& model, const engine::Prompt& prompt,
                          const std::vector<CompareMember>& members, int steps)
{
    cancel();
    dropQueued([](const Request&) { return true; });
    push({.work = [this, model, prompt, members, steps](const std::stop_token& stop) {
        const ModelPointer before = std::exchange(m_model, model);
        std::vector<engine::GroupMember> inputs;
        for (std::size_t i = 0; i < members.size(); ++i) {
            auto input = opened(members[i]);
            if (!input) {
                m_model = before;
                postFault(input.error());
                return;
            }
            inputs.push_back(std::move(*input));
        }
        auto group = engine::RunGroup::start(prompt, std::move(inputs), m_threads);
        if (!group) {
            m_model = before;
            postFault(group.error());
            return;
        }
        m_group.emplace(std::move(*group));
        m_members = members;
        if (const auto made = m_group->advanceTo(steps, stop); !made)
            postFault(made.error());
        postRuns();
    }});
}

void CompareWorker::makeSteps(int count, const std::stop_token& stop)
{
    using Clock = std::chrono::steady_clock;
    auto lastPost = Clock::now();
    for (int i = 0; i < count && m_group->canGoOn() && !stop.stop_requested(); ++i) {
        if (const auto made = m_group->step(stop); !made) {
            postFault(made.error());
            break;
        }
        if (Clock::now() - lastPost >= batchInterval) {
            postSteps();
            lastPost = Clock::now();
        }
    }
    postSteps();
}

void CompareWorker::step(int count)
{
    push({.kind = Request::Kind::Step, .work = [this, count](const std::stop_token& stop) {
              if (m_group)
                  makeSteps(count, stop);
          }});
}

void CompareWorker::changeMember(int member, const CompareMember& input,
                                 const std::stop_token& stop)
{
    if (!m_group || member > m_group->count())
        return;
    const int longest = m_group->longest();
    const auto ready = opened(input);
    if (!ready) {
        postFault(ready.error());
        return;
    }
    if (const auto done = m_group->set(member, *ready); !done) {
        postFault(done.error());
        return;
    }
    m_members.resize(static_cast<std::size_t>(m_group->count()));
    m_members[static_cast<std::size_t>(member)] = input;
    if (const auto made = m_group->advanceTo(longest, stop); !made)
        postFault(made.error());
    postRuns();
}

void CompareWorker::set(int member, const CompareMember& input)
{
    dropQueued([member](const Request& queued) {
        return queued.kind == Request::Kind::Set && queued.member == member;
    });
    push({.kind = Request::Kind::Set,
          .member = member,
          .work = [this, member, input](const std::stop_token& stop) {
              changeMember(member, input, stop);
          }});
}

void CompareWorker::remove(int member)
{
    push({.work = [this, member](const std::stop_token&) {
        if (!m_group || member >= m_group->count())
            return;
        m_group->remove(member);
        m_members.erase(m_members.begin() + member);
        postRuns();
    }});
}

void CompareWorker::clear()
{
    cancel();
    dropQueued([](const Request&) { return true; });
    push({.work = [this](const std::stop_token&) {
        m_group.reset();
        m_members.clear();
        m_model.reset();
    }});
}

void CompareWorker::look(int step, const std::stop_token& stop)
{
    std::vector<std::optional<engine::Step>> steps(1);
    std::vector<std::string> faults(1);
    for (int member = 1; member < m_group->count(); ++member) {
        auto found = m_group->onFirstContext(member, step, stop);
        if (!found && found.error().code == engine::ErrorCode::Cancelled)
            return;
        faults.push_back(found ? std::string() : found.error().message);
        steps.push_back(found ? std::optional(std::move(*found)) : std::nullopt);
    }
    post([this, step, steps = std::move(steps), faults = std::move(faults)] {
        Q_EMIT lookedOnFirstContext(step, steps, faults);
    });
}

void CompareWorker::lookOnFirstContext(int step)
{
    dropQueued([](const Request& queued) { return queued.kind == Request::Kind::Look; });
    push({.kind = Request::Kind::Look, .work = [this, step](const std::stop_token& stop) {
              if (m_group)
                  look(step, stop);
          }});
}

} // namespace app
