#include "engine/io/Json.h"

#include "tests/support/ModelWriters.h"

#include <QTemporaryDir>
#include <QtTest/QTest>

using namespace engine;

namespace {

JsonDocument parsed(std::string_view text)
{
    Result<JsonDocument> document = JsonDocument::parse(text, "test");
    if (!document)
        qFatal("%s", document.error().message.c_str());
    return std::move(*document);
}

} // namespace

class JsonTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsEveryKindOfValue()
    {
        const JsonDocument document =
            parsed(R"({"n": null, "b": true, "i": -7, "d": 2.5, "s": "a\u00e9\n", "l": [1, "x"]})");
        const JsonValue root = document.root();
        QVERIFY(root.isObject());
        QVERIFY(root["n"].isNull() && !root["n"].isMissing());
        QCOMPARE(root["b"].boolean(), std::optional(true));
        QCOMPARE(root["i"].integer(), std::optional<std::int64_t>(-7));
        QCOMPARE(root["d"].number(), std::optional(2.5));
        QCOMPARE(root["s"].string(), std::optional<std::string_view>("a\xc3\xa9\n"));
        QVERIFY(root["l"].isArray());
        QCOMPARE(root["l"].size(), std::size_t{2});
        QCOMPARE(root.size(), std::size_t{6});
    }

    void asksForWhatIsNotThereGiveNothing()
    {
        const JsonDocument document = parsed(R"({"a": [1], "s": "x"})");
        const JsonValue root = document.root();
        QVERIFY(root["b"].isMissing());
        QVERIFY(root["b"]["c"]["d"].isMissing());
        QVERIFY(root["a"]["c"].isMissing());
        QVERIFY(!root["s"].integer() && !root["s"].number() && !root["s"].boolean());
        QVERIFY(!root["a"].string());
        QCOMPARE(root["s"].size(), std::size_t{0});
        QVERIFY(JsonValue().isMissing());
        QVERIFY(!JsonValue().string());
        JsonValue().forEachElement([](JsonValue) { QFAIL("no elements"); });
        root["a"].forEachMember([](std::string_view, JsonValue) { QFAIL("no members"); });
    }

    void takesAWholeRealAsAnInteger()
    {
        const JsonDocument document = parsed("[4.0, 4.5, 1e300, 18446744073709551615]");
        std::vector<std::optional<std::int64_t>> values;
        document.root().forEachElement([&](JsonValue value) { values.push_back(value.integer()); });
        QCOMPARE(values[0], std::optional<std::int64_t>(4));
        QVERIFY(!values[1] && !values[2] && !values[3]);
    }

    // transformers writes this for "no limit".
    void readsIntegersBeyondSixtyFourBitsAsReals()
    {
        const JsonDocument document = parsed(
            R"({"model_max_length": 1000000000000000019884624838656, "s": "9999999999999999999999",
                "e": 123456789012345678901234567890e-10, "f": 1.23456789012345678901234567890})");
        QCOMPARE(document.root()["model_max_length"].number(), std::optional(1e30));
        QCOMPARE(document.root()["s"].string(),
                 std::optional<std::string_view>("9999999999999999999999"));
        QCOMPARE(document.root()["e"].number(), std::optional(12345678901234567890.123456789));
        QCOMPARE(document.root()["f"].number(), std::optional(1.2345678901234567));
    }

    void visitsMembersInTheirOrder()
    {
        const JsonDocument document = parsed(R"({"z": 1, "a": 2})");
        std::string keys;
        document.root().forEachMember([&](std::string_view key, JsonValue) { keys += key; });
        QCOMPARE(keys, std::string("za"));
    }

    void refusesWhatIsNotJson_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray("");
        QTest::newRow("cut short") << QByteArray(R"({"a": [1, 2)");
        QTest::newRow("text behind") << QByteArray("{} x");
        QTest::newRow("single quotes") << QByteArray("{'a': 1}");
        QTest::newRow("not UTF-8") << QByteArray("{\"a\": \"\xff\"}");
        QTest::newRow("nested deeply") << QByteArray(100000, '[') + QByteArray(100000, ']');
        QTest::newRow("nested deeply and cut short") << QByteArray(1000000, '[');
        QTest::newRow("a number that is none") << QByteArray("[1, 2x]");
    }

    void refusesWhatIsNotJson()
    {
        QFETCH(const QByteArray, text);
        const Result<JsonDocument> document =
            JsonDocument::parse({text.data(), static_cast<std::size_t>(text.size())}, "some.json");
        QVERIFY(!document);
        QCOMPARE(document.error().code, ErrorCode::BadFormat);
        QVERIFY(document.error().message.starts_with("some.json: "));
    }

    void namesTheFileItReads()
    {
        const QTemporaryDir folder;
        const std::filesystem::path path =
            std::filesystem::path(folder.path().toStdString()) / "config.json";
        QCOMPARE(JsonDocument::read(path).error().code, ErrorCode::FileNotFound);
        tests::writeFile(path, "{");
        const Result<JsonDocument> broken = JsonDocument::read(path);
        QVERIFY(!broken);
        QVERIFY(broken.error().message.starts_with(path.string()));
        tests::writeFile(path, "[3]");
        const Result<JsonDocument> good = JsonDocument::read(path);
        QVERIFY(good);
        QVERIFY(good->root().isArray());
    }
};

QTEST_APPLESS_MAIN(JsonTest)
#include "JsonTest.moc"
