#include "ui/explore/TokenFinder.h"

#include <QTest>

using ui::findTokens;
using ui::TokenMatches;

namespace {

std::vector<engine::TokenPiece> vocabulary()
{
    std::vector<engine::TokenPiece> pieces;
    for (const char* text : {"cat", " cat", " cats", "concat", "dog", "4", " ", "\n", "<b>", "42"})
        pieces.push_back({engine::TokenId{static_cast<std::int32_t>(pieces.size())}, text, {}});
    return pieces;
}

std::vector<int> ids(const TokenMatches& matches)
{
    std::vector<int> result;
    for (const engine::TokenPiece& piece : matches.shown)
        result.push_back(piece.id.value);
    return result;
}

} // namespace

class TokenFinderTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theBestComeFirst()
    {
        const TokenMatches matches = findTokens(vocabulary(), QStringLiteral("cat"), 10);
        QCOMPARE(ids(matches), std::vector<int>({0, 1, 2, 3}));
        QCOMPARE(matches.count, std::int64_t(4));
        // A space that was typed counts.
        QCOMPARE(ids(findTokens(vocabulary(), QStringLiteral(" cat"), 10)),
                 std::vector<int>({1, 2}));
    }

    void signsStandForWhatTheyShow()
    {
        QCOMPARE(ids(findTokens(vocabulary(), QString(QChar(0x2423)) + QStringLiteral("cats"), 10)),
                 std::vector<int>({2}));
        QCOMPARE(ids(findTokens(vocabulary(), QString(QChar(0x21B5)), 10)), std::vector<int>({7}));
    }

    void aNumberIsAnIdAndAText()
    {
        QCOMPARE(ids(findTokens(vocabulary(), QStringLiteral("4"), 10)),
                 std::vector<int>({4, 5, 9}));
        QCOMPARE(ids(findTokens(vocabulary(), QStringLiteral("8"), 10)), std::vector<int>({8}));
        QCOMPARE(findTokens(vocabulary(), QStringLiteral("-1"), 10).count, std::int64_t(0));
        QCOMPARE(findTokens(vocabulary(), QStringLiteral("99999999999"), 10).count,
                 std::int64_t(0));
    }

    void markupIsText()
    {
        QCOMPARE(ids(findTokens(vocabulary(), QStringLiteral("<b>"), 10)), std::vector<int>({8}));
    }

    void allAreCountedAndTheFirstShown()
    {
        const TokenMatches matches = findTokens(vocabulary(), QStringLiteral("cat"), 2);
        QCOMPARE(ids(matches), std::vector<int>({0, 1}));
        QCOMPARE(matches.count, std::int64_t(4));
        QCOMPARE(findTokens(vocabulary(), QString(), 10).count, std::int64_t(0));
    }
};

QTEST_APPLESS_MAIN(TokenFinderTest)
#include "TokenFinderTest.moc"
