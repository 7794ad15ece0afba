#pragma once

#include "engine/api/Error.h"
#include "engine/api/Run.h"
#include "engine/generation/FingerprintCache.h"

#include <QObject>
#include <QString>

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

namespace engine {
class LanguageModel;
}

namespace app {

/// Computes the fingerprints of models in the background, and writes traces, which carry one. A
/// fingerprint that is no longer of interest is given up at once; a trace that was to be saved is
/// written in any case, with the fingerprint of its model in it, before this object is gone.
/// Thread: this object lives on the GUI thread; the work is done on a thread of its own.
class FingerprintWorker : public QObject
{
    Q_OBJECT

public:
    explicit FingerprintWorker(engine::FingerprintCache cache, QObject* parent = nullptr);
    ~FingerprintWorker() override;

    using ModelPointer = std::shared_ptr<const engine::LanguageModel>;

    /// In the place of what is being computed; null: nothing more.
    void compute(const ModelPointer& model);
    void save(const engine::Run& run, const ModelPointer& model, const std::filesystem::path& path);

Q_SIGNALS:
    void progressed(double fraction); ///< of what takes longer than a moment, a few times a second
    void computed(QString sha256);    ///< of the model asked for last
    void traceSaved(QString path);
    void traceFailed(engine::Error error);

private:
    struct Job
    {
        ModelPointer model;
        std::optional<engine::Run> run; ///< to be saved at `path`; nothing: only the fingerprint
        std::filesystem::path path;
        std::stop_source stop;
    };

    void push(Job job);
    void giveUp();
    void loop(const std::stop_token& quit);
    void work(const Job& job);
    void write(const Job& job, const std::string& sha256);
    template <typename Signal>
    void post(Signal emitSignal);

    const engine::FingerprintCache m_cache;

    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::deque<Job> m_jobs; ///< the first is in flight

    std::jthread m_thread; ///< last: joined before anything it uses goes away
};

} // namespace app
