#include "engine/tokenizer/SubwordTokenizer.h"

#include "tests/engine/tokenizer/TokenizerTesting.h"

#include <QtTest/QTest>

using namespace engine;
using namespace tokenizerTesting;

namespace {

/// All bytes, then "<s>" 256 and "</s>" 257 (special), "<tool>" 258 (not special).
LoadedTokenizer tokenizerWith(const std::string& extra, const std::string& config = "{}")
{
    const std::string added =
        R"([{"id": 256, "content": "<s>", "special": true, "normalized": false},)"
        R"({"id": 257, "content": "</s>", "special": true, "normalized": true},)"
        R"({"id": 258, "content": "<tool>", "special": false, "normalized": false}])";
    Folder folder;
    folder.add("tokenizer.json", byteLevelJson(bytePieces(), {}, added, extra));
    folder.add("tokenizer_config.json", config);
    return folder.load();
}

constexpr const char* kBosAndEos =
    R"("post_processor": {"type": "TemplateProcessing", "single": [)"
    R"({"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},)"
    R"({"SpecialToken": {"id": "</s>", "type_id": 0}}], "special_tokens": {)"
    R"("<s>": {"id": "<s>", "ids": [256], "tokens": ["<s>"]},)"
    R"("</s>": {"id": "</s>", "ids": [257], "tokens": ["</s>"]}}},)";

} // namespace

class SubwordTokenizerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void putsBosAndEosAsTheModelSays()
    {
        const auto tokenizer = tokenizerWith(kBosAndEos);
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        QVERIFY((*tokenizer)->info().addsBos);
        QVERIFY((*tokenizer)->info().addsEos);
        QCOMPARE(show((*tokenizer)->encode("a", {})), u"256,97,257"_qs);
        QCOMPARE(origins((*tokenizer)->encode("a", {})), u"bos prompt special"_qs);
        QCOMPARE(show((*tokenizer)->encode("", {})), u"256,257"_qs);
    }

    void leavesThemOutWhereTheCallerSaysSo()
    {
        const auto tokenizer = tokenizerWith(kBosAndEos);
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        QCOMPARE(show((*tokenizer)->encode("a", {.addSpecialTokens = false})), u"97"_qs);
        QCOMPARE(show((*tokenizer)->encode("a", {.addSpecialTokens = true})), u"256,97,257"_qs);
    }

    void putsNoneWhereTheModelSaysNone()
    {
        const auto tokenizer = tokenizerWith("", R"({"bos_token": "<s>", "eos_token": "</s>"})");
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        QVERIFY(!(*tokenizer)->info().addsBos);
        QCOMPARE(show((*tokenizer)->encode("a", {.addSpecialTokens = true})), u"97"_qs);
    }

    void obeysTheConfigurationOverTheFile()
    {
        const std::string tokens = R"("bos_token": "<s>", "eos_token": "</s>")";
        const auto without =
            tokenizerWith(kBosAndEos, "{" + tokens + R"(, "add_bos_token": false})");
        QVERIFY2(without, qPrintable(messageOf(without)));
        QCOMPARE(show((*without)->encode("a", {})), u"97,257"_qs);
        const auto with = tokenizerWith("", "{" + tokens + R"(, "add_bos_token": true})");
        QVERIFY2(with, qPrintable(messageOf(with)));
        QCOMPARE(show((*with)->encode("a", {})), u"256,97"_qs);
    }

    void doesNotPutASecondBosOrEos()
    {
        const auto tokenizer = tokenizerWith(kBosAndEos);
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        const auto tokens = (*tokenizer)->encode("<s>a</s>", {.parseSpecial = true});
        QCOMPARE(show(tokens), u"256,97,257"_qs);
        QCOMPARE(origins(tokens), u"special prompt special"_qs);
    }

    void takesWrittenSpecialTokensAsPlainText()
    {
        const auto tokenizer = tokenizerWith(kBosAndEos);
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        const auto tokens = (*tokenizer)->encode("<s></s>", {.addSpecialTokens = false});
        QCOMPARE(show(tokens), u"60,115,62,60,47,115,62"_qs);
        QCOMPARE(show((*tokenizer)->encode("<s>", {})), u"256,60,115,62,257"_qs);
    }

    void alwaysMatchesAddedTokensThatAreNotSpecial()
    {
        const auto tokenizer = tokenizerWith("");
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        const auto tokens = (*tokenizer)->encode("a<tool>", {});
        QCOMPARE(show(tokens), u"97,258"_qs);
        QCOMPARE(origins(tokens), u"prompt prompt"_qs);
        QCOMPARE((*tokenizer)->piece({258}).kind, TokenKind::UserDefined);
    }

    void keepsTheUsersWordsPlainInsideAChat()
    {
        const auto tokenizer = tokenizerWith("");
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        // "<s>" is the template's, "</s>" and the second "<s>" are the user's.
        const EncodeOptions options{.parseSpecial = true, .plainText = {3, 10}};
        QCOMPARE(show((*tokenizer)->encode("<s></s><s></s>", options)),
                 u"256,60,47,115,62,60,115,62,257"_qs);
    }

    void findsNormalizedTokensInTheNormalizedText()
    {
        const std::string added =
            R"([{"id": 256, "content": "ÉÉ", "special": false, "normalized": true},)"
            R"({"id": 257, "content": "RAW", "special": false, "normalized": false}])";
        Folder folder;
        folder.add("tokenizer.json", byteLevelJson(bytePieces(), {}, added,
                                                   R"("normalizer": {"type": "Sequence",)"
                                                   R"("normalizers": [{"type": "NFC"},)"
                                                   R"({"type": "Lowercase"}]},)"));
        const auto tokenizer = folder.load();
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        QCOMPARE(show((*tokenizer)->encode("e\u0301E\u0301A", {})), u"256,97"_qs);
        QCOMPARE(show((*tokenizer)->encode("RAWraw", {})), u"257,114,97,119"_qs);
    }

    void decodesSpecialTokensInTheirWrittenForm()
    {
        const auto tokenizer = tokenizerWith("");
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        const std::vector<TokenId> ids = {{256}, {97}, {999}, {-5}, {257}};
        QCOMPARE((*tokenizer)->decode(ids), std::string("<s>a</s>"));
    }

    void namesTheByteThatIsNotUtf8_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<int>("offset");
        QTest::newRow("lone byte") << QByteArray("ab\xFFz") << 2;
        QTest::newRow("surrogate") << QByteArray("\xED\xA0\x80") << 0;
        QTest::newRow("cut off") << QByteArray("abc\xE2\x82") << 3;
    }
    void namesTheByteThatIsNotUtf8()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(int, offset);
        const auto tokenizer = tokenizerWith("");
        QVERIFY(tokenizer);
        const auto tokens = (*tokenizer)->encode(bytes.toStdString(), {});
        QVERIFY(!tokens);
        QCOMPARE(tokens.error().code, ErrorCode::InvalidArgument);
        QVERIFY(text(tokens.error().message).endsWith(QStringLiteral("at offset %1").arg(offset)));
    }

    void returnsEveryByteOfRandomText()
    {
        const auto tokenizer = tokenizerWith(kBosAndEos);
        QVERIFY(tokenizer);
        std::mt19937 random(3);
        for (int round = 0; round < 300; ++round) {
            const std::string bytes = randomText(random, 30);
            QVERIFY(roundTrip(**tokenizer, bytes) == bytes);
        }
    }
};

QTEST_APPLESS_MAIN(SubwordTokenizerTest)
#include "SubwordTokenizerTest.moc"
