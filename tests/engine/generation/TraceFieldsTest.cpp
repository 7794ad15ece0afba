#include "engine/generation/TraceFields.h"

#include <QTest>

using namespace engine;

namespace {

/// Reads one value of {"a": VALUE} and returns the message of the fault, empty where there is none.
template <typename Read>
QString faultOf(const char* value, const Read& read)
{
    const auto json = TraceField::Json::parse(std::string("{\"a\":") + value + "}");
    TraceFault fault{"t.json", std::nullopt};
    read(TraceField(json, fault)["a"]);
    return fault.error ? QString::fromStdString(fault.error->message) : QString();
}

} // namespace

class TraceFieldsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsEachKind()
    {
        const auto json = TraceField::Json::parse(
            R"({"s":"x","b":true,"i":-4,"w":4.0,"u":18446744073709551615,"d":0.25,"h":"0aFF","l":[1,2]})");
        TraceFault fault{"t.json", std::nullopt};
        const TraceField field(json, fault);
        QCOMPARE(field["s"].string(), std::string("x"));
        QVERIFY(field["b"].boolean(false));
        QCOMPARE(field["i"].integer(-9, 9), std::int64_t{-4});
        QCOMPARE(field["w"].count(), 4);
        QCOMPARE(field["u"].unsigned64(0), ~std::uint64_t{0});
        QVERIFY(field["d"].number() == 0.25 && field["d"].singleNumber() == 0.25F);
        QCOMPARE(field["h"].hexBytes(""), std::string("\x0A\xFF"));
        QCOMPARE(field["l"].elements().size(), std::size_t{2});
        QCOMPARE(field.keys().size(), std::size_t{8});
        QVERIFY(!fault.error);
    }

    void givesDefaultsForWhatIsMissingOrNull()
    {
        const auto json = TraceField::Json::parse(R"({"n":null})");
        TraceFault fault{"t.json", std::nullopt};
        for (const TraceField& field :
             {TraceField(json, fault)["n"], TraceField(json, fault)["no"]["no"]}) {
            QVERIFY(field.isMissing());
            QCOMPARE(field.string("d"), std::string("d"));
            QVERIFY(field.boolean(true));
            QCOMPARE(field.integer(0, 9, 5), std::int64_t{5});
            QCOMPARE(field.unsigned64(6), std::uint64_t{6});
            QVERIFY(field.number(0.5) == 0.5 && field.probability() == 0);
            QVERIFY(field.elements().empty() && field.keys().empty());
        }
        QVERIFY(!fault.error);
        TraceField(json, fault)["n"].required();
        QVERIFY(fault.error.has_value());
    }

    void namesThePathTheExpectationAndTheFind()
    {
        QCOMPARE(faultOf("[0,{\"b\":7}]",
                         [](const TraceField& f) { (void)f.elements()[1]["b"].string(); }),
                 QStringLiteral("t.json: a[1].b: expected a text, found 7"));
        QCOMPARE(faultOf("{}", [](const TraceField& f) { (void)f["b"].required(); }),
                 QStringLiteral("t.json: a.b: expected a value, found nothing"));
    }

    void refusesValuesOfTheWrongKindOrOutOfRange()
    {
        const QString id =
            QStringLiteral("t.json: a: expected a whole number from 0 to 2147483647, found ");
        const auto count = [](const TraceField& f) { (void)f.count(); };
        QCOMPARE(faultOf("-1", count), id + QStringLiteral("-1"));
        QCOMPARE(faultOf("1.5", count), id + QStringLiteral("1.5"));
        QCOMPARE(faultOf("1e300", count), id + QStringLiteral("1e+300"));
        QCOMPARE(faultOf("2147483648", count), id + QStringLiteral("2147483648"));
        QCOMPARE(faultOf("18446744073709551615", count),
                 id + QStringLiteral("18446744073709551615"));
        QCOMPARE(faultOf("\"3\"", count), id + QStringLiteral("\"3\""));
        QCOMPARE(faultOf("[]", count), id + QStringLiteral("an array"));
        QVERIFY(!faultOf("-1", [](const TraceField& f) { (void)f.unsigned64(0); }).isEmpty());
        QVERIFY(!faultOf("18446744073709551616", [](const TraceField& f) {
                     (void)f.unsigned64(0);
                 }).isEmpty());
        QVERIFY(!faultOf("1.000001", [](const TraceField& f) { (void)f.probability(); }).isEmpty());
        QVERIFY(!faultOf("-0.1", [](const TraceField& f) { (void)f.probability(); }).isEmpty());
        QVERIFY(!faultOf("1e39", [](const TraceField& f) { (void)f.singleNumber(); }).isEmpty());
        QVERIFY(!faultOf("\"abc\"", [](const TraceField& f) { (void)f.hexBytes(""); }).isEmpty());
        QVERIFY(!faultOf("\"abc\"", [](const TraceField& f) { (void)f.sha256(); }).isEmpty());
        QVERIFY(!faultOf("1", [](const TraceField& f) { (void)f.boolean(false); }).isEmpty());
        QVERIFY(!faultOf("3", [](const TraceField& f) { (void)f["x"]; }).isEmpty());
        QVERIFY(!faultOf("3", [](const TraceField& f) { (void)f.elements(); }).isEmpty());
        QVERIFY(!faultOf("3", [](const TraceField& f) { (void)f.keys(); }).isEmpty());
    }

    void takesOneMoreThanOneForRounding()
    {
        QVERIFY(faultOf("1.0000000000000002", [](const TraceField& f) {
                    (void)f.probability();
                }).isEmpty());
    }

    void keepsTheFirstFault()
    {
        QVERIFY(faultOf("{\"x\":1,\"y\":2}", [](const TraceField& f) {
                    (void)f["x"].string();
                    (void)f["y"].string();
                }).contains(QStringLiteral("a.x")));
    }

    void cutsALongFindShort()
    {
        const std::string text = "\"" + std::string(5000, 'x') + "\"";
        QVERIFY(faultOf(text.c_str(), [](const TraceField& f) { (void)f.count(); }).size() < 300);
    }
};

QTEST_APPLESS_MAIN(TraceFieldsTest)
#include "TraceFieldsTest.moc"
