#include "engine/tokenizer/Regex.h"

#include "tests/engine/tokenizer/TokenizerTesting.h"

#include <QtTest/QTest>

using namespace engine;
using tokenizerTesting::text;

namespace {

QString matches(const char* pattern, std::string_view subject)
{
    const auto regex = Regex::compile(pattern, "t.json");
    if (!regex)
        return text(regex.error().message);
    QStringList found;
    const auto done =
        regex->forEachMatch(subject, [&](ByteRange range) { found << text(range.of(subject)); });
    return done ? found.join(QLatin1Char('|')) : text(done.error().message);
}

} // namespace

class RegexTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsMatchesAsOnigurumaDoes_data()
    {
        QTest::addColumn<QByteArray>("pattern");
        QTest::addColumn<QByteArray>("subject");
        QTest::addColumn<QString>("found");
        QTest::newRow("letters of all scripts")
            << QByteArray(R"(\p{L}+)") << QByteArray("aé1я中_b") << QStringLiteral("aé|я中|b");
        QTest::newRow("white space is Unicode's") << QByteArray(R"(\S+)")
                                                  << QByteArray("a\xC2\x85"
                                                                "b\xE3\x80\x80"
                                                                "c\xE1\xA0\x8E"
                                                                "d")
                                                  << text("a|b|c\xE1\xA0\x8E"
                                                          "d"); // U+180E is no white space
        QTest::newRow("white space in a set")
            << QByteArray(R"([^\s\p{L}]+)") << QByteArray("a1 2b") << QStringLiteral("1|2");
        QTest::newRow("no white space in a set")
            << QByteArray(R"([\S]+)") << QByteArray("a 1") << QStringLiteral("a|1");
        QTest::newRow("word characters") << QByteArray(R"(\w+)") << QByteArray("aé_1½ b")
                                         << QStringLiteral("aé_1|b"); // ½ is no decimal digit
        QTest::newRow("word characters that are numbers or symbols")
            << QByteArray(R"(\w+)") << QByteArray("Ⅳ-Ⓐ-½") << QStringLiteral("Ⅳ|Ⓐ");
        QTest::newRow("set in a set") // as BLOOM's tokenizer.json has it
            << QByteArray(R"( ?[^(\s|[.,!?…])]+)") << QByteArray("ab, c|d(e)…f")
            << QStringLiteral("ab| c|d|e|f");
        QTest::newRow("bracket first in an inner set")
            << QByteArray("[a[]b]]+") << QByteArray("a]bc") << QStringLiteral("a]b");
        // U+30FC is common to two scripts: Oniguruma leaves it out of each.
        QTest::newRow("script without its extensions")
            << QByteArray(R"(\p{Katakana}+)") << QByteArray("カーカ") << QStringLiteral("カ|カ");
        QTest::newRow("no script")
            << QByteArray(R"([^\p{Han}]+)") << QByteArray("a漢b") << QStringLiteral("a|b");
        QTest::newRow("negated by a caret")
            << QByteArray(R"(\p{^Alpha}+)") << QByteArray("a1.b") << QStringLiteral("1.");
        QTest::newRow("names in a set")
            << QByteArray("[[:alpha:][:digit:]]+") << QByteArray("aⅣ٣½") << QStringLiteral("aⅣ٣");
        QTest::newRow("look ahead ends with the text")
            << QByteArray(R"(\s+(?!\S))") << QByteArray("  x  ") << QStringLiteral(" |  ");
        QTest::newRow("hexadecimal digits")
            << QByteArray(R"(\h+)") << QByteArray("xAf9g") << QStringLiteral("Af9");
        QTest::newRow("code point")
            << QByteArray(R"([\u4E00-\u9FFF]+)") << QByteArray("a中文b") << QStringLiteral("中文");
        QTest::newRow("dot and newline")
            << QByteArray("(?m:.+)") << QByteArray("a\nb") << QStringLiteral("a\nb");
        QTest::newRow("anchors at every line")
            << QByteArray("^.$") << QByteArray("a\nb") << QStringLiteral("a|b");
        QTest::newRow("up to") << QByteArray("xa{,2}") << QByteArray("xaaax")
                               << QStringLiteral("xaa|x");
        QTest::newRow("any case") << QByteArray("(?i:'ll)") << QByteArray("'Ll'LL'l")
                                  << QStringLiteral("'Ll|'LL");
        QTest::newRow("empty matches are none")
            << QByteArray("a*") << QByteArray("baéa") << QStringLiteral("a|a");
    }
    void findsMatchesAsOnigurumaDoes()
    {
        QFETCH(QByteArray, pattern);
        QFETCH(QByteArray, subject);
        QFETCH(QString, found);
        QCOMPARE(matches(pattern.constData(), subject.toStdString()), found);
    }

    void refusesWhatItWouldReadOtherwise_data()
    {
        QTest::addColumn<QByteArray>("pattern");
        QTest::addColumn<QString>("why");
        QTest::newRow("negated set in a set") << QByteArray("[a[^bc]]") << u"a negated set"_qs;
        QTest::newRow("range from a set") << QByteArray("[[a]-z]") << u"begins with a set"_qs;
        QTest::newRow("name that is none") << QByteArray("[[:nonsense:]]") << u"[:nonsense:]"_qs;
        QTest::newRow("intersection") << QByteArray(R"([a-z&&[^b]])") << u"inside [...]"_qs;
        QTest::newRow("negated shorthand in a set") << QByteArray(R"([\W])") << u"inside [...]"_qs;
        QTest::newRow("open bracket") << QByteArray("(a") << u"parenthesis"_qs;
        QTest::newRow("unknown class") << QByteArray(R"(\p{Nonsense})") << u"property"_qs;
        QTest::newRow("trailing backslash") << QByteArray("a\\") << u"\\"_qs;
    }
    void refusesWhatItWouldReadOtherwise()
    {
        QFETCH(QByteArray, pattern);
        QFETCH(QString, why);
        const auto regex = Regex::compile(pattern.constData(), "t.json");
        QVERIFY(!regex);
        QCOMPARE(regex.error().code, ErrorCode::UnsupportedFeature);
        QVERIFY2(text(regex.error().message).contains(why), regex.error().message.c_str());
        QVERIFY(regex.error().message.starts_with("t.json: pattern "));
    }

    void givesUpOnAPatternThatBacktracksForever()
    {
        const QString found = matches("(a+)+$", std::string(60, 'a') + "b");
        QVERIFY2(found.contains(QStringLiteral("gave up on this text")), qPrintable(found));
    }

    void matchesAMillionCharactersAtOnce()
    {
        const std::string subject(1000000, 'a');
        QCOMPARE(matches(R"((?:a|b)+)", subject).size(), qsizetype(1000000));
    }
};

QTEST_APPLESS_MAIN(RegexTest)
#include "RegexTest.moc"
