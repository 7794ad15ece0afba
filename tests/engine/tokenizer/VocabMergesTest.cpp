#include "engine/tokenizer/VocabMerges.h"

#include "tests/engine/tokenizer/TokenizerTesting.h"

#include <QtTest/QTest>

using namespace engine;
using namespace tokenizerTesting;

namespace {

constexpr const char* kVocabulary = R"({"a": 0, "b": 1, "Ġ": 2, "ab": 3, "#": 4, "##": 5, "Ġa": 7,)"
                                    R"("<|endoftext|>": 6})";
constexpr const char* kMerges = "#version: 0.2\na b\r\n# #\nĠ a\n\n";

} // namespace

class VocabMergesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsTheFolderOfGpt2()
    {
        Folder folder;
        folder.add("vocab.json", kVocabulary).add("merges.txt", kMerges);
        const auto tokenizer = folder.load();
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        // Words: ab, ##, " a".
        QCOMPARE(show((*tokenizer)->encode("ab## a", {})), u"3,5,7"_qs);
        QCOMPARE((*tokenizer)->bos().value_or(TokenId{}).value, 6);
        QCOMPARE((*tokenizer)->eos().value_or(TokenId{}).value, 6);
        QCOMPARE((*tokenizer)->piece({6}).kind, TokenKind::Control);
        QVERIFY((*tokenizer)->stopTokens() == std::vector<TokenId>{{6}});
        QCOMPARE(show((*tokenizer)->encode("<|endoftext|>a", {.parseSpecial = true})), u"6,0"_qs);
    }

    void addsThePrefixSpaceThatTheConfigurationAsksFor()
    {
        Folder folder;
        folder.add("vocab.json", kVocabulary).add("merges.txt", kMerges);
        folder.add("tokenizer_config.json", R"({"add_prefix_space": true})");
        const auto tokenizer = folder.load();
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        QCOMPARE(show((*tokenizer)->encode("a a", {})), u"7,7"_qs);
    }

    void takesTheRulesOfQwenByItsClass()
    {
        Folder folder;
        std::vector<std::string> pieces = bytePieces();
        pieces.emplace_back("11");
        folder.add("vocab.json", vocabularyJson(pieces)).add("merges.txt", "1 1\n");
        folder.add("tokenizer_config.json", R"({"tokenizer_class": "Qwen2Tokenizer"})");
        folder.add("added_tokens.json", R"({"<|im_end|>": 257})");
        const auto tokenizer = folder.load();
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        QCOMPARE(show((*tokenizer)->encode("11", {})), u"49,49"_qs);
        // e and an acute accent become one character.
        QCOMPARE(show((*tokenizer)->encode("e\u0301", {})), u"195,169"_qs);
        QCOMPARE((*tokenizer)->vocabularySize(), 258);
    }

    void refusesAnUnknownClassByName()
    {
        Folder folder;
        folder.add("vocab.json", kVocabulary).add("merges.txt", kMerges);
        folder.add("tokenizer_config.json", R"({"tokenizer_class": "CLIPTokenizer"})");
        const auto tokenizer = folder.load();
        QVERIFY(!tokenizer);
        QCOMPARE(tokenizer.error().code, ErrorCode::UnsupportedFeature);
        QVERIFY(messageOf(tokenizer).contains(u"\"CLIPTokenizer\" are not known"_qs));
    }

    void refusesBrokenFilesByName_data()
    {
        QTest::addColumn<QByteArray>("vocabulary");
        QTest::addColumn<QByteArray>("merges");
        QTest::addColumn<QString>("message");
        QTest::newRow("vocabulary is empty")
            << QByteArray() << QByteArray(kMerges) << u"vocab.json: "_qs;
        QTest::newRow("vocabulary is no object") << QByteArray("[1]") << QByteArray(kMerges)
                                                 << u"vocab.json: expected an object of tokens"_qs;
        QTest::newRow("id out of range") << QByteArray(R"({"a": 1e300})") << QByteArray(kMerges)
                                         << u"vocab.json: token \"a\": expected an id"_qs;
        QTest::newRow("no merges") << QByteArray(kVocabulary) << QByteArray("#version: 0.2\n")
                                   << u"merges.txt: expected a merge a line, found none"_qs;
        QTest::newRow("merge of a missing token")
            << QByteArray(kVocabulary) << QByteArray("a b\nb a\n")
            << u"merges.txt: line 2: merge of \"b\" and \"a\": token \"ba\" is not in"_qs;
        QTest::newRow("half a merge") << QByteArray(kVocabulary) << QByteArray("a b\na\n")
                                      << u"merges.txt: line 2: expected a merge as two tokens"_qs;
        QTest::newRow("binary") << QByteArray(kVocabulary) << QByteArray("\x00\xFF\x00 \x01", 5)
                                << u"merges.txt: line 1: "_qs;
    }
    void refusesBrokenFilesByName()
    {
        QFETCH(QByteArray, vocabulary);
        QFETCH(QByteArray, merges);
        QFETCH(QString, message);
        Folder folder;
        folder.add("vocab.json", vocabulary.toStdString());
        folder.add("merges.txt", merges.toStdString());
        const auto tokenizer = folder.load();
        QVERIFY(!tokenizer);
        QVERIFY2(messageOf(tokenizer).contains(message), qPrintable(messageOf(tokenizer)));
    }
};

QTEST_APPLESS_MAIN(VocabMergesTest)
#include "VocabMergesTest.moc"
