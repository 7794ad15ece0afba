#include "engine/tensor/ThreadPool.h"

#include <QtTest/QTest>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <vector>

using engine::ThreadPool;

class ThreadPoolTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void runsEveryTurnOnce_data()
    {
        QTest::addColumn<int>("threads");
        for (const int threads : {1, 2, 3, 8})
            QTest::addRow("%d threads", threads) << threads;
    }

    void runsEveryTurnOnce()
    {
        QFETCH(const int, threads);
        ThreadPool pool(threads);
        QCOMPARE(pool.threads(), threads);
        for (const std::int64_t count : {0, 1, 2, 5, 31, 1000}) {
            std::vector<std::atomic<int>> turns(static_cast<std::size_t>(count));
            pool.parallelFor(count, [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t i = begin; i < end; ++i)
                    ++turns[static_cast<std::size_t>(i)];
            });
            for (const std::atomic<int>& turn : turns)
                QCOMPARE(turn.load(), 1);
        }
    }

    // What one loop writes, the next one reads, as the layers of a network do.
    void finishesALoopBeforeTheNextBegins()
    {
        ThreadPool pool(3);
        std::vector<std::int64_t> values(64, 0);
        std::vector<std::int64_t> next(64, 0);
        constexpr int loops = 20000;
        for (int loop = 0; loop < loops; ++loop) {
            pool.parallelFor(std::ssize(values), [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t i = begin; i < end; ++i)
                    next[static_cast<std::size_t>(i)] =
                        values[static_cast<std::size_t>(63 - i)] + 1;
            });
            std::swap(values, next);
        }
        for (const std::int64_t value : values)
            QCOMPARE(value, std::int64_t{loops});
    }

    void wakesWorkersThatFellAsleep()
    {
        ThreadPool pool(2);
        for (int loop = 0; loop < 5; ++loop) {
            QTest::qSleep(5);
            std::mutex mutex;
            std::set<std::thread::id> seen;
            const auto start = std::chrono::steady_clock::now();
            // Each piece waits until both threads are in the loop (or a generous time has passed).
            pool.parallelFor(8, [&](std::int64_t, std::int64_t) {
                while (std::chrono::steady_clock::now() - start < std::chrono::seconds(20)) {
                    const std::lock_guard lock(mutex);
                    seen.insert(std::this_thread::get_id());
                    if (seen.size() == 2)
                        return;
                }
            });
            QCOMPARE(seen.size(), std::size_t{2});
        }
    }

    void endsCleanlyWithoutEverRunning()
    {
        for (int i = 0; i < 100; ++i)
            const ThreadPool pool(4);
    }
};

QTEST_APPLESS_MAIN(ThreadPoolTest)
#include "ThreadPoolTest.moc"
