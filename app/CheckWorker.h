#pragma once

#include "engine/api/Error.h"
#include "engine/generation/InputSwap.h"
#include "engine/generation/RunCheck.h"
#include "engine/generation/SeedFan.h"

#include <QObject>

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

namespace engine {
class LanguageModel;
}

namespace app {

/// One of two runs whose inputs are exchanged. Where its model is not open, it is opened from
/// `path`.
struct SwapSide
{
    engine::Run run;
    std::shared_ptr<const engine::LanguageModel> model;
    std::string path;
};

/// Runs again what the window shows, on a thread of its own, so that the run on screen can go on
/// meanwhile. One job at a time: a new one ends the one before.
/// Thread: this object lives on the GUI thread; the work is done on the other.
class CheckWorker : public QObject
{
    Q_OBJECT

public:
    explicit CheckWorker(QObject* parent = nullptr);
    ~CheckWorker() override; ///< cancels and waits

    void check(const engine::RunInputs& inputs, int runs);
    void fan(const engine::RunInputs& inputs, int seeds);
    void swap(const SwapSide& a, const SwapSide& b, int threads);
    void cancel(); ///< answered within one token

Q_SIGNALS:
    void progressed(int done, int all, int steps); ///< a few times a second
    void checked(engine::RunCheck check);
    void fanned(engine::SeedFan fan);
    void swapped(engine::SwapGrid grid);
    void failed(engine::Error error); ///< also where it was cancelled

private:
    using Work = std::function<void(const std::stop_token&)>;
    void start(Work work);
    template <typename Signal>
    void post(Signal emitSignal);
    std::function<void(int done, int all, int steps)> reporter();

    int m_job = 0; ///< GUI thread: counts them, so that a job that was left is not heard
    std::jthread m_thread;
};

} // namespace app
