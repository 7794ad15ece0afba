#include "ui/TokenStripLayout.h"

#include <QTest>

using engine::ContextToken;
using engine::TokenKind;
using ui::JoinedTokens;
using ui::TokenStripLayout;

namespace {

std::vector<ContextToken> tokensOf(const std::vector<std::string>& bytes)
{
    std::vector<ContextToken> tokens;
    for (const std::string& each : bytes)
        tokens.push_back({{{static_cast<int>(tokens.size())}, each, TokenKind::Normal}, {}});
    return tokens;
}

TokenStripLayout::Sizes sizes()
{
    return {100, 20, 10, 8, 5, 4};
}

} // namespace

class TokenStripLayoutTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void joinsACharacterSplitOverTwoTokens();
    void joinsChainsOfSplitCharacters();
    void leavesWholeCharactersAlone();
    void bytesThatMakeNoCharacterAreNotJoined();
    void aSpecialTokenEndsACharacter();
    void wrapsAtTheWidth();
    void breaksAfterANewline();
    void aChipWiderThanTheStripGetsItsWidth();
    void aBracketMakesItsRowTaller();
    void theEndMarkFollowsOrWraps();
    void hitTestingFindsChipAndIdButNotTheGap();
    void tenThousandChipsStayFindable();
};

void TokenStripLayoutTest::joinsACharacterSplitOverTwoTokens()
{
    const auto joins = ui::joinedTokens(tokensOf({"a", "\xE5\xA5", "\xBD", "b"}));
    QCOMPARE(joins, (std::vector<JoinedTokens>{{1, 2, QString(QChar(0x597D))}}));
}

void TokenStripLayoutTest::joinsChainsOfSplitCharacters()
{
    // Two characters; the middle token ends the first and begins the second.
    const auto joins = ui::joinedTokens(tokensOf({"\xE5\xA5", "\xBD\xE5", "\xA5\xBD"}));
    QCOMPARE(joins, (std::vector<JoinedTokens>{{0, 2, QString(QChar(0x597D)) + QChar(0x597D)}}));
    // One emoji over four tokens.
    const auto four = ui::joinedTokens(tokensOf({"\xF0", "\x9F", "\x98", "\x80"}));
    QCOMPARE(four, (std::vector<JoinedTokens>{{0, 3, QString::fromUtf8("\xF0\x9F\x98\x80")}}));
}

void TokenStripLayoutTest::leavesWholeCharactersAlone()
{
    QVERIFY(ui::joinedTokens(tokensOf({"abc", "\xE4\xBD\xA0", " ", ""})).empty());
}

void TokenStripLayoutTest::bytesThatMakeNoCharacterAreNotJoined()
{
    QVERIFY(ui::joinedTokens(tokensOf({"\xE5\xA5", "x", "\xBD"})).empty());
    // An overlong form of "/": right shape, no character.
    QVERIFY(ui::joinedTokens(tokensOf({"\xC0", "\xAF"})).empty());
    QVERIFY(ui::joinedTokens(tokensOf({"\xFF", "\xBF"})).empty());
    // Unfinished at the end of the context.
    QVERIFY(ui::joinedTokens(tokensOf({"\xF0\x9F", "\x98"})).empty());
}

void TokenStripLayoutTest::aSpecialTokenEndsACharacter()
{
    auto tokens = tokensOf({"\xE5\xA5", "<s>", "\xBD"});
    tokens[1].piece.kind = TokenKind::Control;
    QVERIFY(ui::joinedTokens(tokens).empty());
}

void TokenStripLayoutTest::wrapsAtTheWidth()
{
    TokenStripLayout layout;
    layout.arrange(sizes(), {40, 40, 40}, tokensOf({"a", "b", "c"}), {}, {});
    QCOMPARE(layout.chips()[0], QRectF(0, 0, 40, 20));
    QCOMPARE(layout.chips()[1], QRectF(45, 0, 40, 20));
    QCOMPARE(layout.chips()[2], QRectF(0, 34, 40, 20));
    QCOMPARE(layout.rows().size(), std::size_t(2));
    QCOMPARE(layout.height(), 64.0);
}

void TokenStripLayoutTest::breaksAfterANewline()
{
    TokenStripLayout layout;
    layout.arrange(sizes(), {20, 20, 20}, tokensOf({"a", ".\n", "b"}), {}, {});
    QCOMPARE(layout.rowOf(1), 0);
    QCOMPARE(layout.rowOf(2), 1);
}

void TokenStripLayoutTest::aChipWiderThanTheStripGetsItsWidth()
{
    TokenStripLayout layout;
    layout.arrange(sizes(), {20, 900, 20}, tokensOf({"a", "b", "c"}), {}, {});
    QCOMPARE(layout.chips()[1], QRectF(0, 34, 100, 20));
    QCOMPARE(layout.rowOf(2), 2);
}

void TokenStripLayoutTest::aBracketMakesItsRowTaller()
{
    TokenStripLayout layout;
    layout.arrange(sizes(), {60, 60, 60}, tokensOf({"a", "b", "c"}), {{1, 2, {}}}, {});
    QVERIFY(!layout.rows()[0].hasJoin);
    QVERIFY(layout.rows()[1].hasJoin);
    QVERIFY(layout.rows()[2].hasJoin);
    QCOMPARE(layout.chips()[1].top(), layout.rows()[1].top + 8);
}

void TokenStripLayoutTest::theEndMarkFollowsOrWraps()
{
    TokenStripLayout layout;
    layout.arrange(sizes(), {40}, tokensOf({"a"}), {}, 50.0);
    QCOMPARE(layout.endMark(), QRectF(45, 0, 50, 20));
    layout.arrange(sizes(), {40}, tokensOf({"a"}), {}, 70.0);
    QCOMPARE(layout.endMark(), QRectF(0, 34, 70, 20));
    layout.arrange(sizes(), {40}, tokensOf({"a\n"}), {}, 10.0);
    QCOMPARE(layout.endMark().topLeft(), QPointF(0, 34));
    layout.arrange(sizes(), {}, {}, {}, 10.0);
    QCOMPARE(layout.endMark().topLeft(), QPointF(0, 0));
}

void TokenStripLayoutTest::hitTestingFindsChipAndIdButNotTheGap()
{
    TokenStripLayout layout;
    layout.arrange(sizes(), {40, 40, 40}, tokensOf({"a", "b", "c"}), {}, {});
    QCOMPARE(layout.chipAt({10, 10}), 0);
    QCOMPARE(layout.chipAt({10, 28}), 0);
    QCOMPARE(layout.chipAt({42, 10}), -1);
    QCOMPARE(layout.chipAt({50, 10}), 1);
    QCOMPARE(layout.chipAt({10, 40}), 2);
    QCOMPARE(layout.chipAt({10, 400}), -1);
    QCOMPARE(TokenStripLayout().chipAt({1, 1}), -1);
}

void TokenStripLayoutTest::tenThousandChipsStayFindable()
{
    const std::size_t count = 10'000;
    const auto tokens = tokensOf(std::vector<std::string>(count, "x"));
    TokenStripLayout layout;
    layout.arrange(sizes(), std::vector<double>(count, 20), tokens, {}, {});
    QCOMPARE(layout.rows().size(), count / 4);
    const QRectF last = layout.chips().back();
    QCOMPARE(layout.chipAt(last.center()), static_cast<int>(count) - 1);
    QCOMPARE(layout.firstRowBelow(last.top()), layout.rowOf(static_cast<int>(count) - 1));
}

QTEST_APPLESS_MAIN(TokenStripLayoutTest)
#include "TokenStripLayoutTest.moc"
