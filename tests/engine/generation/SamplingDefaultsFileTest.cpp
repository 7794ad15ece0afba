#include "engine/generation/SamplingDefaultsFile.h"

#include "engine/io/GgufFile.h"
#include "tests/engine/generation/SessionTesting.h"
#include "tests/support/ModelWriters.h"

#include <QTemporaryDir>
#include <QTest>

using namespace engine;
using namespace testing;
namespace fs = std::filesystem;

class SamplingDefaultsFileTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsAGenerationConfig()
    {
        const auto found = fromJson(R"({"do_sample": true, "temperature": 0.6, "top_k": 20,
            "top_p": 0.95, "min_p": 0.05, "repetition_penalty": 1.05, "eos_token_id": [1, 2]})");
        SamplingDefaults expected;
        expected.origin = "generation_config.json";
        expected.rule = DecodingRule::Sample;
        expected.temperature = 0.6;
        expected.topK = 20;
        expected.topP = 0.95;
        expected.minP = 0.05;
        expected.repetitionPenalty = 1.05;
        QVERIFY(found.defaults == expected && found.warnings.empty());
    }

    void whatIsLeftOpenIsNotSuggested()
    {
        const auto found = fromJson(R"({"do_sample": false, "temperature": null})");
        QCOMPARE(found.defaults.rule, DecodingRule::Greedy);
        QVERIFY(!found.defaults.temperature && !found.defaults.topK && found.warnings.empty());
        const auto none = fromJson(R"({"eos_token_id": 2})");
        QVERIFY(none.defaults.isEmpty() && none.defaults.origin.empty());
        QVERIFY(need(suggestedSampling(folder() / "nowhere")).defaults.isEmpty());
    }

    void suggestedSettingsReplaceOnlyTheirOwn()
    {
        SamplingConfig mine;
        mine.seed = 7;
        mine.topP = 0.5;
        const auto found = fromJson(R"({"do_sample": true, "temperature": 0.6})");
        SamplingConfig expected = mine;
        expected.rule = DecodingRule::Sample;
        expected.temperature = 0.6;
        QVERIFY(found.defaults.appliedTo(mine) == expected);
        QVERIFY(SamplingDefaults().appliedTo(mine) == mine);
    }

    void warnsOfAValueThatMakesNoSense_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QByteArray>("shown");
        QTest::newRow("negative") << QByteArray(R"({"temperature": -1})")
                                  << QByteArray("temperature") << QByteArray("found -1");
        QTest::newRow("share above 1")
            << QByteArray(R"({"top_p": 1.5})") << QByteArray("top_p") << QByteArray("found 1.5");
        QTest::newRow("min-p below 0") << QByteArray(R"({"min_p": -0.25})") << QByteArray("min_p")
                                       << QByteArray("found -0.25");
        QTest::newRow("half a token")
            << QByteArray(R"({"top_k": 2.5})") << QByteArray("top_k") << QByteArray("found 2.5");
        QTest::newRow("penalty 0") << QByteArray(R"({"repetition_penalty": 0})")
                                   << QByteArray("repetition_penalty") << QByteArray("found 0");
        QTest::newRow("text") << QByteArray(R"({"temperature": "warm"})")
                              << QByteArray("temperature") << QByteArray("found \"warm\"");
        QTest::newRow("list") << QByteArray(R"({"top_k": [1]})") << QByteArray("top_k")
                              << QByteArray("found something else");
        QTest::newRow("no truth value") << QByteArray(R"({"do_sample": "yes"})")
                                        << QByteArray("do_sample") << QByteArray("true or false");
    }
    void warnsOfAValueThatMakesNoSense()
    {
        QFETCH(QByteArray, json);
        QFETCH(QByteArray, key);
        QFETCH(QByteArray, shown);
        const auto found = fromJson(json.toStdString());
        QVERIFY(found.defaults.isEmpty());
        QCOMPARE(found.warnings.size(), std::size_t{1});
        const auto warning = QByteArray::fromStdString(found.warnings[0]);
        QVERIFY2(warning.startsWith("generation_config.json: " + key + ": expected "), warning);
        QVERIFY2(warning.contains(shown), warning);
    }

    void readsTheMetadataOfAGgufFile()
    {
        tests::GgufWriter writer = tests::tinyLlamaMetadata();
        writer.real("general.sampling.temp", 0.6F)
            .integer("general.sampling.top_k", 20)
            .real("general.sampling.top_p", 0.95F)
            .real("general.sampling.min_p", 3.0F)
            .real("general.sampling.penalty_repeat", 1.05F);
        const fs::path path = folder() / "some.gguf";
        tests::writeFile(path, writer.bytes());
        const auto found = suggestedSampling(need(GgufFile::open(path)));
        // As decimals, not as the float32 nearest to them.
        QCOMPARE(found.defaults.temperature, 0.6);
        QCOMPARE(found.defaults.topP, 0.95);
        QCOMPARE(found.defaults.repetitionPenalty, 1.05);
        QCOMPARE(found.defaults.topK, std::int64_t{20});
        QVERIFY(!found.defaults.rule && !found.defaults.minP);
        QCOMPARE(found.defaults.origin, std::string("GGUF general.sampling"));
        QCOMPARE(found.warnings,
                 std::vector<std::string>{"some.gguf: general.sampling.min_p: expected a number "
                                          "from 0 to 1, found 3; this setting is not offered"});
    }

private:
    fs::path folder() const { return m_folder.path().toStdString(); }
    SuggestedSampling fromJson(const std::string& json) const
    {
        tests::writeFile(folder() / "generation_config.json", json);
        return need(suggestedSampling(folder()));
    }

    QTemporaryDir m_folder;
};

QTEST_APPLESS_MAIN(SamplingDefaultsFileTest)
#include "SamplingDefaultsFileTest.moc"
