#include "engine/decoding/SamplerChain.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <deque>
#include <vector>

using engine::DecodingRule;
using engine::SamplerChain;
using engine::SamplingConfig;
using engine::SamplingStage;
using engine::StageTrace;
using engine::TokenId;
using Ids = std::vector<std::int32_t>;

namespace {

SamplingConfig sampling()
{
    SamplingConfig config;
    config.rule = DecodingRule::Sample;
    return config;
}

/// Logits and their softmax, kept to the end of the program: a set looks at them.
struct Given
{
    std::vector<float> logits;
    engine::Distribution distribution;
};

const Given& given(const std::vector<float>& logits)
{
    static std::deque<Given> all;
    return all.emplace_back(Given{logits, *engine::softmax(logits)});
}

SamplerChain run(const std::vector<float>& logits, const SamplingConfig& config,
                 const std::vector<TokenId>& context = {})
{
    SamplerChain chain;
    const Given& start = given(logits);
    chain.apply(start.logits, start.distribution, context, config);
    return chain;
}

bool near(double value, double expected)
{
    return std::abs(value - expected) <= 1e-14;
}

} // namespace

class SamplerChainTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void doesNothingWhereAllIsOff()
    {
        SamplerChain chain = run({3, 2, 1, 0}, sampling());
        QVERIFY(chain.stages().empty());
        QCOMPARE(chain.kept().size(), std::size_t{4});
        QVERIFY(!chain.removedBy(TokenId{3}));
    }

    void leavesOutAStageThatIsNotInTheOrder()
    {
        SamplingConfig config = sampling();
        config.topK = 1;
        config.topP = 0.7;
        config.order = {SamplingStage::TopP};
        SamplerChain chain = run({3, 2, 1, 0}, config);
        QCOMPARE(chain.stages().size(), std::size_t{1});
        QCOMPARE(chain.kept().ids(), (Ids{0, 1}));
    }

    // Softmax of 3, 2, 1, 0 is 0.6439, 0.2369, 0.0871, 0.0321.
    void masksUnnamedIdsBeforeAnyStage()
    {
        SamplingConfig config = sampling();
        config.topK = 1;
        SamplerChain chain;
        const std::vector<float> logits = {3, 2, 1, 0};
        chain.apply(logits, given(logits).distribution, {}, config, Ids{1, 3});
        QCOMPARE(chain.kept().ids(), Ids{1});
        QCOMPARE(chain.removedBy(TokenId{0}), SamplingStage::UnnamedIds);
        QCOMPARE(chain.removedBy(TokenId{2}), SamplingStage::UnnamedIds);
        QCOMPARE(chain.removedBy(TokenId{3}), SamplingStage::TopK);
        QCOMPARE(chain.stages().size(), std::size_t{2});
        const StageTrace& mask = chain.stages()[0];
        QCOMPARE(mask.stage, SamplingStage::UnnamedIds);
        QCOMPARE(mask.before, 4);
        QCOMPARE(mask.after, 2);
        const double all = std::exp(3.0) + std::exp(2.0) + std::exp(1.0) + 1;
        QVERIFY(near(mask.removedProbability, (std::exp(3.0) + std::exp(1.0)) / all));
        // top-k saw the two that were left: exp(2) and 1.
        QVERIFY(near(chain.stages()[1].removedProbability, 1 / (std::exp(2.0) + 1)));
    }

    void aMaskedMaximumDoesNotStarveTheRest()
    {
        SamplerChain chain;
        const std::vector<float> logits = {2000, 1, 0};
        chain.apply(logits, given(logits).distribution, {}, sampling(), Ids{1, 2});
        const auto probabilities = chain.kept().probabilities();
        QVERIFY(near(probabilities[0], std::exp(1.0) / (std::exp(1.0) + 1)));
        QVERIFY(near(probabilities[1], 1 / (std::exp(1.0) + 1)));
        QCOMPARE(chain.stages()[0].removedProbability, 1.0);
    }

    void masksForGreedyTooAndNothingWhereAllAreNamed()
    {
        SamplerChain chain;
        const std::vector<float> logits = {3, 2, 1};
        chain.apply(logits, given(logits).distribution, {}, {}, Ids{1, 2});
        QCOMPARE(chain.kept().ids(), (Ids{1, 2}));
        QCOMPARE(chain.stages().size(), std::size_t{1});
        chain.apply(logits, given(logits).distribution, {}, {}, Ids{0, 1, 2});
        QVERIFY(chain.stages().empty());
    }

    // Temperature 2 makes the probabilities 0.4551, 0.2760, 0.1674, 0.1015.
    void temperatureBeforeTopPKeepsMore()
    {
        SamplingConfig config = sampling();
        config.temperature = 2;
        config.topP = 0.8;
        config.order = {SamplingStage::Temperature, SamplingStage::TopP};
        QCOMPARE(run({3, 2, 1, 0}, config).kept().ids(), (Ids{0, 1, 2}));
        config.order = {SamplingStage::TopP, SamplingStage::Temperature};
        SamplerChain chain = run({3, 2, 1, 0}, config);
        QCOMPARE(chain.kept().ids(), (Ids{0, 1}));
        // What the temperature makes of the two that top-p left: a logistic function of one half.
        QVERIFY(near(chain.kept().probabilities()[0], 1 / (1 + std::exp(-0.5))));
    }

    void repetitionPenaltyBeforeOrAfterTopKDecidesWhoStays()
    {
        SamplingConfig config = sampling();
        config.repetitionPenalty = 2;
        config.topK = 1;
        const std::vector<float> logits = {3, 2.5F, 0};
        QCOMPARE(run(logits, config, {{0}}).kept().ids(), (Ids{1}));
        config.order = {SamplingStage::TopK, SamplingStage::RepetitionPenalty};
        QCOMPARE(run(logits, config, {{0}}).kept().ids(), (Ids{0}));
    }

    void repetitionPenaltyAndTemperatureCommute()
    {
        SamplingConfig config = sampling();
        config.repetitionPenalty = 1.3;
        config.temperature = 0.7;
        SamplerChain first = run({3, 2.5F, -1}, config, {{0}, {2}});
        config.order = {SamplingStage::Temperature, SamplingStage::RepetitionPenalty};
        SamplerChain second = run({3, 2.5F, -1}, config, {{0}, {2}});
        for (std::size_t i = 0; i < 3; ++i)
            QVERIFY(near(first.kept().probabilities()[i], second.kept().probabilities()[i]));
        QVERIFY(near(first.kept().probabilities()[1],
                     std::exp(2.5 / 0.7) /
                         (std::exp(3 / 1.3 / 0.7) + std::exp(2.5 / 0.7) + std::exp(-1.3 / 0.7))));
    }

    void recordsWhatEachStageDidAndSaw()
    {
        SamplingConfig config = sampling();
        config.repetitionPenalty = 2;
        config.topK = 4;
        config.topP = 0.9;
        config.minP = 0.3;
        // After the penalty: 3, 2, 1, 0, -2; top-k drops id 4; top-p sees 0.6439, 0.2369, 0.0871,
        // 0.0321 and drops id 3; min-p sees 1, 0.3679, 0.1353 of the largest and drops id 2.
        SamplerChain chain = run({6, 2, 1, 0, -1}, config, {{0}, {4}});
        const std::vector<StageTrace>& stages = chain.stages();
        QCOMPARE(stages.size(), std::size_t{4});
        QVERIFY(stages[0].stage == SamplingStage::RepetitionPenalty);
        QVERIFY(stages[0].changed == 2 && stages[0].before == 5 && stages[0].after == 5);
        QVERIFY(stages[0].value == 2 && stages[0].removedProbability == 0);
        QVERIFY(stages[1].stage == SamplingStage::TopK);
        QVERIFY(stages[1].value == 4 && stages[1].before == 5 && stages[1].after == 4);
        const double five = std::exp(3) + std::exp(2) + std::exp(1) + 1 + std::exp(-2);
        QVERIFY(near(stages[1].removedProbability, std::exp(-2) / five));
        QVERIFY(stages[2].stage == SamplingStage::TopP);
        QVERIFY(stages[2].before == 4 && stages[2].after == 3);
        QVERIFY(near(stages[2].removedProbability, 0.032058603280084988));
        QVERIFY(stages[3].stage == SamplingStage::MinP);
        QVERIFY(stages[3].before == 3 && stages[3].after == 2);
        QVERIFY(near(stages[3].removedProbability, 0.090030573170380457));
        QVERIFY(!chain.removedBy(TokenId{0}) && !chain.removedBy(TokenId{1}));
        QVERIFY(chain.removedBy(TokenId{2}) == SamplingStage::MinP);
        QVERIFY(chain.removedBy(TokenId{3}) == SamplingStage::TopP);
        QVERIFY(chain.removedBy(TokenId{4}) == SamplingStage::TopK);
        QVERIFY(near(chain.kept().probabilities()[0], 0.731058578630004879));
    }

    void aStageThatRemovesNothingIsListedAllTheSame()
    {
        SamplingConfig config = sampling();
        config.topK = 100;
        SamplerChain chain = run({3, 2}, config);
        QCOMPARE(chain.stages().size(), std::size_t{1});
        QVERIFY(chain.stages()[0].after == 2 && chain.stages()[0].removedProbability == 0);
    }

    void greedyRunsOnlyTheRepetitionPenalty()
    {
        SamplingConfig config;
        config.topK = 1;
        config.topP = 0.1;
        config.repetitionPenalty = 2;
        SamplerChain chain = run({3, 2, 1}, config, {{0}});
        QCOMPARE(chain.stages().size(), std::size_t{1});
        QVERIFY(chain.stages()[0].stage == SamplingStage::RepetitionPenalty);
        QCOMPARE(chain.kept().size(), std::size_t{3});
        config.rule = DecodingRule::Sample;
        config.temperature = 0;
        QVERIFY(engine::isGreedy(config));
        QCOMPARE(run({3, 2, 1}, config, {{0}}).stages().size(), std::size_t{1});
    }

    // Laws that hold in every order of the stages.
    void leavesADistributionInEveryOrder()
    {
        SamplingConfig config = sampling();
        config.repetitionPenalty = 1.4;
        config.temperature = 0.8;
        config.topK = 5;
        config.topP = 0.85;
        config.minP = 0.05;
        std::sort(config.order.begin(), config.order.end());
        const std::vector<float> logits = {2.5F, 2.25F, 2, 1.5F, 1.5F, 0.5F, -1, -1, 0};
        int orders = 0;
        do {
            SamplerChain chain = run(logits, config, {{1}, {6}, {1}});
            double total = 0;
            for (const double p : chain.kept().probabilities())
                total += p;
            QVERIFY(near(total, 1.0));
            QVERIFY(chain.kept().size() >= 1 && chain.kept().size() <= 5);
            std::int64_t left = static_cast<std::int64_t>(logits.size());
            for (const StageTrace& stage : chain.stages()) {
                QCOMPARE(stage.before, left);
                left = stage.after;
            }
            QCOMPARE(left, static_cast<std::int64_t>(chain.kept().size()));
            for (std::int32_t id = 0; id < static_cast<std::int32_t>(logits.size()); ++id)
                QVERIFY(chain.removedBy(TokenId{id}).has_value() !=
                        chain.kept().positionOf(TokenId{id}).has_value());
            ++orders;
        } while (std::next_permutation(config.order.begin(), config.order.end()));
        QCOMPARE(orders, 120);
    }
};

QTEST_APPLESS_MAIN(SamplerChainTest)
#include "SamplerChainTest.moc"
