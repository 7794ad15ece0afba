#include "engine/generation/RunsVerdict.h"

#include "engine/generation/RunCheck.h"
#include "engine/generation/SettingDifferences.h"
#include "tests/engine/generation/SessionTesting.h"

#include <QTest>

using engine::RunsVerdict;
using testing::need;

namespace {

engine::Run made(const std::string& prompt, const engine::RunConfig& config)
{
    engine::RunConfig limited = config;
    limited.maxNewTokens = 6;
    return need(engine::runToStop({testing::bundledModel(), prompt, limited, 1}, {}));
}

} // namespace

class RunsVerdictTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesTheInputAndTheStageThatDiffer()
    {
        const RunsVerdict verdict =
            engine::verdictOn(made("Once upon a time", testing::sampled(3)),
                              made("Once upon a time", testing::sampled(4)));
        QCOMPARE(verdict.inputs.size(), std::size_t(4));
        QVERIFY(verdict.inputs[0].same && verdict.inputs[2].same && verdict.inputs[3].same);
        QVERIFY(!verdict.inputs[1].same);
        QVERIFY(verdict.inputs[1].digestA != verdict.inputs[1].digestB);
        QCOMPARE(verdict.inputs[0].digestA, verdict.inputs[0].digestB);
        QCOMPARE(verdict.inputs[0].digestA.size(), std::size_t(64));
        QCOMPARE(verdict.settings.size(), std::size_t(1));
        QCOMPARE(verdict.settings[0].name, std::string("seed"));
        QVERIFY(!verdict.same);
        QVERIFY(verdict.partAt);
        QCOMPARE(verdict.stage, std::string("draw"));
        QVERIFY(!verdict.sentence.empty());
    }

    void anotherContextPartsAtTheIds()
    {
        const RunsVerdict verdict =
            engine::verdictOn(made("Once upon a time", {}), made("Once upon a day", {}));
        QVERIFY(!verdict.inputs[0].same);
        QCOMPARE(verdict.stage, std::string("ids"));
    }

    void equalRunsAreEqual()
    {
        const engine::Run run = made("Once upon a time", testing::sampled(3));
        const RunsVerdict verdict = engine::verdictOn(run, run);
        QVERIFY(verdict.same);
        QVERIFY(!verdict.partAt);
        for (const engine::InputComparison& input : verdict.inputs)
            QVERIFY(input.same);
    }

    void everySettingIsComparedAndCopied()
    {
        const engine::RunConfig plain;
        engine::RunConfig other;
        other.sampling.rule = engine::DecodingRule::Sample;
        other.sampling.temperature = 0.5;
        other.sampling.topK = 5;
        other.sampling.topP = 0.5;
        other.sampling.minP = 0.5;
        other.sampling.repetitionPenalty = 1.5;
        std::reverse(other.sampling.order.begin(), other.sampling.order.end());
        other.sampling.seed = plain.sampling.seed + 1;
        other.maxNewTokens = plain.maxNewTokens + 1;
        other.stopTexts = {"x"};
        other.ignoreStopTokens = !plain.ignoreStopTokens;
        other.addSpecialTokens = false;
        other.parseSpecial = !plain.parseSpecial;
        other.chat = !plain.chat;
        QCOMPARE(engine::settingDifferences(plain, other).size(), engine::allSettings().size());
        QVERIFY(engine::settingsDigest(plain) != engine::settingsDigest(other));
        engine::RunConfig copied;
        for (const engine::Setting& setting : engine::allSettings())
            setting.copy(other, copied);
        QVERIFY(engine::settingDifferences(copied, other).empty());
        QCOMPARE(engine::settingsDigest(copied), engine::settingsDigest(other));
        const auto seed = engine::settingDifferences(plain, other, engine::SettingKind::Seed);
        QCOMPARE(seed.size(), std::size_t(1));
        QCOMPARE(seed[0].name, std::string("seed"));
    }
};

QTEST_APPLESS_MAIN(RunsVerdictTest)
#include "RunsVerdictTest.moc"
