#include "app/CheckWorker.h"

#include "engine/generation/LanguageModel.h"

#include <QMetaObject>

#include <chrono>
#include <memory>
#include <new>
#include <utility>

namespace app {

namespace {

constexpr std::chrono::milliseconds reportInterval{60};

engine::Result<engine::RepeatableRun> withModel(const SwapSide& side)
{
    if (side.model != nullptr)
        return engine::RepeatableRun{side.run, side.model};
    auto model = engine::LanguageModel::load(side.path);
    if (!model)
        return model.error();
    return engine::RepeatableRun{side.run, *model};
}

engine::Result<engine::SwapGrid> exchange(const SwapSide& a, const SwapSide& b, int threads,
                                          const std::stop_token& stop,
                                          const std::function<void(int, int, int)>& report)
{
    const auto first = withModel(a);
    if (!first)
        return first.error();
    auto second = b.path == a.path && b.model == nullptr
                      ? engine::Result<engine::RepeatableRun>({b.run, first->model})
                      : withModel(b);
    if (!second)
        return second.error();
    return engine::swapInputs(*first, *second, threads, stop,
                              [&](int done, int all) { report(done, all, 0); });
}

} // namespace

CheckWorker::CheckWorker(QObject* parent) : QObject(parent) {}

CheckWorker::~CheckWorker()
{
    cancel();
}

/// Runs `emitSignal` on the GUI thread, unless another job has begun by then.
template <typename Signal>
void CheckWorker::post(Signal emitSignal)
{
    QMetaObject::invokeMethod(this, std::move(emitSignal), Qt::QueuedConnection);
}

void CheckWorker::start(Work work)
{
    cancel();
    m_thread =
        std::jthread([this, work = std::move(work), job = ++m_job](const std::stop_token& stop) {
            try {
                work(stop);
            } catch (const std::bad_alloc&) {
                post([this, job] {
                    if (job == m_job)
                        Q_EMIT failed({engine::ErrorCode::OutOfMemory,
                                       "there is not enough memory for this; ask for fewer runs"});
                });
            }
        });
}

void CheckWorker::cancel()
{
    if (!m_thread.joinable())
        return;
    m_thread.request_stop();
    m_thread.join();
}

/// Tells of progress seldom enough that the window never falls behind.
std::function<void(int, int, int)> CheckWorker::reporter()
{
    using Clock = std::chrono::steady_clock;
    return [this, job = m_job + 1, last = std::make_shared<Clock::time_point>()](int done, int all,
                                                                                 int steps) {
        const auto now = Clock::now();
        if (now - *last < reportInterval)
            return;
        *last = now;
        post([this, job, done, all, steps] {
            if (job == m_job)
                Q_EMIT progressed(done, all, steps);
        });
    };
}

void CheckWorker::check(const engine::RunInputs& inputs, int runs)
{
    start([this, inputs, runs, job = m_job + 1, report = reporter()](const std::stop_token& stop) {
        const auto check = engine::checkRuns(
            inputs, runs, stop, [&](int done, int steps) { report(done, runs, steps); });
        post([this, job, check] {
            if (job != m_job)
                return;
            if (check)
                Q_EMIT checked(*check);
            else
                Q_EMIT failed(check.error());
        });
    });
}

void CheckWorker::fan(const engine::RunInputs& inputs, int seeds)
{
    start([this, inputs, seeds, job = m_job + 1, report = reporter()](const std::stop_token& stop) {
        const auto fan = engine::seedFan(inputs, seeds, stop,
                                         [&](int done, int steps) { report(done, seeds, steps); });
        post([this, job, fan] {
            if (job != m_job)
                return;
            if (fan)
                Q_EMIT fanned(*fan);
            else
                Q_EMIT failed(fan.error());
        });
    });
}

void CheckWorker::swap(const SwapSide& a, const SwapSide& b, int threads)
{
    start([this, a, b, threads, job = m_job + 1, report = reporter()](const std::stop_token& stop) {
        const auto grid = exchange(a, b, threads, stop, report);
        post([this, job, grid] {
            if (job != m_job)
                return;
            if (grid)
                Q_EMIT swapped(*grid);
            else
                Q_EMIT failed(grid.error());
        });
    });
}

} // namespace app
