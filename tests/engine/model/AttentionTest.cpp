#include "engine/model/Attention.h"

#include "tests/support/ModelWriters.h"

#include <QtTest/QTest>

#include <algorithm>
#include <cmath>

using namespace engine;

namespace {

ModelConfig sizes(int heads, int kvHeads, int headDim)
{
    ModelConfig config;
    config.plan = {LayerPlan()};
    config.attentionScale = 1 / std::sqrt(static_cast<double>(headDim));
    config.heads = heads;
    config.kvHeads = kvHeads;
    config.headDim = headDim;
    return config;
}

void fill(std::span<float> row, std::uint32_t seed)
{
    const std::vector<float> values = tests::randomFloats(row.size(), seed, 2.0F);
    std::copy(values.begin(), values.end(), row.begin());
}

/// One head of one token by the formula, in double precision.
std::vector<double> exact(const ModelConfig& config, KvCache& cache, std::span<const float> q,
                          int head, int length)
{
    const std::size_t size = static_cast<std::size_t>(config.headDim);
    const std::size_t stride = config.qkvOrder == QkvOrder::PerHead ? 3 * size : size;
    const std::size_t group = static_cast<std::size_t>(head / (config.heads / config.kvHeads));
    const int window = config.plan.front().window;
    const int first = window > 0 ? std::max(0, length - window) : 0;
    std::vector<double> weights;
    double sum = 0;
    for (int j = first; j < length; ++j) {
        double score = 0;
        for (std::size_t i = 0; i < size; ++i)
            score += static_cast<double>(q[static_cast<std::size_t>(head) * stride + i]) *
                     static_cast<double>(cache.key(0, j)[group * size + i]);
        score *= config.attentionScale;
        if (config.attentionSoftCap > 0)
            score = config.attentionSoftCap * std::tanh(score / config.attentionSoftCap);
        weights.push_back(std::exp(score));
        sum += weights.back();
    }
    std::vector<double> out(size, 0.0);
    for (int j = first; j < length; ++j)
        for (std::size_t i = 0; i < size; ++i)
            out[i] += weights[static_cast<std::size_t>(j - first)] / sum *
                      static_cast<double>(cache.value(0, j)[group * size + i]);
    return out;
}

void verify(const ModelConfig& config, int position)
{
    constexpr int count = 5;
    KvCache cache(1, config.kvWidth());
    cache.reserve(position + count);
    for (int j = 0; j < position + count; ++j) {
        fill(cache.key(0, j), static_cast<std::uint32_t>(2 * j));
        fill(cache.value(0, j), static_cast<std::uint32_t>(2 * j + 1));
    }
    const int qWidth = config.queryWidth() * (config.qkvOrder == QkvOrder::PerHead ? 3 : 1);
    Activations q(count, qWidth);
    for (int t = 0; t < count; ++t)
        fill(q.row(t), static_cast<std::uint32_t>(5000 + t));
    Activations out(count, config.queryWidth());
    ThreadPool pool(2);
    attend(config, cache, 0, {position, count}, q, out, pool);
    for (int t = 0; t < count; ++t)
        for (int head = 0; head < config.heads; ++head) {
            const std::vector<double> expected =
                exact(config, cache, q.row(t), head, position + t + 1);
            for (int i = 0; i < config.headDim; ++i) {
                const double found = static_cast<double>(
                    out.row(t)[static_cast<std::size_t>(head * config.headDim + i)]);
                QVERIFY(std::abs(found - expected[static_cast<std::size_t>(i)]) < 2e-6);
            }
        }
}

} // namespace

class AttentionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isThatOfTheFormula_data()
    {
        QTest::addColumn<int>("heads");
        QTest::addColumn<int>("kvHeads");
        QTest::addColumn<int>("headDim");
        QTest::addColumn<int>("position");
        QTest::newRow("one head, first token") << 1 << 1 << 4 << 0;
        QTest::newRow("every head has its keys") << 3 << 3 << 12 << 5;
        QTest::newRow("heads share keys") << 6 << 2 << 8 << 5;
        QTest::newRow("all heads share") << 4 << 1 << 64 << 30;
        QTest::newRow("across chunks of the cache") << 4 << 2 << 16 << 254;
    }

    void isThatOfTheFormula()
    {
        QFETCH(const int, heads);
        QFETCH(const int, kvHeads);
        QFETCH(const int, headDim);
        QFETCH(const int, position);
        verify(sizes(heads, kvHeads, headDim), position);
    }

    void seesOnlyItsWindow_data()
    {
        QTest::addColumn<int>("window");
        QTest::addColumn<int>("position");
        QTest::newRow("itself alone") << 1 << 7;
        QTest::newRow("longer than the context") << 100 << 7;
        QTest::newRow("that begins within a chunk") << 6 << 250;
        QTest::newRow("over three chunks") << 300 << 540;
        QTest::newRow("that begins with a chunk") << 4 << 258;
    }

    void seesOnlyItsWindow()
    {
        QFETCH(const int, window);
        QFETCH(const int, position);
        ModelConfig config = sizes(4, 2, 12);
        config.plan.front().window = window;
        verify(config, position);
    }

    void scalesAndCapsScores()
    {
        ModelConfig config = sizes(4, 2, 12);
        config.attentionScale = 0.9;
        config.attentionSoftCap = 3;
        verify(config, 20);
    }

    void findsTheQueriesBetweenKeysAndValues()
    {
        ModelConfig config = sizes(3, 3, 20);
        config.qkvOrder = QkvOrder::PerHead;
        verify(config, 20);
    }
};

QTEST_APPLESS_MAIN(AttentionTest)
#include "AttentionTest.moc"
