#include "engine/generation/TraceFile.h"
#include "tests/engine/generation/TraceTesting.h"

#include <QTest>

using namespace engine;
using namespace testing;

namespace {

/// Every value: a trace says the same again, and what it does not say is compared here.
bool equal(const Run& a, const Run& b)
{
    const auto timings = [](const Step& x, const Step& y) {
        return x.timings.forward != y.timings.forward || x.timings.decode != y.timings.decode ||
               x.sampling != y.sampling || x.ruleChoice != y.ruleChoice || !equalButTimings(x, y);
    };
    return a.program == b.program && a.context == b.context && a.settings == b.settings &&
           a.model == b.model && a.tokenizer == b.tokenizer && a.stop == b.stop &&
           a.output == b.output && a.outputBytes == b.outputBytes &&
           a.steps.size() == b.steps.size() && !firstStepWhere(a, b, timings) &&
           traceJson(a) == traceJson(b);
}

Run parsed(const std::string& text)
{
    const auto run = parseTrace(text, "t.json");
    if (!run)
        qWarning("%s", run.error().message.c_str());
    return run ? *run : Run{};
}

std::string linesOf(const Run& run)
{
    std::string text = traceHeaderLine(run) + "\n";
    for (const Step& step : run.steps)
        text += traceStepLine(step, &run.settings.sampling) + "\n";
    return text + traceEndLine(run) + "\n";
}

/// The text with one part put in the place of another, which must be there.
std::string with(const std::string& part, const std::string& other)
{
    std::string text = traceJson(plainRun(2));
    const auto at = text.find(part);
    if (at == std::string::npos)
        return "the part is not in the trace: " + part;
    return text.replace(at, part.size(), other);
}

void broken(const char* row, const std::string& text, const char* message)
{
    QTest::newRow(row) << QByteArray::fromStdString(text) << QString::fromUtf8(message);
}

} // namespace

class TraceReaderTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesTheSettingsThatATraceDoesNotGive()
    {
        QVERIFY(parsed(traceJson(plainRun(2))).unstatedSettings.empty());
        QVERIFY(parsed(traceJson(unusualRun())).unstatedSettings.empty());
        const Run run = parsed(with("\"top_k\":", "\"top_q\":"));
        QCOMPARE(run.unstatedSettings, std::vector<std::string>{"top_k"});
        QCOMPARE(run.settings.sampling.topK, std::int64_t{0});
        const Run none = parsed(with("\"settings\":", "\"without\":"));
        QCOMPARE(none.unstatedSettings.size(), std::size_t{12});
    }

    void keepsWatchedTokensAndTheDrawsAttempt()
    {
        Run run = plainRun(2);
        run.steps[1].watched = run.steps[1].candidates;
        run.steps[1].draw = Draw{0.25, 0.125, 0.5, 3};
        const Run read = parsed(traceJson(run));
        QVERIFY(read.steps[0].watched.empty());
        QVERIFY(read.steps[1].watched == run.steps[1].watched);
        QVERIFY(read.steps[1].draw == run.steps[1].draw);
        // What was looked at is no difference between two runs.
        run.steps[1].watched.clear();
        QVERIFY(equalButTimings(read.steps[1], run.steps[1]));
    }

    void readsBackExactlyWhatWasWritten()
    {
        QVERIFY(equal(parsed(traceJson(plainRun(3))), plainRun(3)));
        QVERIFY(equal(parsed(traceJson(unusualRun())), unusualRun()));
        QVERIFY(equal(parsed(traceJson(plainRun(0))), plainRun(0)));
    }

    void readsBackARunThatCanGoOn()
    {
        Run run = plainRun(1);
        run.stop.reset();
        QVERIFY(equal(parsed(traceJson(run)), run));
    }

    void readsBackLines()
    {
        QVERIFY(equal(parsed(linesOf(plainRun(3))), plainRun(3)));
        QVERIFY(equal(parsed(linesOf(unusualRun())), unusualRun()));
    }

    void readsLinesThatEndEarly()
    {
        const Run whole = plainRun(2);
        const Run run =
            parsed(traceHeaderLine(whole) + "\n" + traceStepLine(whole.steps[0]) + "\n");
        QCOMPARE(run.steps.size(), std::size_t{1});
        QVERIFY(!run.stop);
        // What it would have said at its end.
        QCOMPARE(run.outputBytes, std::string(" mat"));
        QVERIFY(run.output == std::vector<TokenPiece>{piece(10, " mat")});
        QVERIFY(parsed(traceHeaderLine(whole)).steps.empty());
    }

    // What the format's own page lists, and no more.
    void readsATraceWithoutTheAdditions()
    {
        const Run run = parsed(R"({
          "format": "tokenscope-trace", "version": 1, "program": "another 1",
          "inputs": {
            "context": {"text": "ab", "ids": [5, 6]},
            "settings": {"decoding": "greedy", "max_new_tokens": 1},
            "model": {"name": "m", "architecture": "llama"},
            "tokenizer": {"kind": "byte-level BPE", "vocabulary": 9}},
          "steps": [{"index": 0, "context_length": 2, "entropy_bits": 1, "logsumexp": 2,
            "candidates": [{"id": 7, "text": "c", "bytes": "63", "logit": 1, "probability": 0.5,
                            "final_probability": 1, "rank": 1, "removed_by": null}],
            "argmax": 7, "picked": 7, "rule": "greedy", "draw": null,
            "milliseconds": {"forward": 1.9, "decode": 0.1}, "later": {"addition": [1, 2]}}],
          "stop": {"reason": "max-new-tokens"},
          "output": {"ids": [7], "text": "c", "bytes": "63"}, "more": true})");
        QCOMPARE(run.context.tokens.size(), std::size_t{2});
        QVERIFY(run.context.tokens[1].piece.id == TokenId{6});
        QCOMPARE(run.steps.size(), std::size_t{1});
        const Step& step = run.steps[0];
        QVERIFY(step.picked == TokenId{7} && step.ruleChoice == TokenId{7} && !step.forced);
        QCOMPARE(step.timings.forward.count(), 1900);
        QVERIFY(step.stages.empty() && step.others == OtherCandidates{});
        QVERIFY(run.output == std::vector<TokenPiece>{piece(7, "c")});
        QCOMPARE(run.settings.topCandidates, RunConfig().topCandidates);
    }

    void readsThroughAByteOrderMarkAndWhiteSpace()
    {
        QVERIFY(equal(parsed("\xEF\xBB\xBF \n" + traceJson(plainRun(1)) + "\n\n"), plainRun(1)));
    }

    void refusesABrokenTrace_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("message");
        broken("empty", "", "t.json: expected a trace, found an empty file");
        broken("blank", " \n \n", "t.json: expected a trace, found an empty file");
        broken("not JSON", "Once upon a time",
               "t.json: is not JSON: it stops making sense near byte");
        broken("cut short", traceJson(plainRun(1)).substr(0, 700), "t.json: is not JSON");
        broken("not UTF-8", with("tokenscope 1.2.3", "tokens\xFF"), "t.json: is not JSON");
        broken("other JSON", "{\"a\": 1}",
               "t.json: format: expected \"tokenscope-trace\", found nothing");
        broken("an array", "[1, 2]", "t.json: expected an object, found an array");
        broken("a number", "12", "t.json: expected an object, found 12");
        broken(
            "newer", with("\"version\": 1", "\"version\": 2"),
            "t.json: version: the trace is of version 2, and this program reads up to version 1");
        broken("version 0", with("\"version\": 1", "\"version\": 0"),
               "t.json: version: expected a whole");
        broken("deep", std::string(100000, '['), "t.json: is nested more than 32 deep");
        broken("deep in a trace",
               with("\"draw\":",
                    "\"x\":" + std::string(40, '[') + std::string(40, ']') + ",\"draw\":"),
               "t.json: is nested more than 32 deep");
        broken("too large a number", with("12.3", "1e999"), "t.json: holds a number too large");
        broken("no inputs", "{\"format\": \"tokenscope-trace\", \"version\": 1}",
               "t.json: inputs: expected a value, found nothing");
        broken("ids of text", with("\"ids\":[1,2,3]", "\"ids\":[1,\"2\",3]"),
               "t.json: inputs.context.ids[1]: expected a whole number from 0 to 2147483647, found "
               "\"2\"");
        broken("negative id", with("\"ids\":[1,2,3]", "\"ids\":[1,2,-3]"),
               "inputs.context.ids[2]: expected");
        broken("fewer ids than tokens", with("\"ids\":[1,2,3]", "\"ids\":[1,2]"),
               "inputs.context.tokens: expected as many elements");
        broken("other ids than tokens", with("\"ids\":[1,2,3]", "\"ids\":[1,4,3]"),
               "inputs.context.tokens[1].id: expected the id in \"ids\", 4, found 2");
        broken("unknown origin", with("\"origin\":\"prompt\"", "\"origin\":\"mars\""),
               "inputs.context.tokens[0].origin: expected one of");
        broken("bad setting", with("\"top_p\":1.0", "\"top_p\":1.5"),
               "inputs.settings: top-p: expected a number from 0 to 1 (off), found 1.5");
        broken("setting of the wrong kind", with("\"chat\":false", "\"chat\":0"),
               "inputs.settings.chat: expected true or false, found 0");
        broken("unknown stage", with("top-k,top-p", "top-k,best"),
               "inputs.settings.order: expected names");
        broken("the mask in the order", with("top-k,top-p", "unnamed-ids,top-p"),
               "inputs.settings.order: expected names");
        broken("a stage twice", with("top-k,top-p", "top-k,top-k"),
               "inputs.settings: order: expected each");
        broken("negative seed", with("\"seed\":1", "\"seed\":-1"),
               "inputs.settings.seed: expected a whole number from 0 to 18446744073709551615, "
               "found -1");
        broken("steps are no array", with("\"steps\": [", "\"steps\": 7, \"x\": ["),
               "steps: expected an array, found 7");
        broken("a step out of place", with("\"index\":1", "\"index\":5"),
               "steps[1].index: expected the step's place in the trace, 1, found 5");
        broken("a huge id", with("\"picked\":10", "\"picked\":99999999999"),
               "steps[0].picked: expected");
        broken("a pick that is no candidate", with("\"picked\":10", "\"picked\":12"),
               "steps[0].picked: expected the id of one of the step's candidates, found 12");
        broken("a candidate twice", with("\"id\":11", "\"id\":10"),
               "steps[0].candidates: expected each token once, found token 10 twice");
        broken("no candidates", with("\"candidates\":", "\"candidate\":"),
               "steps[0].candidates: expected a value");
        broken("probability above 1", with("\"probability\":0.6", "\"probability\":1.6"),
               "steps[0].candidates[0].probability: expected a probability from 0 to 1, found 1.6");
        broken("logit of text", with("\"logit\":", "\"logit\":\"high\",\"x\":"),
               "steps[0].candidates[0].logit: expected a number, found \"high\"");
        broken("logit is null", with("\"logit\":", "\"logit\":null,\"x\":"),
               "steps[0].candidates[0].logit: expected a value, found null");
        broken("logit beyond a float", with("\"logit\":", "\"logit\":1e39,\"x\":"),
               "candidates[0].logit: expected");
        broken("rank 0", with("\"rank\":1", "\"rank\":0"), "steps[0].candidates[0].rank: expected");
        broken("unknown remover", with("\"removed_by\":null", "\"removed_by\":\"me\""),
               "steps[0].candidates[0].removed_by: expected one of");
        broken("bytes not hexadecimal", with("206d6174", "206d617"),
               "bytes: expected hexadecimal digits");
        broken("unknown rule", with("\"rule\":\"sample\"", "\"rule\":\"beam\""),
               "steps[0].rule: expected one of");
        broken("draw without u", with("\"u\":", "\"v\":"), "steps[0].draw.u: expected a value");
        broken("u above 1", with("\"u\":0.25", "\"u\":1.25"), "steps[0].draw.u: expected a number");
        broken("negative time", with("\"forward\":0.0", "\"forward\":-1"),
               "steps[0].milliseconds.forward: expected");
        broken("digest too short", with(std::string(64, 'a'), "aa"),
               "steps[0].logits_sha256: expected a SHA-256");
        broken("unknown stop", with("max-new-tokens\"}", "boredom\"}"),
               "stop.reason: expected one of");
        broken("output of text", with("\"output\": {", "\"output\": 3, \"x\": {"),
               "output: expected an object");
        broken("lines: a broken step",
               traceHeaderLine(plainRun(0)) + "\n{\"index\": 0, \"picked\"\n",
               "t.json: line 2: is not JSON");
        broken("lines: a bad step",
               traceHeaderLine(plainRun(0)) + "\n{\"index\": 0, \"picked\": 3}\n",
               "t.json: line 2: candidates: expected a value");
        broken("lines: past the end", linesOf(plainRun(1)) + "{\"index\": 1}\n",
               "t.json: line 4: expected nothing after the end");
        broken("lines: a gap",
               traceHeaderLine(plainRun(0)) + "\n" + traceStepLine(plainStep(1)) + "\n",
               "t.json: line 2: index: expected the step's place in the trace, 0, found 1");
    }
    void refusesABrokenTrace()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, message);
        const auto run = parseTrace(text.toStdString(), "t.json");
        QVERIFY(!run);
        const QString found = QString::fromStdString(run.error().message);
        QVERIFY2(found.contains(message), qPrintable(found));
        QVERIFY(found.startsWith(QStringLiteral("t.json: ")) && !found.contains(QLatin1Char('\n')));
        QCOMPARE(run.error().code, QTest::currentDataTag() == QByteArray("newer")
                                       ? ErrorCode::UnsupportedFeature
                                       : ErrorCode::BadFormat);
    }

    void survivesACutAtEveryByte()
    {
        const std::string text = traceJson(unusualRun());
        for (std::size_t size = 0; size + 2 < text.size(); ++size)
            QVERIFY(!parseTrace(text.substr(0, size), "t.json"));
    }

    void survivesAChangeOfEveryByte()
    {
        const std::string text = traceJson(plainRun(1));
        int refused = 0;
        for (std::size_t i = 0; i < text.size(); ++i) {
            for (const char other : {'"', '9', '{', '-'}) {
                std::string changed = text;
                changed[i] = other;
                refused += parseTrace(changed, "t.json") ? 0 : 1;
            }
        }
        QVERIFY(refused > 0);
    }
};

QTEST_APPLESS_MAIN(TraceReaderTest)
#include "TraceReaderTest.moc"
