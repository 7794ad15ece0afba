#include "engine/generation/TraceDiffSentence.h"

#include "tests/engine/generation/TraceTesting.h"

#include <QTest>

#include <functional>

using namespace engine;
using namespace testing;

using Change = std::function<void(Run&)>;
Q_DECLARE_METATYPE(Change)

namespace {

void row(const char* title, const Change& change, const char* sentence)
{
    QTest::newRow(title) << change << QString::fromUtf8(sentence);
}

void setSampling(Run& run, const std::function<void(SamplingConfig&)>& change)
{
    change(run.settings.sampling);
    for (Step& step : run.steps)
        change(step.sampling);
}

/// Step `index` picks " sofa" instead, all else as before.
void pickSofa(Run& run, std::size_t index)
{
    const Step old = run.steps[index];
    run.steps[index] = plainStep(static_cast<int>(index), 11);
    run.steps[index].sampling = old.sampling;
    run.steps[index].stages = old.stages;
    run.steps[index].logitsSha256 = old.logitsSha256;
}

} // namespace

class TraceDiffSentenceTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesTheStepTheStageAndTheCause_data()
    {
        QTest::addColumn<Change>("change");
        QTest::addColumn<QString>("sentence");
        row(
            "the same", [](Run&) {},
            "The runs are the same: 3 steps, and every value but the timings is equal.");
        row(
            "settings not given",
            [](Run& run) {
                run.unstatedSettings = {"top_k", "seed"};
            },
            "The runs are the same: 3 steps, and every value but the timings is equal. The second "
            "trace does not give top_k and seed, taken to be at the defaults.");
        row(
            "ids",
            [](Run& run) {
                run.context.text = "The hat";
                run.context.tokens[1].piece = piece(4, " h");
            },
            "The runs part at step 0: they start from different contexts: at position 1 the first "
            "has ' c' (id 2) and the second ' h' (id 4).");
        row(
            "a longer context",
            [](Run& run) {
                run.context.tokens.push_back({piece(4, "\n"), TokenOrigin::Prompt});
            },
            "The runs part at step 0: they start from different contexts: the first 3 tokens are "
            "the same, but the first run reads 3 and the second 4.");
        row(
            "ids by another tokenizer",
            [](Run& run) {
                run.context.tokens[1].piece = piece(4, " ca");
                run.tokenizer.vocabularySize = 30;
                run.tokenizer.sha256 = digest('7');
            },
            "The runs part at step 0: they start from different contexts: at position 1 the first "
            "has ' c' (id 2) and the second ' ca' (id 4), although the text is the same, because "
            "the tokenizers differ (byte-level BPE of 20 and byte-level BPE of 30).");
        row(
            "ids by a setting",
            [](Run& run) {
                run.context.tokens.insert(run.context.tokens.begin(),
                                          {piece(0, "<s>", TokenKind::Control), TokenOrigin::Bos});
                run.settings.addSpecialTokens = true;
            },
            "The runs part at step 0: they start from different contexts: at position 0 the first "
            "has 'The' (id 1) and the second '<s>' (id 0), although the text is the same, because "
            "the settings differ (add-special-tokens as the model says and on).");
        row(
            "logits",
            [](Run& run) {
                run.model.quantization = "Q8_0";
                run.model.sha256 = digest('9');
                for (Step& step : run.steps)
                    step.logitsSha256 = digest('b');
                pickSofa(run, 2);
                run.steps[2].candidates[0].logit = 11.25F;
            },
            "The runs part at step 2: both have read the same ids, but the scores differ, as they "
            "have since step 0 (' mat' has 11.79 and 11.25), because the models differ (tiny F16 "
            "and tiny Q8_0), so the first picks ' mat' and the second ' sofa'.");
        row(
            "logits of the same model",
            [](Run& run) {
                run.program = "tokenscope 1.3.0";
                pickSofa(run, 0);
                run.steps[0].logitsSha256 = digest('b');
            },
            "The runs part at step 0: both have read the same ids, but the scores differ, although "
            "model and context are the same: another machine or another version of the program may "
            "compute them otherwise (tokenscope 1.2.3 and tokenscope 1.3.0), so the first picks ' "
            "mat' and the second ' sofa'.");
        row(
            "chain",
            [](Run& run) {
                setSampling(run, [](SamplingConfig& s) { s.temperature = 1.5; });
                pickSofa(run, 1);
                run.steps[1].candidates[0].finalProbability = 0.56;
            },
            "The runs part at step 1: the scores are the same, but the decoding settings differ "
            "(temperature 1 and 1.5): ' mat' has 0.6 and 0.56, so the first picks ' mat' and the "
            "second ' sofa'.");
        row(
            "greedy and sample",
            [](Run& run) {
                setSampling(run, [](SamplingConfig& s) { s.rule = DecodingRule::Greedy; });
                pickSofa(run, 1);
                run.steps[1].rule = DecodingRule::Greedy;
                run.steps[1].draw.reset();
            },
            "The runs part at step 1: the scores are the same, but the decoding settings differ "
            "(decoding sample and greedy): the first draws (u = 0.25) and the second takes the "
            "largest score, so the first picks ' mat' and the second ' sofa'.");
        row(
            "draw",
            [](Run& run) {
                setSampling(run, [](SamplingConfig& s) { s.seed = 2; });
                pickSofa(run, 2);
            },
            "The runs part at step 2: the scores are the same and so are the probabilities, but "
            "the draws differ (u = 0.25 with seed 1, u = 0.75 with seed 2), so the first picks ' "
            "mat' and the second ' sofa'.");
        row(
            "forced",
            [](Run& run) {
                pickSofa(run, 1);
                run.steps[1].draw = plainStep(1).draw;
                run.steps[1].forced = true;
                run.steps[1].ruleChoice = {10};
            },
            "The runs part at step 1: the scores and the probabilities are the same, but in the "
            "second run ' sofa' was put in by hand, so the first picks ' mat' and the second ' "
            "sofa'.");
        row(
            "text",
            [](Run& run) {
                run.tokenizer.sha256 = digest('8');
                run.steps[1].candidates[0].piece.bytes = "\xE2\x82";
            },
            "The runs part at step 1: both pick token 10, but it stands for ' mat' in the first "
            "run and for ⟨E2 82⟩ in the second, because the tokenizers differ (11111111… and "
            "88888888…).");
        row(
            "another seed, no parting",
            [](Run& run) {
                setSampling(run, [](SamplingConfig& s) { s.seed = 2; });
                for (Step& step : run.steps)
                    step.draw->u = 0.3;
            },
            "The runs never part: they pick the same 3 tokens, although they differ in the "
            "settings "
            "(seed 1 and 2), and the draws differ from step 0 on.");
        row(
            "a shorter run",
            [](Run& run) {
                run.settings.maxNewTokens = 1;
                run.steps.resize(1);
                run.output.resize(1);
            },
            "The runs never part as far as both go: they pick the same 1 token, then the second "
            "ends "
            "(max-new-tokens) and the other goes on for 2 more steps; they differ in the settings "
            "(max-new-tokens 3 and 1).");
        row(
            "a run left early",
            [](Run& run) {
                run.steps.resize(2);
                run.stop.reset();
            },
            "The runs never part as far as both go: they pick the same 2 tokens, then the second "
            "was left there and the other goes on for 1 more step.");
        row(
            "another end", [](Run& run) { run.stop = StopReason::Cancelled; },
            "The runs never part: they pick the same 3 tokens, but the first ends (max-new-tokens) "
            "and the second ends (cancelled).");
        row(
            "fewer candidates listed",
            [](Run& run) {
                run.settings.topCandidates = 5;
                for (Step& step : run.steps)
                    step.candidates.pop_back();
            },
            "The runs never part: they pick the same 3 tokens, but they list different numbers of "
            "candidates (20 and 5).");
        row(
            "scores in the last digits", [](Run& run) { run.steps[1].logitsSha256 = digest('b'); },
            "The runs never part: they pick the same 3 tokens, but the scores differ from step 1 "
            "on.");
    }
    void namesTheStepTheStageAndTheCause()
    {
        QFETCH(Change, change);
        QFETCH(QString, sentence);
        Run b = plainRun(3);
        change(b);
        QCOMPARE(QString::fromStdString(diffTraces(plainRun(3), b).sentence), sentence);
    }

    // The example of the format's page: after which stage the probabilities are the same.
    void namesTheLastStageOfTheChain()
    {
        Run a = plainRun(1);
        Run b = plainRun(1);
        for (Run* run : {&a, &b}) {
            setSampling(*run, [](SamplingConfig& s) { s.topP = 0.9; });
            run->steps[0].stages = {{SamplingStage::TopP, 0.9, 20, 2, 0.1, 0}};
        }
        setSampling(b, [](SamplingConfig& s) { s.seed = 7; });
        pickSofa(b, 0);
        b.steps[0].stages = a.steps[0].stages;
        const std::string sentence = diffTraces(a, b).sentence;
        QVERIFY(sentence.find("so are the probabilities after top-p 0.9, but the draws differ") !=
                std::string::npos);
    }

    void tellsCloseNumbersApart()
    {
        Run b = plainRun(1);
        b.model.sha256 = digest('9');
        pickSofa(b, 0);
        b.steps[0].logitsSha256 = digest('b');
        b.steps[0].candidates[0].logit = 11.78901F;
        const std::string sentence = diffTraces(plainRun(1), b).sentence;
        QVERIFY2(sentence.find("(' mat' has 11.789 and 11.78901)") != std::string::npos,
                 sentence.c_str());
    }

    void quotesWhatCannotBeSeen_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("shown");
        QTest::newRow("a space") << QByteArray(" a ") << QStringLiteral("' a '");
        QTest::newRow("line ends") << QByteArray("\n\r\t") << QStringLiteral("'\\n\\r\\t'");
        QTest::newRow("a control character") << QByteArray("\x1B[m") << QStringLiteral("'\\x1b[m'");
        QTest::newRow("letters") << QByteArray("Zo\xC3\xAB") << QString::fromUtf8("'Zo\xC3\xAB'");
        QTest::newRow("half a character") << QByteArray("a\xC3") << QString::fromUtf8("⟨61 C3⟩");
        QTest::newRow("nothing") << QByteArray() << QStringLiteral("token 4");
    }
    void quotesWhatCannotBeSeen()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, shown);
        QCOMPARE(QString::fromStdString(quoted(piece(4, bytes.toStdString()))), shown);
    }
};

QTEST_APPLESS_MAIN(TraceDiffSentenceTest)
#include "TraceDiffSentenceTest.moc"
