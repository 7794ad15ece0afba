#include "app/FingerprintWorker.h"

#include "engine/generation/LanguageModel.h"
#include "engine/generation/TraceFile.h"

#include <QMetaObject>

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

namespace app {

namespace {

using Clock = std::chrono::steady_clock;

/// What takes no longer than this is not worth a word on the screen.
constexpr std::chrono::milliseconds moment{300};
constexpr std::chrono::milliseconds progressInterval{100};

} // namespace

FingerprintWorker::FingerprintWorker(engine::FingerprintCache cache, QObject* parent)
    : QObject(parent), m_cache(std::move(cache)),
      m_thread([this](const std::stop_token& quit) { loop(quit); })
{}

FingerprintWorker::~FingerprintWorker()
{
    {
        const std::lock_guard lock(m_mutex);
        giveUp();
    }
    m_thread.request_stop();
    m_thread.join();
}

/// Runs `emitSignal` on the GUI thread; forgotten if this object is gone by then.
template <typename Signal>
void FingerprintWorker::post(Signal emitSignal)
{
    QMetaObject::invokeMethod(this, std::move(emitSignal), Qt::QueuedConnection);
}

/// Drops the jobs that only compute, but for one in flight that a save behind it waits for.
void FingerprintWorker::giveUp()
{
    const auto isAwaited = [this](const Job& job) {
        return std::any_of(m_jobs.begin(), m_jobs.end(),
                           [&](const Job& other) { return other.run && other.model == job.model; });
    };
    for (Job& job : m_jobs)
        if (!job.run && !isAwaited(job))
            job.stop.request_stop();
}

void FingerprintWorker::compute(const ModelPointer& model)
{
    {
        const std::lock_guard lock(m_mutex);
        giveUp();
    }
    if (model != nullptr)
        push({model, std::nullopt, {}, {}});
}

void FingerprintWorker::save(const engine::Run& run, const ModelPointer& model,
                             const std::filesystem::path& path)
{
    push({model, run, path, {}});
}

void FingerprintWorker::push(Job job)
{
    {
        const std::lock_guard lock(m_mutex);
        m_jobs.push_back(std::move(job));
    }
    m_wake.notify_one();
}

void FingerprintWorker::loop(const std::stop_token& quit)
{
    while (true) {
        Job job;
        {
            std::unique_lock lock(m_mutex);
            if (!m_wake.wait(lock, quit, [this] { return !m_jobs.empty(); }))
                return;
            job = m_jobs.front();
        }
        try {
            work(job);
        } catch (const std::bad_alloc&) {
            if (job.run)
                post([this] {
                    Q_EMIT traceFailed({engine::ErrorCode::OutOfMemory,
                                        "there is not enough memory to save the trace; close other "
                                        "programs and save it again"});
                });
        }
        const std::lock_guard lock(m_mutex);
        m_jobs.pop_front();
    }
}

void FingerprintWorker::work(const Job& job)
{
    const auto began = Clock::now();
    auto shown = began;
    const auto sha256 = job.model->fingerprint(m_cache, job.stop.get_token(), [&](double fraction) {
        const auto now = Clock::now();
        if (now - began < moment || now - shown < progressInterval)
            return;
        shown = now;
        post([this, fraction, stop = job.stop.get_token()] {
            if (!stop.stop_requested())
                Q_EMIT progressed(fraction);
        });
    });
    if (!sha256)
        return; // given up
    if (job.run) {
        write(job, *sha256);
        return;
    }
    post([this, digest = QString::fromStdString(*sha256), stop = job.stop.get_token()] {
        if (!stop.stop_requested())
            Q_EMIT computed(digest);
    });
}

void FingerprintWorker::write(const Job& job, const std::string& sha256)
{
    engine::Run run = *job.run;
    run.model.sha256 = sha256;
    if (const auto written = engine::writeTrace(run, job.path); !written)
        post([this, error = written.error()] { Q_EMIT traceFailed(error); });
    else
        post([this, saved = QString::fromStdString(job.path.string())] {
            Q_EMIT traceSaved(saved);
        });
}

} // namespace app
