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
    const std::size_t group = static_cast<std::size_t>(head / (config.heads / config.kvHeads));
    std::vector<double> weights;
    double sum = 0;
    for (int j = 0; j < length; ++j) {
        double score = 0;
        for (std::size_t i = 0; i < size; ++i)
            score += static_cast<double>(q[static_cast<std::size_t>(head) * size + i]) *
                     static_cast<double>(cache.key(0, j)[group * size + i]);
        weights.push_back(std::exp(score / std::sqrt(static_cast<double>(size))));
        sum += weights.back();
    }
    std::vector<double> out(size, 0.0);
    for (int j = 0; j < length; ++j)
        for (std::size_t i = 0; i < size; ++i)
            out[i] += weights[static_cast<std::size_t>(j)] / sum *
                      static_cast<double>(cache.value(0, j)[group * size + i]);
    return out;
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
        constexpr int count = 5;
        const ModelConfig config = sizes(heads, kvHeads, headDim);
        KvCache cache(1, config.kvWidth());
        cache.reserve(position + count);
        for (int j = 0; j < position + count; ++j) {
            fill(cache.key(0, j), static_cast<std::uint32_t>(2 * j));
            fill(cache.value(0, j), static_cast<std::uint32_t>(2 * j + 1));
        }
        Activations q(count, config.queryWidth());
        for (int t = 0; t < count; ++t)
            fill(q.row(t), static_cast<std::uint32_t>(5000 + t));
        Activations out(count, config.queryWidth());
        ThreadPool pool(2);
        attend(config, cache, 0, {position, count}, q, out, pool);
        for (int t = 0; t < count; ++t)
            for (int head = 0; head < heads; ++head) {
                const std::vector<double> expected =
                    exact(config, cache, q.row(t), head, position + t + 1);
                for (int i = 0; i < headDim; ++i) {
                    const double found = static_cast<double>(
                        out.row(t)[static_cast<std::size_t>(head * headDim + i)]);
                    QVERIFY(std::abs(found - expected[static_cast<std::size_t>(i)]) < 2e-6);
                }
            }
    }
};

QTEST_APPLESS_MAIN(AttentionTest)
#include "AttentionTest.moc"
