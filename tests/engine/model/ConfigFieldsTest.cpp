#include "engine/model/ConfigFields.h"

#include "tests/support/ModelWriters.h"

#include <QTemporaryDir>
#include <QtTest/QTest>

using namespace engine;

class ConfigFieldsTest : public QObject
{
    Q_OBJECT

    static JsonDocument document()
    {
        Result<JsonDocument> parsed = JsonDocument::parse(
            R"({"size": 7, "whole": 8.0, "zero": 0, "huge": 99999999999, "text": "x", "nothing": null,
                "eps": 1e-5, "negative": -1.5, "yes": true, "list": [1, true, 2.5],
                "words": ["a", "b"], "mixed": [1, "a"]})",
            "config.json");
        return std::move(*parsed);
    }

private Q_SLOTS:
    void readsWhatIsThere()
    {
        const JsonDocument json = document();
        ConfigFields fields(json.root(), "config.json");
        QCOMPARE(fields.size("size"), 7);
        QCOMPARE(fields.size("whole"), 8);
        QCOMPARE(fields.positive("eps"), 1e-5);
        QCOMPARE(fields.size("absent", 3), 3);
        QCOMPARE(fields.size("nothing", 4), 4);
        QCOMPARE(fields.positive("absent", 0.5), 0.5);
        QVERIFY(fields.has("size") && !fields.has("nothing") && !fields.has("absent"));
        QVERIFY(!fields.error());
    }

    void refusesWhatIsOutOfRange_data()
    {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<bool>("isSize");
        for (const char* key : {"zero", "huge", "text", "absent", "nothing", "negative", "eps"})
            QTest::addRow("size %s", key) << QByteArray(key) << true;
        for (const char* key : {"zero", "text", "absent", "nothing", "negative"})
            QTest::addRow("number %s", key) << QByteArray(key) << false;
    }

    void refusesWhatIsOutOfRange()
    {
        QFETCH(const QByteArray, key);
        QFETCH(const bool, isSize);
        const JsonDocument json = document();
        ConfigFields fields(json.root(), "config.json");
        if (isSize)
            QCOMPARE(fields.size(key.data()), 1);
        else
            QCOMPARE(fields.positive(key.data()), 1.0);
        QVERIFY(fields.error());
        QCOMPARE(fields.error()->code, ErrorCode::BadFormat);
        QVERIFY(fields.error()->message.starts_with("config.json: " + key.toStdString() + ": "));
    }

    void readsFlagsTextsAndLists()
    {
        const JsonDocument json = document();
        ConfigFields fields(json.root(), "config.json");
        QVERIFY(fields.boolean("yes", false) && fields.boolean("absent", true));
        QCOMPARE(fields.numbers("list"), std::optional(std::vector<double>{1, 1, 2.5}));
        QVERIFY(!fields.numbers("mixed") && !fields.numbers("absent") && !fields.numbers("size"));
        QCOMPARE(fields.texts("words"), (std::vector<std::string_view>{"a", "b"}));
        QCOMPARE(fields.text("text"), std::optional(std::string_view("x")));
        QVERIFY(fields.isNull("nothing") && !fields.isNull("absent"));
        QVERIFY(!fields.error());
        fields.boolean("size", true);
        QVERIFY(fields.error());
    }

    void takesTheFaultOfAPart()
    {
        const JsonDocument json = document();
        ConfigFields fields(json.root(), "config.json");
        ConfigFields part(json.root(), "config.json: part");
        fields.take(part);
        QVERIFY(!fields.error());
        part.size("zero");
        fields.take(part);
        QVERIFY(fields.error()->message.starts_with("config.json: part: zero: "));
    }

    void knowsWhichKeysOfAGgufFileNobodyAskedFor()
    {
        const QTemporaryDir folder;
        const std::filesystem::path path =
            std::filesystem::path(folder.path().toStdString()) / "test.gguf";
        tests::writeFile(path, tests::GgufWriter()
                                   .integer("a.size", 7)
                                   .integer("a.other", 8)
                                   .integers("a.list", {0, 3})
                                   .integer("b.size", 9)
                                   .bytes());
        const Result<GgufFile> file = GgufFile::open(path);
        QVERIFY(file);
        ConfigFields fields(*file, "a.");
        QCOMPARE(fields.size("size"), 7);
        QCOMPARE(fields.numbers("list"), std::optional(std::vector<double>{0, 3}));
        QVERIFY(fields.wasAsked("size") && !fields.wasAsked("other"));
        QCOMPARE(fields.unread(), std::vector<std::string>{"other"});
        fields.size("absent");
        QVERIFY(fields.error()->message.find("test.gguf: a.absent: expected a whole number") !=
                std::string::npos);
    }

    void keepsTheFirstFault()
    {
        const JsonDocument json = document();
        ConfigFields fields(json.root(), "config.json");
        fields.size("zero");
        fields.size("absent");
        QVERIFY(fields.error()->message.find("zero") != std::string::npos);
        QVERIFY(fields.error()->message.find("found 0") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(ConfigFieldsTest)
#include "ConfigFieldsTest.moc"
