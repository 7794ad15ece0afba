#pragma once

#include "engine/api/Error.h"

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace engine {

class FingerprintCache;
class ModelWeights;

/// Told while a fingerprint is computed, on the thread that computes it: the part of the model's
/// bytes that has been read, from 0 to 1.
using FingerprintProgress = std::function<void(double fraction)>;

/// The SHA-256 of a model's files (see ModelWeights::fingerprint): computed when first asked for,
/// in pieces between which it can be stopped, and then known. Thread: any; while one thread
/// computes, others that ask wait for it.
class ModelFingerprint
{
public:
    /// `weights` outlive this. `path` is what the model was opened from, at or after
    /// `openedNanoseconds` (since 1970).
    ModelFingerprint(const ModelWeights& weights, const std::filesystem::path& path,
                     std::int64_t openedNanoseconds);

    std::optional<std::string> known() const;

    /// From `cache` if it knows the files, which then are not read; else computed, and remembered
    /// there. Files that changed after they were opened are not looked up, as the cache could only
    /// know what they are now.
    /// Errors: Cancelled; another call may then go on from the start.
    Result<std::string> compute(const FingerprintCache& cache, const std::stop_token& stop,
                                const FingerprintProgress& progress = {}) const;

    static std::int64_t now(); ///< nanoseconds since 1970, by the clock that stamps files

private:
    std::optional<std::string> digest(const FingerprintCache& cache, const std::stop_token& stop,
                                      const FingerprintProgress& progress) const;

    const ModelWeights& m_weights;
    std::vector<std::filesystem::path> m_files;
    std::int64_t m_openedNanoseconds;

    mutable std::mutex m_mutex; ///< of what follows
    mutable std::condition_variable_any m_changed;
    mutable bool m_isComputing = false;
    mutable std::string m_digest;
};

} // namespace engine
