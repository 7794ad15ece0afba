#include "app/GenerationWorker.h"

#include "engine/generation/LanguageModel.h"

#include <QMetaObject>

#include <chrono>
#include <new>

namespace app {

namespace {

/// While many steps are made in a row, their values go to the window this often: faster than it can
/// be read, and seldom enough that painting never falls behind the model.
constexpr std::chrono::milliseconds batchInterval{40};

const engine::Error noModel{engine::ErrorCode::InvalidArgument,
                            "no model is open; open one with File, Open model"};

} // namespace

GenerationWorker::GenerationWorker(int threads, QObject* parent)
    : QObject(parent), m_threads(threads),
      m_thread([this](const std::stop_token& quit) { loop(quit); })
{}

GenerationWorker::~GenerationWorker()
{
    cancel();
    m_thread.request_stop();
    m_thread.join();
}

/// Runs `emitSignal` on the GUI thread; forgotten if this object is gone by then.
template <typename Signal>
void GenerationWorker::post(Signal emitSignal)
{
    QMetaObject::invokeMethod(this, std::move(emitSignal), Qt::QueuedConnection);
}

void GenerationWorker::push(Request request)
{
    {
        const std::lock_guard lock(m_mutex);
        using Kind = Request::Kind;
        const bool replacesRun = request.kind == Kind::Open || request.kind == Kind::Start;
        if (replacesRun) {
            m_inFlight.request_stop();
            std::erase_if(m_requests, [&](const Request& queued) {
                return (queued.kind != Kind::Open && queued.kind != Kind::Other &&
                        queued.kind != Kind::Start) ||
                       queued.kind == request.kind;
            });
        }
        const bool isRepeatable = request.kind == Kind::Redecode || request.kind == Kind::LookUp ||
                                  request.kind == Kind::LookAtPrompt;
        if (isRepeatable && !m_requests.empty() && m_requests.back().kind == request.kind)
            m_requests.back() = std::move(request);
        else
            m_requests.push_back(std::move(request));
    }
    m_wake.notify_one();
}

void GenerationWorker::loop(const std::stop_token& quit)
{
    while (true) {
        Request request;
        std::stop_token stop;
        {
            std::unique_lock lock(m_mutex);
            if (m_requests.empty() && m_busy) {
                m_busy = false;
                post([this, pause = ++m_pauses] { reportIdle(pause); });
            }
            if (!m_wake.wait(lock, quit, [this] { return !m_requests.empty(); }))
                return;
            request = std::move(m_requests.front());
            m_requests.pop_front();
            m_busy = true;
            m_inFlight = std::stop_source();
            stop = m_inFlight.get_token();
        }
        try {
            request.work(stop);
        } catch (const std::bad_alloc&) {
            post([this] {
                Q_EMIT stepFailed({engine::ErrorCode::OutOfMemory,
                                   "there is not enough memory for this; close other programs or "
                                   "take a smaller model"});
            });
        }
    }
}

/// On the GUI thread: by now a result shown before this may have led to a further request.
/// And where that is done already, its own results and report are on their way after this.
void GenerationWorker::reportIdle(std::uint64_t pause)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_busy || !m_requests.empty() || pause != m_pauses)
            return;
    }
    Q_EMIT idle();
}

void GenerationWorker::cancel()
{
    const std::lock_guard lock(m_mutex);
    m_inFlight.request_stop();
    std::erase_if(m_requests,
                  [](const Request& queued) { return queued.kind == Request::Kind::Step; });
}

void GenerationWorker::openModel(const std::filesystem::path& path)
{
    push({Request::Kind::Open, [this, path](const std::stop_token&) {
              auto model = engine::LanguageModel::load(path);
              if (!model) {
                  post([this, error = model.error()] { Q_EMIT modelFailed(error); });
                  return;
              }
              m_model = *model;
              m_session.reset();
              m_watched.clear(); // the ids are other tokens now
              post([this, opened = *model] { Q_EMIT modelOpened(opened); });
          }});
}

void GenerationWorker::startRun(const engine::Prompt& prompt, const engine::RunConfig& config)
{
    push({Request::Kind::Start, [this, prompt, config](const std::stop_token& stop) {
              if (m_model == nullptr) {
                  post([this] { Q_EMIT runFailed(noModel); });
                  return;
              }
              auto session = engine::GenerationSession::start(m_model, prompt, config, m_threads);
              if (!session) {
                  post([this, error = session.error()] { Q_EMIT runFailed(error); });
                  return;
              }
              if (!m_watched.empty())
                  (void)session->watch(m_watched, stop); // no step yet: nothing to cancel
              if (!session->stopReason()) {
                  if (const auto first = session->step(stop); !first) {
                      post([this, error = first.error()] { Q_EMIT runFailed(error); });
                      return;
                  }
              }
              m_session.emplace(std::move(*session));
              post([this, run = m_session->run()] { Q_EMIT runStarted(run); });
          }});
}

void GenerationWorker::postStepsFrom(int from)
{
    const engine::Run& run = m_session->run();
    post([this, from, stop = run.stop,
          steps = std::vector<engine::Step>(run.steps.begin() + from, run.steps.end())] {
        Q_EMIT stepsReplaced(from, steps, stop);
    });
}

void GenerationWorker::makeSteps(int count, const std::stop_token& stop)
{
    using Clock = std::chrono::steady_clock;
    auto lastPost = Clock::now();
    auto posted = static_cast<int>(m_session->run().steps.size());
    for (int i = 0; i < count && !m_session->stopReason() && !stop.stop_requested(); ++i) {
        if (const auto step = m_session->step(stop); !step) {
            if (step.error().code != engine::ErrorCode::Cancelled)
                post([this, error = step.error()] { Q_EMIT stepFailed(error); });
            break;
        }
        if (Clock::now() - lastPost >= batchInterval) {
            postStepsFrom(posted);
            posted = static_cast<int>(m_session->run().steps.size());
            lastPost = Clock::now();
        }
    }
    postStepsFrom(posted);
}

void GenerationWorker::step(int count)
{
    push({Request::Kind::Step, [this, count](const std::stop_token& stop) {
              if (m_session)
                  makeSteps(count, stop);
          }});
}

void GenerationWorker::redecodeFrom(int index, const engine::SamplingConfig& sampling)
{
    push({Request::Kind::Redecode, [this, index, sampling](const std::stop_token& stop) {
              if (!m_session)
                  return;
              const auto done = m_session->redecodeFrom(index, sampling, stop);
              if (!done && done.error().code != engine::ErrorCode::Cancelled)
                  post([this, error = done.error()] { Q_EMIT stepFailed(error); });
              postStepsFrom(std::min<int>(index, static_cast<int>(m_session->run().steps.size())));
          }});
}

void GenerationWorker::force(int index, engine::TokenId token)
{
    push({Request::Kind::Other, [this, index, token](const std::stop_token& stop) {
              if (!m_session)
                  return;
              if (const auto done = m_session->force(index, token, stop); !done) {
                  post([this, error = done.error()] { Q_EMIT stepFailed(error); });
                  return;
              }
              postStepsFrom(index);
          }});
}

void GenerationWorker::redraw(int index, int attempt)
{
    push({Request::Kind::Other, [this, index, attempt](const std::stop_token& stop) {
              if (!m_session)
                  return;
              if (const auto done = m_session->redraw(index, attempt, stop); !done) {
                  post([this, error = done.error()] { Q_EMIT stepFailed(error); });
                  return;
              }
              postStepsFrom(index);
          }});
}

void GenerationWorker::adopt(const std::vector<engine::Step>& steps,
                             const engine::SamplingConfig& sampling)
{
    cancel();
    push({Request::Kind::Other, [this, steps, sampling](const std::stop_token&) {
              if (!m_session)
                  return;
              if (const auto done = m_session->adopt(steps, sampling); !done)
                  post([this, error = done.error()] { Q_EMIT stepFailed(error); });
              postStepsFrom(0);
          }});
}

void GenerationWorker::tryAgain(const engine::SamplingConfig& sampling)
{
    cancel();
    push({Request::Kind::Other, [this, sampling](const std::stop_token& stop) {
              if (!m_session)
                  return;
              const auto count = static_cast<int>(m_session->run().steps.size());
              if (const auto done = m_session->redecodeFrom(0, sampling, stop); !done) {
                  if (done.error().code != engine::ErrorCode::Cancelled)
                      post([this, error = done.error()] { Q_EMIT stepFailed(error); });
                  return;
              }
              postStepsFrom(0);
              makeSteps(count - static_cast<int>(m_session->run().steps.size()), stop);
          }});
}

void GenerationWorker::watch(const std::vector<engine::TokenId>& ids)
{
    push({Request::Kind::Other, [this, ids](const std::stop_token& stop) {
              m_watched = ids;
              if (!m_session)
                  return;
              const auto done = m_session->watch(ids, stop);
              if (!done && done.error().code != engine::ErrorCode::Cancelled)
                  post([this, error = done.error()] { Q_EMIT stepFailed(error); });
              postStepsFrom(0);
          }});
}

void GenerationWorker::lookUp(int index, const std::vector<engine::TokenId>& ids)
{
    push({Request::Kind::LookUp, [this, index, ids](const std::stop_token& stop) {
              // By now the run may be another, without such a step: then nobody asks any more.
              if (!m_session || index >= static_cast<int>(m_session->run().steps.size()))
                  return;
              const auto found = m_session->lookUp(index, ids, stop);
              if (found)
                  post([this, index, candidates = *found] { Q_EMIT lookedUp(index, candidates); });
              else if (found.error().code != engine::ErrorCode::Cancelled)
                  post([this, error = found.error()] { Q_EMIT stepFailed(error); });
          }});
}

void GenerationWorker::lookAtPrompt(int position)
{
    push({Request::Kind::LookAtPrompt, [this, position](const std::stop_token& stop) {
              if (!m_session)
                  return;
              const auto step = m_session->promptStep(position, stop);
              if (step)
                  post([this, made = *step] { Q_EMIT promptStepMade(made); });
              else if (step.error().code != engine::ErrorCode::Cancelled)
                  post([this, error = step.error()] { Q_EMIT stepFailed(error); });
          }});
}

void GenerationWorker::restart()
{
    cancel();
    push({Request::Kind::Other, [this](const std::stop_token& stop) {
              if (!m_session)
                  return;
              m_session->truncate(0);
              if (!m_session->stopReason())
                  if (const auto first = m_session->step(stop); !first)
                      post([this, error = first.error()] { Q_EMIT stepFailed(error); });
              postStepsFrom(0);
          }});
}

void GenerationWorker::setMaxNewTokens(int count)
{
    push({Request::Kind::Other, [this, count](const std::stop_token&) {
              if (!m_session)
                  return;
              m_session->setMaxNewTokens(count);
              postStepsFrom(static_cast<int>(m_session->run().steps.size()));
          }});
}

void GenerationWorker::saveTrace(std::function<void(const engine::Run&)> save)
{
    push({Request::Kind::Other, [this, save = std::move(save)](const std::stop_token&) {
              if (m_session)
                  save(m_session->run());
              else
                  post([this] {
                      Q_EMIT traceFailed(
                          {engine::ErrorCode::InvalidArgument, "there is no run to save yet"});
                  });
          }});
}

} // namespace app
