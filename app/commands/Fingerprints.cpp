#include "app/commands/Fingerprints.h"

#include "app/Resources.h"

#include <cstdio>
#include <unistd.h>

namespace app {

engine::FingerprintCache userFingerprints()
{
    return engine::FingerprintCache(cacheFolder());
}

void FingerprintLine::show(double fraction)
{
    constexpr std::chrono::seconds patience{1};
    const int percent = static_cast<int>(fraction * 100);
    if (percent == m_shown || std::chrono::steady_clock::now() - m_began < patience ||
        ::isatty(STDERR_FILENO) == 0)
        return;
    m_shown = percent;
    std::fprintf(stderr, "\rtokenscope: fingerprint %d %%", percent);
    std::fflush(stderr);
}

FingerprintLine::~FingerprintLine()
{
    if (m_shown >= 0)
        std::fputs("\r\033[K", stderr);
}

} // namespace app
