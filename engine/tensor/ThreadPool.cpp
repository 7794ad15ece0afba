#include "engine/tensor/ThreadPool.h"

#include <algorithm>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace engine {

namespace {

// Pieces for each thread: enough that a thread which the system takes away for a while holds up
// little, few enough that taking one costs nothing beside doing it.
constexpr std::int64_t piecesPerThread = 4;

// About 20 to 50 microseconds: longer than the gap between two loops of one token.
constexpr int spins = 1000;

constexpr std::uint64_t noPiece = 0xFFFFFFFF;

void pause()
{
#if defined(__x86_64__)
    _mm_pause();
#else
    std::this_thread::yield();
#endif
}

} // namespace

ThreadPool::ThreadPool(int threads)
{
    for (int i = 1; i < threads; ++i)
        m_workers.emplace_back([this] { work(); });
}

ThreadPool::~ThreadPool()
{
    m_stopping.store(true);
    m_loop.fetch_add(1);
    m_loop.notify_all();
    m_workers.clear(); // joins, while the members that workers read are still there
}

void ThreadPool::run(std::int64_t count, Function function, const void* context)
{
    if (count <= 0)
        return;
    const std::int64_t pieces = std::min(count, threads() * piecesPerThread);
    if (m_workers.empty() || pieces == 1) {
        function(context, 0, count);
        return;
    }
    // Close the old ticket first, so that no worker takes a piece while the fields change.
    const std::uint64_t loop = (m_ticket.load() >> 32) + 1;
    m_ticket.store((loop << 32) | noPiece);
    m_function.store(function);
    m_context.store(context);
    m_count.store(count);
    m_pieces.store(static_cast<std::uint32_t>(pieces));
    m_finished.store(0);
    m_ticket.store(loop << 32);
    m_loop.fetch_add(1);
    m_loop.notify_all();
    while (takePiece()) {
    }
    for (int i = 0; i < spins && m_finished.load() < pieces; ++i)
        pause();
    for (std::uint32_t done = m_finished.load(); done < pieces; done = m_finished.load())
        m_finished.wait(done);
}

/// Takes one piece of the current loop and runs it; false where none is left.
bool ThreadPool::takePiece()
{
    std::uint64_t ticket = m_ticket.load();
    const std::uint64_t piece = ticket & 0xFFFFFFFF;
    const Function function = m_function.load();
    const void* context = m_context.load();
    const std::int64_t count = m_count.load();
    const std::uint32_t pieces = m_pieces.load();
    if (piece >= pieces)
        return false;
    if (!m_ticket.compare_exchange_strong(ticket, ticket + 1))
        return true; // another thread was quicker; look again
    const auto boundary = [&](std::uint64_t i) {
        return count / pieces * static_cast<std::int64_t>(i) +
               std::min<std::int64_t>(static_cast<std::int64_t>(i), count % pieces);
    };
    function(context, boundary(piece), boundary(piece + 1));
    m_finished.fetch_add(1);
    m_finished.notify_one();
    return true;
}

void ThreadPool::work()
{
    std::uint32_t seen = 0;
    while (!m_stopping.load()) {
        for (int i = 0; i < spins && m_loop.load() == seen; ++i)
            pause();
        m_loop.wait(seen);
        seen = m_loop.load();
        while (takePiece()) {
        }
    }
}

} // namespace engine
