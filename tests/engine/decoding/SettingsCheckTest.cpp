#include "engine/decoding/SettingsCheck.h"

#include <QTest>

#include <functional>
#include <limits>

using engine::ErrorCode;
using engine::RunConfig;
using engine::SamplingStage;

using Change = std::function<void(RunConfig&)>;
Q_DECLARE_METATYPE(Change)

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

void add(const char* row, const Change& change, const char* message)
{
    QTest::newRow(row) << change << QString::fromUtf8(message);
}

} // namespace

class SettingsCheckTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void acceptsTheDefaults() { QVERIFY(bool(engine::validate(RunConfig()))); }

    void acceptsTheEndsOfEachRange()
    {
        RunConfig config;
        config.sampling.temperature = 0;
        config.sampling.topP = 0;
        config.sampling.minP = 1;
        config.sampling.topK = std::numeric_limits<std::int64_t>::max();
        config.sampling.repetitionPenalty = std::numeric_limits<double>::denorm_min();
        config.sampling.order = {};
        config.maxNewTokens = 0;
        config.topCandidates = 1;
        QVERIFY(bool(engine::validate(config)));
        config.sampling.temperature = std::numeric_limits<double>::max();
        config.sampling.repetitionPenalty = std::numeric_limits<double>::max();
        QVERIFY(bool(engine::validate(config)));
    }

    void refusesWhatIsOutOfRangeByName_data()
    {
        QTest::addColumn<Change>("change");
        QTest::addColumn<QString>("message");
        add(
            "temperature below 0", [](RunConfig& c) { c.sampling.temperature = -0.5; },
            "temperature: expected a number from 0 (greedy) up, found -0.5");
        add(
            "temperature NaN", [](RunConfig& c) { c.sampling.temperature = notANumber; },
            "temperature: expected a number from 0 (greedy) up, found NaN");
        add(
            "temperature infinite", [](RunConfig& c) { c.sampling.temperature = infinity; },
            "temperature: expected a number from 0 (greedy) up, found inf");
        add(
            "top-k below 0", [](RunConfig& c) { c.sampling.topK = -1; },
            "top-k: expected a whole number from 0 (off) up, found -1");
        add(
            "top-p above 1", [](RunConfig& c) { c.sampling.topP = 1.5; },
            "top-p: expected a number from 0 to 1 (off), found 1.5");
        add(
            "top-p NaN", [](RunConfig& c) { c.sampling.topP = notANumber; },
            "top-p: expected a number from 0 to 1 (off), found NaN");
        add(
            "min-p below 0", [](RunConfig& c) { c.sampling.minP = -0.1; },
            "min-p: expected a number from 0 (off) to 1, found -0.1");
        add(
            "min-p NaN", [](RunConfig& c) { c.sampling.minP = notANumber; },
            "min-p: expected a number from 0 (off) to 1, found NaN");
        add(
            "repetition-penalty 0", [](RunConfig& c) { c.sampling.repetitionPenalty = 0; },
            "repetition-penalty: expected a number above 0, where 1 is off, found 0");
        add(
            "repetition-penalty NaN",
            [](RunConfig& c) { c.sampling.repetitionPenalty = notANumber; },
            "repetition-penalty: expected a number above 0, where 1 is off, found NaN");
        add(
            "a stage twice",
            [](RunConfig& c) {
                c.sampling.order = {SamplingStage::TopK, SamplingStage::TopP, SamplingStage::TopK};
            },
            "order: expected each stage once at most, found top-k twice");
        add(
            "the mask in the order",
            [](RunConfig& c) {
                c.sampling.order = {SamplingStage::UnnamedIds, SamplingStage::TopK};
            },
            "order: expected stages of the chain, found unnamed-ids, which always comes before "
            "them");
        add(
            "max-new-tokens below 0", [](RunConfig& c) { c.maxNewTokens = -3; },
            "max-new-tokens: expected a whole number from 0 up, found -3");
        add(
            "top 0", [](RunConfig& c) { c.topCandidates = 0; },
            "top: expected a whole number from 1 up, found 0");
        add(
            "an empty stop text",
            [](RunConfig& c) {
                c.stopTexts = {"end", ""};
            },
            "stop: expected a text of at least one byte, found an empty one");
    }
    void refusesWhatIsOutOfRangeByName()
    {
        QFETCH(Change, change);
        QFETCH(QString, message);
        RunConfig config;
        change(config);
        const auto result = engine::validate(config);
        QVERIFY(!result);
        QCOMPARE(result.error().code, ErrorCode::InvalidArgument);
        QCOMPARE(QString::fromStdString(result.error().message), message);
    }
};

QTEST_APPLESS_MAIN(SettingsCheckTest)
#include "SettingsCheckTest.moc"
