#include "engine/tensor/Activations.h"

#include <QtTest/QTest>

#include <algorithm>
#include <cstdint>

using engine::Activations;

class ActivationsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void padsEachRowWithZeros()
    {
        Activations x(3, 33);
        QCOMPARE(x.tokens(), std::int64_t{3});
        QCOMPARE(x.width(), std::int64_t{33});
        QCOMPARE(x.stride(), std::int64_t{64});
        for (std::int64_t token = 0; token < 3; ++token) {
            QCOMPARE(x.row(token).size(), std::size_t{33});
            QCOMPARE(reinterpret_cast<std::uintptr_t>(x.row(token).data()) % 64, std::uintptr_t{0});
            std::fill(x.row(token).begin(), x.row(token).end(), 1.0F);
        }
        const float* behind = x.row(1).data() + 33;
        QVERIFY(std::all_of(behind, behind + 31, [](float value) { return value == 0.0F; }));
        QCOMPARE(x.row(2)[0], 1.0F);
    }
};

QTEST_APPLESS_MAIN(ActivationsTest)
#include "ActivationsTest.moc"
