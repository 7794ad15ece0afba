#include "engine/generation/TraceFile.h"
#include "tests/engine/generation/TraceTesting.h"

#include <QTest>

#include <nlohmann/json.hpp>

using namespace engine;
using namespace testing;
using Json = nlohmann::ordered_json;

namespace {

std::vector<std::string> keysOf(const Json& object)
{
    std::vector<std::string> keys;
    for (auto member = object.begin(); member != object.end(); ++member)
        keys.push_back(member.key());
    return keys;
}

bool startsWith(const std::vector<std::string>& keys, const std::vector<std::string>& first)
{
    return keys.size() >= first.size() && std::equal(first.begin(), first.end(), keys.begin());
}

} // namespace

class TraceWriterTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // The fields of the format, by its own page, in its order; additions come behind them.
    void writesTheFieldsOfTheFormat()
    {
        const Json json = Json::parse(traceJson(unusualRun()));
        QVERIFY(keysOf(json) == (std::vector<std::string>{"format", "version", "program", "inputs",
                                                          "steps", "stop", "output"}));
        QVERIFY(json["format"] == "tokenscope-trace" && json["version"] == 1);
        QVERIFY(json["program"] == "tokenscope 1.2.3");
        const Json& inputs = json["inputs"];
        QVERIFY(keysOf(inputs) ==
                (std::vector<std::string>{"context", "settings", "model", "tokenizer"}));
        QVERIFY(startsWith(keysOf(inputs["context"]), {"text", "ids", "sha256"}));
        QVERIFY(keysOf(inputs["settings"]) ==
                (std::vector<std::string>{"max_new_tokens", "decoding", "temperature", "top_k",
                                          "top_p", "min_p", "repetition_penalty", "order", "seed",
                                          "stop", "ignore_stop_tokens", "add_special_tokens",
                                          "parse_special", "chat", "top"}));
        QVERIFY(startsWith(keysOf(inputs["model"]),
                           {"name", "architecture", "parameters", "quantization", "vocabulary",
                            "context_length", "sha256"}));
        QVERIFY(startsWith(keysOf(inputs["tokenizer"]), {"kind", "vocabulary", "sha256"}));
        const Json& step = json["steps"][0];
        QVERIFY(startsWith(keysOf(step),
                           {"index", "context_length", "entropy_bits", "logsumexp", "candidates",
                            "argmax", "picked", "rule", "draw", "logits_sha256", "milliseconds"}));
        QVERIFY(startsWith(keysOf(step["candidates"][0]),
                           {"id", "text", "bytes", "logit", "probability", "final_probability",
                            "rank", "removed_by"}));
        QVERIFY(keysOf(step["draw"]) == (std::vector<std::string>{"u", "low", "high"}));
        QVERIFY(keysOf(step["milliseconds"]) == (std::vector<std::string>{"forward", "decode"}));
        QVERIFY(keysOf(json["output"]) == (std::vector<std::string>{"ids", "text", "bytes"}));
    }

    void writesTheValuesByTheirNames()
    {
        const Json json = Json::parse(traceJson(unusualRun()));
        const Json& settings = json["inputs"]["settings"];
        QVERIFY(settings["order"] == "min-p,temperature" && settings["decoding"] == "sample");
        QVERIFY(settings["seed"].get<std::uint64_t>() == 18446744073709551557U);
        QVERIFY(settings["add_special_tokens"] == false);
        QVERIFY(json["stop"]["reason"] == "stop-text");
        const Json& step = json["steps"][0];
        QVERIFY(step["candidates"][0]["removed_by"] == "min-p");
        QVERIFY(step["candidates"][1]["removed_by"].is_null());
        QVERIFY(step["forced"] == true && step["rule_choice"] == 10);
        QVERIFY(step["milliseconds"]["forward"] == 1234.567);
        QVERIFY(step["stages"][1]["name"] == "temperature");
        QVERIFY(json["steps"][1]["draw"].is_null());
    }

    void writesBytesBesideTextThatIsAlwaysUtf8()
    {
        const Json json = Json::parse(traceJson(unusualRun()));
        const Json& half = json["steps"][0]["candidates"][0];
        QVERIFY(half["text"] == "\xEF\xBF\xBD" && half["bytes"] == "e282");
        QVERIFY(json["output"]["text"] == " sofa mat\xEF\xBF\xBD");
        QVERIFY(json["output"]["bytes"] == "20736f6661206d6174e282");
    }

    void writesSettingsOfAStepOnlyWhereTheyDifferFromTheRuns()
    {
        const Json json = Json::parse(traceJson(unusualRun()));
        QVERIFY(!json["steps"][0].contains("settings"));
        QVERIFY(json["steps"][1]["settings"]["decoding"] == "greedy");
        QVERIFY(!json["steps"][1].contains("forced"));
    }

    void writesNullForARunThatCanGoOn()
    {
        Run run = plainRun(1);
        run.stop.reset();
        run.settings.addSpecialTokens.reset();
        const Json json = Json::parse(traceJson(run));
        QVERIFY(json["stop"].is_null());
        QVERIFY(json["inputs"]["settings"]["add_special_tokens"].is_null());
    }

    void writesNamesThatAreNotUtf8()
    {
        Run run = plainRun(0);
        run.model.name = "half \xC3";
        const Json json = Json::parse(traceJson(run));
        QVERIFY(json["inputs"]["model"]["name"] == "half \xEF\xBF\xBD");
    }

    void doesNotTellWhereTheModelLay()
    {
        Run run = plainRun(0);
        run.model.path = "/models/someone/tiny.gguf";
        QVERIFY(traceJson(run).find("someone") == std::string::npos);
    }

    void writesLinesForAHeaderEachStepAndTheEnd()
    {
        const Run run = unusualRun();
        const Json whole = Json::parse(traceJson(run));
        for (const std::string& line :
             {traceHeaderLine(run), traceStepLine(run.steps[0]), traceEndLine(run)})
            QVERIFY(line.find('\n') == std::string::npos);
        const Json header = Json::parse(traceHeaderLine(run));
        QVERIFY(keysOf(header) ==
                (std::vector<std::string>{"format", "version", "program", "inputs"}));
        QVERIFY(header["inputs"] == whole["inputs"]);
        QVERIFY(Json::parse(traceStepLine(run.steps[1], &run.settings.sampling)) ==
                whole["steps"][1]);
        const Json end = Json::parse(traceEndLine(run));
        QVERIFY(keysOf(end) == (std::vector<std::string>{"stop", "output"}));
        QVERIFY(end["output"] == whole["output"] && end["stop"] == whole["stop"]);
    }
};

QTEST_APPLESS_MAIN(TraceWriterTest)
#include "TraceWriterTest.moc"
