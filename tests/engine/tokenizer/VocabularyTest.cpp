#include "engine/tokenizer/Vocabulary.h"

#include <QtTest/QTest>

using namespace engine;

class VocabularyTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsEveryPieceByItsId()
    {
        VocabularyBuilder builder("v.json");
        for (int i = 0; i < 5000; ++i)
            QVERIFY(builder.add(4999 - i, "piece" + std::to_string(4999 - i), TokenKind::Normal));
        const auto vocabulary = std::move(builder).build();
        QVERIFY(vocabulary);
        QCOMPARE(vocabulary->size(), 5000);
        for (int i = 0; i < 5000; ++i)
            QCOMPARE(vocabulary->find("piece" + std::to_string(i)).value_or(TokenId{}).value, i);
        QVERIFY(!vocabulary->find("piece5000"));
        QVERIFY(!vocabulary->find(""));
    }

    void keepsSpecialByteAndUnusedTokensOutOfText()
    {
        VocabularyBuilder builder("v.json");
        QVERIFY(builder.add(0, "<s>", TokenKind::Control));
        QVERIFY(builder.add(1, "<0x0A>", TokenKind::Byte));
        QVERIFY(builder.add(2, "[PAD2]", TokenKind::Unused));
        QVERIFY(builder.add(3, "a", TokenKind::Normal));
        QVERIFY(builder.add(4, "<mask>", TokenKind::UserDefined));
        const auto vocabulary = std::move(builder).build();
        QVERIFY(vocabulary);
        for (const char* piece : {"<s>", "<0x0A>", "[PAD2]"}) {
            QVERIFY(vocabulary->find(piece));
            QVERIFY(!vocabulary->findText(piece));
        }
        QCOMPARE(vocabulary->findText("a").value_or(TokenId{}).value, 3);
        QCOMPARE(vocabulary->findText("<mask>").value_or(TokenId{}).value, 4);
        QCOMPARE(vocabulary->byteToken(10).value_or(TokenId{}).value, 1);
        QVERIFY(!vocabulary->byteToken(11));
    }

    void leavesHolesUnused()
    {
        VocabularyBuilder builder("v.json");
        QVERIFY(builder.add(3, "a", TokenKind::Normal));
        const auto vocabulary = std::move(builder).build();
        QVERIFY(vocabulary);
        QCOMPARE(vocabulary->size(), 4);
        QCOMPARE((*vocabulary)[TokenId{1}].kind, TokenKind::Unused);
        QVERIFY(!vocabulary->contains(TokenId{-1}));
        QVERIFY(!vocabulary->contains(TokenId{4}));
    }

    void refusesIdsOutOfRange_data()
    {
        QTest::addColumn<qlonglong>("id");
        QTest::newRow("negative") << qlonglong(-1);
        QTest::newRow("huge") << qlonglong(1) * Vocabulary::kMaximumSize;
        QTest::newRow("beyond 32 bits") << (qlonglong(1) << 40);
    }
    void refusesIdsOutOfRange()
    {
        QFETCH(qlonglong, id);
        VocabularyBuilder builder("v.json");
        const auto done = builder.add(id, "a", TokenKind::Normal);
        QVERIFY(!done);
        QCOMPARE(done.error().code, ErrorCode::BadFormat);
        QVERIFY(done.error().message.starts_with("v.json: token \"a\": expected an id from 0"));
        QVERIFY(builder.add(0, "a", TokenKind::Normal));
    }

    void refusesTwoPiecesForOneIdAndTwoIdsForOnePiece()
    {
        VocabularyBuilder builder("v.json");
        QVERIFY(builder.add(0, "a", TokenKind::Normal));
        QCOMPARE(builder.add(0, "b", TokenKind::Normal).error().message,
                 std::string("v.json: id 0: expected one token, found \"a\" and \"b\""));
        QVERIFY(builder.add(7, "a", TokenKind::Normal));
        QCOMPARE(std::move(builder).build().error().message,
                 std::string("v.json: token \"a\": expected one id, found 0 and 7"));
    }

    void readsBytePieces()
    {
        QCOMPARE(int(byteOfPiece("<0x0A>").value_or(0)), 10);
        QCOMPARE(int(byteOfPiece("<0xff>").value_or(0)), 255);
        for (const char* piece : {"<0xG0>", "<0x0>", "<0x00", "<0x000>", "0x00", ""})
            QVERIFY(!byteOfPiece(piece));
    }
};

QTEST_APPLESS_MAIN(VocabularyTest)
#include "VocabularyTest.moc"
