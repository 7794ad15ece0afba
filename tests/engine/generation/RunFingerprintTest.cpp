#include "engine/generation/RunFingerprint.h"

#include "engine/generation/FingerprintWords.h"
#include "engine/generation/TraceFile.h"
#include "tests/engine/generation/SessionTesting.h"

#include <QTemporaryDir>
#include <QTest>

#include <set>

using engine::fingerprintOf;
using engine::Run;
using engine::RunFingerprint;
using testing::need;

namespace {

const std::string prompt = "Once upon a time";

Run made(const engine::RunConfig& config, int threads = 1)
{
    engine::GenerationSession session = testing::start(prompt, config, threads);
    testing::advance(session, 8);
    return session.run();
}

int editDistanceAtMostOne(std::string_view a, std::string_view b)
{
    if (a.size() != b.size())
        return 2;
    int different = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        different += a[i] != b[i] ? 1 : 0;
    return different;
}

} // namespace

class RunFingerprintTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theSameInputsGiveTheSameOne()
    {
        const RunFingerprint first = fingerprintOf(made(testing::sampled(3)));
        QVERIFY(first == fingerprintOf(made(testing::sampled(3), 2)));
        QCOMPARE(first.steps.size(), std::size_t(8));
        QCOMPARE(first.values.digits().size(), std::size_t(8));
        QVERIFY(!engine::firstDifference(first, first));
    }

    void timingsListsAndWatchedTokensAreNoPartOfIt()
    {
        const Run run = made(testing::sampled(3));
        const RunFingerprint fingerprint = fingerprintOf(run);
        engine::RunConfig config = testing::sampled(3);
        config.topCandidates = 3;
        QVERIFY(fingerprintOf(made(config)) == fingerprint);
        Run slower = run;
        for (engine::Step& step : slower.steps)
            step.timings.forward += std::chrono::seconds(1);
        slower.steps[2].watched = {slower.steps[2].candidates[1]};
        QVERIFY(fingerprintOf(slower) == fingerprint);
        slower.stop = engine::StopReason::MaxNewTokens;
        QVERIFY(fingerprintOf(slower) == fingerprint);
    }

    void aTraceKeepsIt()
    {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath(QStringLiteral("a.json")).toStdString();
        const Run run = made(testing::sampled(3));
        QVERIFY(engine::writeTrace(run, file));
        QVERIFY(fingerprintOf(need(engine::readTrace(file))) == fingerprintOf(run));
    }

    void everyValueCounts()
    {
        const Run run = made(testing::sampled(3));
        const RunFingerprint fingerprint = fingerprintOf(run);
        const auto differsAt = [&](auto change) {
            Run changed = run;
            change(changed.steps[4]);
            const RunFingerprint other = fingerprintOf(changed);
            return other.values == fingerprint.values ? std::nullopt
                                                      : engine::firstDifference(other, fingerprint);
        };
        const auto next = [](double& value) { value = std::nextafter(value, 2.0); };
        QCOMPARE(differsAt([](engine::Step& step) { step.logitsSha256[0] ^= 1; }), 4);
        QCOMPARE(differsAt([&](engine::Step& step) { next(step.draw->u); }), 4);
        QCOMPARE(differsAt([&](engine::Step& step) { next(step.draw->high); }), 4);
        QCOMPARE(differsAt([](engine::Step& step) { ++step.keptCount; }), 4);
        QCOMPARE(differsAt([](engine::Step& step) { ++step.picked.value; }), 4);
        // The tokens alone are the same where only values differ.
        Run changed = run;
        changed.steps[4].logitsSha256[0] ^= 1;
        QVERIFY(fingerprintOf(changed).tokens == fingerprint.tokens);
        changed.context.tokens[0].piece.id.value += 1;
        QVERIFY(!(fingerprintOf(changed).tokens == fingerprint.tokens));
    }

    void aLongerRunPartsWhereTheOtherEnds()
    {
        const Run run = made(testing::sampled(3));
        Run shorter = run;
        shorter.steps.resize(5);
        QCOMPARE(engine::firstDifference(fingerprintOf(run), fingerprintOf(shorter)), 5);
    }

    void wordsSayAsMuchAsTheDigits()
    {
        const auto words = engine::fingerprintWords();
        QCOMPARE(words.size(), std::size_t(256));
        QCOMPARE(std::set<std::string_view>(words.begin(), words.end()).size(), std::size_t(256));
        for (std::size_t i = 0; i < words.size(); ++i)
            for (std::size_t k = i + 1; k < words.size(); ++k)
                QVERIFY2(editDistanceAtMostOne(words[i], words[k]) > 1,
                         std::string(words[i]).c_str());
        const std::string sha = "00ff8001" + std::string(56, 'a');
        const std::string expected = std::string(words[0]) + " " + std::string(words[255]) + " " +
                                     std::string(words[128]) + " " + std::string(words[1]);
        QCOMPARE(engine::spokenWords(sha), expected);
    }
};

QTEST_APPLESS_MAIN(RunFingerprintTest)
#include "RunFingerprintTest.moc"
