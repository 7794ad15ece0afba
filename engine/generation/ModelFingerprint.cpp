#include "engine/generation/ModelFingerprint.h"

#include "engine/generation/FingerprintCache.h"
#include "engine/model/ModelWeights.h"

#include <algorithm>
#include <ctime>

namespace engine {

namespace {

namespace fs = std::filesystem;

/// The clock that stamps files stands still between two ticks of the system.
constexpr std::int64_t stampGranularity = 20'000'000;

using Stamps = std::vector<FileStamp>;

/// The files as they are now; nothing where one is gone or may have changed since `opened`, so
/// that its stamp could be that of other bytes than those that are mapped.
std::optional<Stamps> stampsSince(const std::vector<fs::path>& files, std::int64_t opened)
{
    Stamps stamps;
    for (const fs::path& file : files) {
        const auto stamp = stampOf(file);
        if (!stamp || std::max(stamp->modifiedNanoseconds, stamp->changedNanoseconds) >
                          opened - stampGranularity)
            return std::nullopt;
        stamps.push_back(*stamp);
    }
    return stamps;
}

} // namespace

ModelFingerprint::ModelFingerprint(const ModelWeights& weights, const fs::path& path,
                                   std::int64_t openedNanoseconds)
    : m_weights(weights), m_openedNanoseconds(openedNanoseconds)
{
    std::error_code ignored;
    const fs::path folder = fs::is_directory(path, ignored) ? path : path.parent_path();
    for (const SourceFile& source : weights.sources())
        m_files.push_back(folder / source.name);
}

std::int64_t ModelFingerprint::now()
{
    timespec time = {};
    clock_gettime(CLOCK_REALTIME, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

std::optional<std::string> ModelFingerprint::known() const
{
    const std::lock_guard lock(m_mutex);
    return m_digest.empty() ? std::nullopt : std::optional(m_digest);
}

Result<std::string> ModelFingerprint::compute(const FingerprintCache& cache,
                                              const std::stop_token& stop,
                                              const FingerprintProgress& progress) const
{
    const Error cancelled{ErrorCode::Cancelled, "the fingerprint was not computed to its end"};
    std::unique_lock lock(m_mutex);
    if (!m_changed.wait(lock, stop, [this] { return !m_isComputing; }))
        return cancelled;
    if (!m_digest.empty())
        return m_digest;
    m_isComputing = true;
    lock.unlock();
    std::optional<std::string> computed;
    const auto finish = [&] {
        lock.lock();
        m_isComputing = false;
        m_digest = computed.value_or("");
        m_changed.notify_all();
    };
    try {
        computed = digest(cache, stop, progress);
    } catch (...) { // out of memory: those who wait must not wait for ever
        finish();
        throw;
    }
    finish();
    if (!computed)
        return cancelled;
    return m_digest;
}

std::optional<std::string> ModelFingerprint::digest(const FingerprintCache& cache,
                                                    const std::stop_token& stop,
                                                    const FingerprintProgress& progress) const
{
    const auto stamps = stampsSince(m_files, m_openedNanoseconds);
    if (stamps)
        if (auto remembered = cache.find(*stamps))
            return remembered;
    std::uint64_t total = 0;
    for (const SourceFile& source : m_weights.sources())
        total += source.bytes.size();
    auto digest = m_weights.fingerprint([&](std::uint64_t bytesRead) {
        if (progress)
            progress(static_cast<double>(bytesRead) / static_cast<double>(total));
        return !stop.stop_requested();
    });
    // Files that changed while they were read would be remembered under the wrong stamp.
    if (digest && stamps && stampsSince(m_files, m_openedNanoseconds) == stamps)
        cache.remember(*stamps, *digest);
    return digest;
}

} // namespace engine
