#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace engine {

/// Worker threads for loops whose turns do not depend on each other. With one thread there are no
/// workers and everything runs in the caller.
///
/// A token takes some hundred short loops, so workers spin for a moment after a loop before they
/// go to sleep, and a loop never waits for a worker that has not woken up yet: whoever is awake
/// does the work.
/// Thread: one caller at a time, which may be any thread.
class ThreadPool
{
public:
    explicit ThreadPool(int threads); ///< >= 1, the caller included
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    int threads() const { return static_cast<int>(m_workers.size()) + 1; }

    /// Calls body(begin, end) for pieces that together cover [0, count) once, on all threads, and
    /// returns when all are done. Which thread takes which piece is left open. body throws nothing.
    template <typename Body>
    void parallelFor(std::int64_t count, const Body& body)
    {
        run(
            count,
            [](const void* context, std::int64_t begin, std::int64_t end) {
                (*static_cast<const Body*>(context))(begin, end);
            },
            &body);
    }

private:
    using Function = void (*)(const void* context, std::int64_t begin, std::int64_t end);

    void run(std::int64_t count, Function function, const void* context);
    bool takePiece();
    void work();

    // The ticket is the loop's number (upper half) and the next piece to take (lower half). A piece
    // is taken by advancing the ticket with compare-and-swap, which fails where the loop that the
    // other fields were read for is over: a slow worker can never run a stale loop.
    std::atomic<std::uint64_t> m_ticket{0};
    std::atomic<Function> m_function{nullptr};
    std::atomic<const void*> m_context{nullptr};
    std::atomic<std::int64_t> m_count{0};
    std::atomic<std::uint32_t> m_pieces{0};
    std::atomic<std::uint32_t> m_finished{0};
    std::atomic<std::uint32_t> m_loop{0}; ///< grows by one with each loop; what sleepers wait on
    std::atomic<bool> m_stopping{false};
    std::vector<std::jthread> m_workers;
};

} // namespace engine
