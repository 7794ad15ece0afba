#include "engine/decoding/Philox.h"

#include <QTest>

using engine::philox4x32;
using engine::uniform;

namespace {

using Counter = std::array<std::uint32_t, 4>;
using Key = std::array<std::uint32_t, 2>;

} // namespace

class PhiloxTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // The known answers published with Random123 (kat_vectors, philox4x32 of 10 rounds).
    void givesThePublishedAnswers()
    {
        QVERIFY((philox4x32({0, 0, 0, 0}, {0, 0}) ==
                 Counter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
        constexpr std::uint32_t ones = 0xffffffff;
        QVERIFY((philox4x32({ones, ones, ones, ones}, {ones, ones}) ==
                 Counter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
        // Digits of pi.
        QVERIFY((philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                            {0xa4093822, 0x299f31d0}) ==
                 Counter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
    }

    // The first two are the contract's; all were computed by a second implementation, in Python.
    void givesFurtherNumbersForTheSameStep()
    {
        // From a second implementation, in Python, of the paper's description.
        QCOMPARE(uniform(42, 3, 1), 0.4705470906429242);
        QCOMPARE(uniform(42, 3, 2), 0.5054166062258917);
        QCOMPARE(uniform(42, 3, 0), uniform(42, 3));
    }
    void givesTheUniformOfASeedAndAStep_data()
    {
        QTest::addColumn<quint64>("seed");
        QTest::addColumn<int>("step");
        QTest::addColumn<double>("u");
        QTest::newRow("seed 0, step 0") << quint64{0} << 0 << 0.8805201978886142;
        QTest::newRow("seed 42, step 3") << quint64{42} << 3 << 0.6706398529302326;
        QTest::newRow("seed 1, step 0") << quint64{1} << 0 << 0.8946847163350924;
        QTest::newRow("seed 1, step 1") << quint64{1} << 1 << 0.8741119351871307;
        QTest::newRow("the high half of the seed counts")
            << (quint64{1} << 32) << 0 << 0.978490395236684;
        QTest::newRow("the largest seed") << ~quint64{0} << 0 << 0.08311886932882984;
    }
    void givesTheUniformOfASeedAndAStep()
    {
        QFETCH(quint64, seed);
        QFETCH(int, step);
        QFETCH(double, u);
        QVERIFY(uniform(seed, step) == u);
    }

    void isSpreadEvenlyOverTheUnitInterval()
    {
        constexpr int draws = 20000;
        constexpr int bins = 10;
        std::array<int, bins> counts{};
        for (int step = 0; step < draws; ++step) {
            const double u = uniform(7, step);
            QVERIFY(u >= 0.0 && u < 1.0);
            ++counts[static_cast<std::size_t>(u * bins)];
        }
        // Six standard deviations of a binomial count, sqrt(20000 * 0.1 * 0.9) = 42.4.
        for (const int count : counts)
            QVERIFY(std::abs(count - draws / bins) < 255);
    }
};

QTEST_APPLESS_MAIN(PhiloxTest)
#include "PhiloxTest.moc"
