#include "engine/tokenizer/ByteLevelBpe.h"

#include "tests/engine/tokenizer/TokenizerTesting.h"

#include <QtTest/QTest>

using namespace engine;
using namespace tokenizerTesting;

class ByteLevelBpeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void encodesByHand_data()
    {
        QTest::addColumn<QByteArray>("input");
        QTest::addColumn<QString>("ids");
        // Words: abc, " ab". "a b" was learned before "Ġ a", so the space stays alone.
        QTest::newRow("abc ab") << QByteArray("abc ab") << u"6,3,4"_qs;
        QTest::newRow(" a") << QByteArray(" a") << u"5"_qs;
        QTest::newRow("ba") << QByteArray("ba") << u"1,0"_qs;
        QTest::newRow("empty") << QByteArray("") << u""_qs;
    }
    void encodesByHand()
    {
        QFETCH(QByteArray, input);
        QFETCH(QString, ids);
        Folder folder;
        folder.add("tokenizer.json",
                   byteLevelJson({"a", "b", "c", "Ġ", "ab", "Ġa", "abc"}, {"a b", "Ġ a", "ab c"}));
        const auto tokenizer = folder.load();
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        QCOMPARE(show((*tokenizer)->encode(input.toStdString(), {})), ids);
        QCOMPARE(QByteArray::fromStdString(roundTrip(**tokenizer, input.toStdString())), input);
    }

    void takesAWholeWordOverItsMergesWhereTheFileSaysSo()
    {
        // "ab" and "c" merge to nothing, yet "abc" is a token.
        const std::vector<std::string> pieces = {"a", "b", "c", "ab", "abc", "bc"};
        for (const bool ignores : {false, true}) {
            Folder folder;
            folder.add("tokenizer.json", byteLevelJson(pieces, {"a b"}, "[]", {},
                                                       ignores ? "\"ignore_merges\": true, " : ""));
            const auto tokenizer = folder.load();
            QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
            QCOMPARE(show((*tokenizer)->encode("abc", {})), ignores ? u"4"_qs : u"3,2"_qs);
        }
    }

    void saysWhichByteTheVocabularyLacks()
    {
        Folder folder;
        folder.add("tokenizer.json", byteLevelJson({"a", "b"}, {}));
        const auto tokenizer = folder.load();
        QVERIFY(tokenizer);
        const auto tokens = (*tokenizer)->encode("ax", {});
        QVERIFY(!tokens);
        QCOMPARE(tokens.error().code, ErrorCode::InvalidArgument);
        QCOMPARE(
            show(tokens),
            u"text: the vocabulary has no token for the byte 120, nor one for what is unknown"_qs);
    }

    void takesTheUnknownTokenForWhatTheVocabularyLacks()
    {
        for (const bool fuses : {false, true}) {
            Folder folder;
            folder.add("tokenizer.json",
                       byteLevelJson({"<unk>", "a"}, {}, "[]", {},
                                     std::string("\"unk_token\": \"<unk>\", \"fuse_unk\": ") +
                                         (fuses ? "true, " : "false, ")));
            const auto tokenizer = folder.load();
            QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
            QCOMPARE(show((*tokenizer)->encode("axxa", {})), fuses ? u"1,0,1"_qs : u"1,0,0,1"_qs);
            QCOMPARE((*tokenizer)->piece({0}).kind, TokenKind::Unknown);
        }
    }

    void tellsTheBytesOfEveryPiece()
    {
        Folder folder;
        std::vector<std::string> pieces = bytePieces();
        pieces.emplace_back("ĠÃ");  // a space and the first byte of a character
        pieces.emplace_back("a b"); // not of the alphabet: what it says
        folder.add("tokenizer.json", byteLevelJson(pieces, {"Ġ Ã"}));
        const auto tokenizer = folder.load();
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        for (int byte = 0; byte < 256; ++byte) {
            const TokenId id{byte};
            QCOMPARE((*tokenizer)->piece(id).bytes, std::string(1, static_cast<char>(byte)));
            QCOMPARE((*tokenizer)->decode(std::span(&id, 1)),
                     std::string(1, static_cast<char>(byte)));
        }
        QCOMPARE((*tokenizer)->piece({256}).bytes, std::string(" \xC3"));
        QCOMPARE((*tokenizer)->piece({257}).bytes, std::string("a b"));
        QCOMPARE((*tokenizer)->piece({258}), (TokenPiece{{258}, "", TokenKind::Unused}));
        QCOMPARE((*tokenizer)->piece({-1}), (TokenPiece{{-1}, "", TokenKind::Unused}));
        QCOMPARE(show((*tokenizer)->encode(" é", {})), u"256,169"_qs);
    }

    void takesAMillionBytesWithoutASpace()
    {
        Folder folder;
        std::vector<std::string> pieces = bytePieces();
        for (const char* piece : {"aa", "aaaa", "aaaaaaaa"})
            pieces.emplace_back(piece);
        folder.add("tokenizer.json", byteLevelJson(pieces, {"a a", "aa aa", "aaaa aaaa"}));
        const auto tokenizer = folder.load();
        QVERIFY2(tokenizer, qPrintable(messageOf(tokenizer)));
        const auto tokens = (*tokenizer)->encode(std::string(1000000, 'a'), {});
        QVERIFY(tokens);
        QCOMPARE(tokens->size(), std::size_t(125000));
        QVERIFY(*tokens == std::vector<EncodedToken>(125000, EncodedToken{{258}}));
    }
};

QTEST_APPLESS_MAIN(ByteLevelBpeTest)
#include "ByteLevelBpeTest.moc"
