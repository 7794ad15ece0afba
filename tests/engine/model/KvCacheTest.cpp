#include "engine/model/KvCache.h"

#include <QtTest/QTest>

#include <algorithm>

using engine::KvCache;
using engine::VectorRows;

class KvCacheTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void costsNothingUntilUsed()
    {
        KvCache cache(32, 1024);
        QCOMPARE(cache.bytes(), std::size_t{0});
        cache.reserve(1);
        QCOMPARE(cache.bytes(), std::size_t{32} * 2 * 256 * 1024 * sizeof(float));
    }

    void keepsWhatIsThereWhenItGrows()
    {
        KvCache cache(2, 3);
        cache.reserve(256);
        const float* before = cache.key(1, 255).data();
        cache.key(1, 255)[2] = 7;
        cache.value(1, 255)[0] = 8;
        cache.reserve(1000);
        QCOMPARE(cache.key(1, 255).data(), before);
        QCOMPARE(cache.key(1, 255)[2], 7.0F);
        QCOMPARE(cache.value(1, 255)[0], 8.0F);
    }

    void everyPositionHasRowsOfItsOwn()
    {
        KvCache cache(2, 3);
        cache.reserve(600);
        for (int layer = 0; layer < 2; ++layer)
            for (int position = 0; position < 600; ++position) {
                const float mark = static_cast<float>(layer * 1000 + position);
                std::ranges::fill(cache.key(layer, position), mark);
                std::ranges::fill(cache.value(layer, position), -mark);
            }
        for (int layer = 0; layer < 2; ++layer)
            for (int begin = 0; begin < 600; begin += 256) {
                const int count = std::min(256, 600 - begin);
                const VectorRows keys = cache.keys(layer, begin, count, 2);
                const VectorRows values = cache.values(layer, begin, count, 0);
                QCOMPARE(keys.count, std::int64_t{count});
                for (int j = 0; j < count; ++j) {
                    const float mark = static_cast<float>(layer * 1000 + begin + j);
                    QCOMPARE(keys.first[j * keys.stride], mark);
                    QCOMPARE(values.first[j * values.stride], -mark);
                }
            }
    }
};

QTEST_APPLESS_MAIN(KvCacheTest)
#include "KvCacheTest.moc"
