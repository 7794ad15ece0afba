#include "engine/tokenizer/SpaceCuts.h"

#include <QtTest/QTest>

using namespace engine;

namespace {

Vocabulary vocabularyOf(std::initializer_list<const char*> pieces)
{
    std::vector<VocabularyEntry> entries;
    for (const char* piece : pieces)
        entries.push_back({piece, TokenKind::Normal, 0});
    return *Vocabulary::build(std::move(entries), "t");
}

} // namespace

class SpaceCutsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cutsBeforeASpaceThatFollowsSomethingElse()
    {
        QCOMPARE(untilSpaceCut("▁a▁b"), std::string_view("▁a"));
        QCOMPARE(untilSpaceCut("▁▁a▁▁b"), std::string_view("▁▁a"));
        QCOMPARE(untilSpaceCut("ab"), std::string_view("ab"));
        QCOMPARE(untilSpaceCut("▁▁"), std::string_view("▁▁"));
        QCOMPARE(untilSpaceCut(""), std::string_view(""));
    }

    void cutsOnlyWhereNoPieceReachesAcross()
    {
        QVERIFY(canCutBeforeSpaces(vocabularyOf({"▁", "a", "▁a", "▁▁"})));
        QVERIFY(!canCutBeforeSpaces(vocabularyOf({"▁", "a", "a▁"})));
        QVERIFY(!canCutBeforeSpaces(vocabularyOf({"▁", "▁a▁b"})));
        QVERIFY(!canCutBeforeSpaces(vocabularyOf({"a", "▁a"}))); // a space alone is unknown
    }
};

QTEST_APPLESS_MAIN(SpaceCutsTest)
#include "SpaceCutsTest.moc"
