#pragma once

#include <atomic>
#include <csignal>
#include <stop_token>
#include <thread>

namespace app {

/// While it lives, Ctrl+C (SIGINT) and SIGTERM ask for a stop instead of ending the process, so
/// that a run can still report and save what it has. A second signal ends the process as usual.
/// Make it before any other thread starts: they inherit the blocked signals.
class Interrupt
{
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    std::stop_token token() const { return m_source.get_token(); }

private:
    sigset_t m_signals{};
    sigset_t m_before{};
    std::stop_source m_source;
    std::jthread m_watcher;
};

} // namespace app
