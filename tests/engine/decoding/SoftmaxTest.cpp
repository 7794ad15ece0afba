#include "engine/decoding/Softmax.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

using engine::Distribution;
using engine::ErrorCode;
using engine::softmax;
using engine::TokenId;

namespace {

bool near(double value, double expected, double tolerance = 1e-14)
{
    return std::abs(value - expected) <= tolerance;
}

Distribution of(const std::vector<float>& logits)
{
    auto result = softmax(logits);
    return result ? *result : Distribution{};
}

} // namespace

class SoftmaxTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // exp(2), exp(1), exp(0) over their sum 11.1073; by 40-digit decimal arithmetic.
    void worksThreeLogitsByHand()
    {
        const Distribution d = of({2.0F, 1.0F, 0.0F});
        QVERIFY(near(d.probability(TokenId{0}), 0.665240955774821889));
        QVERIFY(near(d.probability(TokenId{1}), 0.244728471054797652));
        QVERIFY(near(d.probability(TokenId{2}), 0.090030573170380457));
        QVERIFY(near(d.logSumExp, 2.407605964444380304));
        QVERIFY(near(d.entropyBits, 1.200892977978363098));
        QVERIFY(d.minLogit == 0.0F && d.maxLogit == 2.0F);
    }

    void worksUnevenLogitsByHand()
    {
        const Distribution d = of({1.5F, -0.5F, -3.0F, 0.25F});
        QVERIFY(near(d.probability(TokenId{0}), 0.697861505552083186));
        QVERIFY(near(d.probability(TokenId{1}), 0.094445284513820138));
        QVERIFY(near(d.probability(TokenId{2}), 0.007752541049350656));
        QVERIFY(near(d.probability(TokenId{3}), 0.199940668884746019));
        QVERIFY(near(d.logSumExp, 1.859734612021340026));
        QVERIFY(near(d.entropyBits, 1.202396078714068687));
    }

    void givesEqualLogitsEqualShares()
    {
        const Distribution d = of(std::vector<float>(1024, -3.5F));
        QVERIFY(d.probability(TokenId{0}) == 1.0 / 1024);
        QVERIFY(d.probability(TokenId{1023}) == 1.0 / 1024);
        QVERIFY(near(d.entropyBits, 10.0));
        QVERIFY(near(d.logSumExp, -3.5 + std::log(1024.0)));
    }

    void givesASingleLogitEverything()
    {
        const Distribution d = of({-7.25F});
        QVERIFY(d.probability(TokenId{0}) == 1.0);
        QVERIFY(d.entropyBits == 0.0);
        QVERIFY(d.logSumExp == -7.25);
    }

    void isNotUpsetByLargeLogits()
    {
        const float largest = std::numeric_limits<float>::max();
        const Distribution d = of({largest, -largest, largest});
        QVERIFY(d.probability(TokenId{0}) == 0.5);
        QVERIFY(d.probability(TokenId{1}) == 0.0);
        QVERIFY(near(d.entropyBits, 1.0));
        QVERIFY(std::isfinite(d.logSumExp));
    }

    void isUnchangedWhenAllLogitsAreShifted()
    {
        const Distribution a = of({2.0F, 1.0F, 0.0F, 0.5F});
        const Distribution b = of({66.0F, 65.0F, 64.0F, 64.5F});
        QVERIFY(a.weights == b.weights);
        QVERIFY(a.entropyBits == b.entropyBits);
        QVERIFY(near(b.logSumExp - a.logSumExp, 64.0, 1e-13));
    }

    void sumsToOneOverALargeVocabulary()
    {
        std::vector<float> logits(262144);
        for (std::size_t i = 0; i < logits.size(); ++i)
            logits[i] = static_cast<float>(std::sin(static_cast<double>(i)) * 9.0);
        const Distribution d = of(logits);
        double sum = 0;
        double entropy = 0;
        for (std::size_t i = 0; i < logits.size(); ++i) {
            const double p = d.probability(TokenId{static_cast<std::int32_t>(i)});
            sum += p;
            entropy -= p > 0 ? p * std::log2(p) : 0;
        }
        QVERIFY(near(sum, 1.0, 1e-11));
        QVERIFY(near(d.entropyBits, entropy, 1e-9));
    }

    void reusesAHandedBackBuffer()
    {
        auto first = softmax(std::vector<float>{1.0F, 2.0F, 3.0F});
        QVERIFY(bool(first));
        const double* place = first->weights.data();
        auto second = softmax(std::vector<float>{2.0F, 1.0F}, std::move(first->weights));
        QVERIFY(bool(second));
        QCOMPARE(second->weights.data(), place);
        QCOMPARE(second->weights.size(), std::size_t{2});
        QVERIFY(second->weights[0] == 1.0);
    }

    void refusesWhatIsNoNumber_data()
    {
        QTest::addColumn<float>("bad");
        QTest::addColumn<QString>("word");
        QTest::newRow("NaN") << std::numeric_limits<float>::quiet_NaN() << QStringLiteral("NaN");
        QTest::newRow("infinity") << std::numeric_limits<float>::infinity()
                                  << QStringLiteral("found infinity");
        QTest::newRow("-infinity")
            << -std::numeric_limits<float>::infinity() << QStringLiteral("-infinity");
    }
    void refusesWhatIsNoNumber()
    {
        QFETCH(float, bad);
        QFETCH(QString, word);
        for (const std::size_t place : {std::size_t{0}, std::size_t{7}, std::size_t{20}}) {
            std::vector<float> logits(21, 1.0F);
            logits[place] = bad;
            const auto result = softmax(logits);
            QVERIFY(!result);
            QCOMPARE(result.error().code, ErrorCode::NotFinite);
            const QString message = QString::fromStdString(result.error().message);
            QVERIFY2(message.contains(word), qPrintable(message));
            QVERIFY(message.contains(QStringLiteral("token %1:").arg(place)));
        }
    }

    void refusesNoLogits()
    {
        const auto result = softmax({});
        QVERIFY(!result);
        QCOMPARE(result.error().code, ErrorCode::InvalidArgument);
    }
};

QTEST_APPLESS_MAIN(SoftmaxTest)
#include "SoftmaxTest.moc"
