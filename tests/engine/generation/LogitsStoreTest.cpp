#include "engine/generation/LogitsStore.h"

#include <QTest>

using engine::LogitsStore;
using engine::StepLogits;

namespace {

StepLogits fourFloats(float first)
{
    return {{first, 0, 0, 0}, std::chrono::microseconds(7)};
}

constexpr std::size_t bytesOfOne = 4 * sizeof(float);

} // namespace

class LogitsStoreTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsWhatWasPutIn()
    {
        LogitsStore store(10 * bytesOfOne);
        store.put(3, fourFloats(3));
        QVERIFY(store.find(2) == nullptr);
        QVERIFY(store.find(3) != nullptr && store.find(3)->values[0] == 3.0F);
        QCOMPARE(store.find(3)->forward.count(), 7);
    }

    void letsGoWhatIsFarthestFromTheLatest()
    {
        LogitsStore store(3 * bytesOfOne);
        for (int step = 0; step < 5; ++step)
            store.put(step, fourFloats(0));
        QVERIFY(!store.find(0) && !store.find(1));
        QVERIFY(store.find(2) && store.find(3) && store.find(4));
        store.put(0, fourFloats(0)); // back to the start: now 4 is farthest
        QVERIFY(store.find(0) && store.find(2) && store.find(3));
        QVERIFY(!store.find(4));
    }

    void keepsTheLatestEvenIfItExceedsTheBudget()
    {
        LogitsStore store(1);
        store.put(0, fourFloats(1));
        QVERIFY(store.find(0) != nullptr);
        store.put(1, fourFloats(2));
        QVERIFY(store.find(0) == nullptr && store.find(1) != nullptr);
    }

    void dropsFromAStepOn()
    {
        LogitsStore store(3 * bytesOfOne);
        for (int step = 0; step < 3; ++step)
            store.put(step, fourFloats(0));
        store.dropFrom(1);
        QVERIFY(store.find(0) && !store.find(1) && !store.find(2));
        // The room is free again.
        store.put(1, fourFloats(0));
        store.put(2, fourFloats(0));
        QVERIFY(store.find(0) && store.find(1) && store.find(2));
    }

    void countsAReplacedStepOnce()
    {
        LogitsStore store(2 * bytesOfOne);
        store.put(0, fourFloats(0));
        store.put(1, fourFloats(1));
        for (int again = 0; again < 5; ++again)
            store.put(1, fourFloats(2));
        QVERIFY(store.find(0) && store.find(1)->values[0] == 2.0F);
    }

    void shrinksWithItsBudget()
    {
        LogitsStore store(4 * bytesOfOne);
        for (int step = 0; step < 4; ++step)
            store.put(step, fourFloats(0));
        store.setBudget(2 * bytesOfOne);
        QVERIFY(!store.find(0) && !store.find(1) && store.find(2) && store.find(3));
    }
};

QTEST_APPLESS_MAIN(LogitsStoreTest)
#include "LogitsStoreTest.moc"
