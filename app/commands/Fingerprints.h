#pragma once

#include "engine/api/Error.h"
#include "engine/generation/FingerprintCache.h"
#include "engine/generation/ModelFingerprint.h"

#include <chrono>
#include <stop_token>
#include <string>

namespace app {

/// Where the fingerprints of this user's models are remembered.
engine::FingerprintCache userFingerprints();

/// Says on standard error how far a fingerprint is, where that is a terminal and it takes longer
/// than a second; the line is gone again at the end.
class FingerprintLine
{
public:
    ~FingerprintLine();
    void show(double fraction);

private:
    const std::chrono::steady_clock::time_point m_began = std::chrono::steady_clock::now();
    int m_shown = -1; ///< percent on screen
};

/// The fingerprint of a LanguageModel or a ModelDescription, remembered or computed.
/// Errors: Cancelled.
template <typename Model>
engine::Result<std::string> fingerprintOf(const Model& model, const std::stop_token& stop = {})
{
    FingerprintLine line;
    return model.fingerprint(userFingerprints(), stop,
                             [&line](double fraction) { line.show(fraction); });
}

} // namespace app
