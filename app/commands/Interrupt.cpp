#include "app/commands/Interrupt.h"

#include <cstdlib>
#include <ctime>

namespace app {

Interrupt::Interrupt()
{
    sigemptyset(&m_signals);
    sigaddset(&m_signals, SIGINT);
    sigaddset(&m_signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &m_signals, &m_before);
    // Waiting on a thread of its own keeps the stop request out of signal handlers, where almost
    // nothing may be called.
    m_watcher = std::jthread([this](const std::stop_token& quit) {
        while (!quit.stop_requested()) {
            const timespec pause{0, 50'000'000};
            if (sigtimedwait(&m_signals, nullptr, &pause) < 0)
                continue;
            if (m_source.stop_requested())
                std::_Exit(130);
            m_source.request_stop();
        }
    });
}

Interrupt::~Interrupt()
{
    m_watcher.request_stop();
    m_watcher.join();
    pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
}

} // namespace app
