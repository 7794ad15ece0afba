#include "engine/tokenizer/TokenizerSpec.h"

#include "tests/engine/tokenizer/TokenizerTesting.h"

#include <QtTest/QTest>

using namespace engine;

namespace {

TokenizerSpec specWith(const std::vector<std::pair<std::string, TokenKind>>& pieces)
{
    VocabularyBuilder builder("v");
    for (std::size_t i = 0; i < pieces.size(); ++i)
        if (!builder.add(static_cast<std::int64_t>(i), pieces[i].first, pieces[i].second))
            qFatal("test vocabulary");
    TokenizerSpec spec;
    spec.vocabulary = *std::move(builder).build();
    return spec;
}

QString stops(const TokenizerSpec& spec)
{
    QStringList shown;
    for (const TokenId id : spec.stopTokens)
        shown << QString::number(id.value);
    return shown.join(QLatin1Char(','));
}

} // namespace

class TokenizerSpecTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void stopsAtTheEndOfTextAndOfTurn()
    {
        TokenizerSpec spec = specWith({{"a", TokenKind::Normal},
                                       {"<|end_of_text|>", TokenKind::Control},
                                       {"<|eot_id|>", TokenKind::Control},
                                       {"<|eom_id|>", TokenKind::Control}});
        spec.addRole("eos", {1});
        findStopTokens(spec);
        QCOMPARE(stops(spec), u"1,2,3"_qs);
        QCOMPARE(spec.role("eot").value_or(TokenId{}).value, 2);
        QCOMPARE(spec.role("eom").value_or(TokenId{}).value, 3);
    }

    void takesTheEndOfTurnThatTheFileNames()
    {
        TokenizerSpec spec =
            specWith({{"x", TokenKind::Control}, {"<|im_end|>", TokenKind::Control}});
        spec.addRole("eot", {0});
        findStopTokens(spec);
        QCOMPARE(spec.role("eot").value_or(TokenId{}).value, 0);
        QCOMPARE(stops(spec), u"0,1"_qs);
    }

    void doesNotStopAtAPlainPieceOfThatName()
    {
        TokenizerSpec spec =
            specWith({{"</s>", TokenKind::Normal}, {"<|end|>", TokenKind::Normal}});
        findStopTokens(spec);
        QCOMPARE(stops(spec), QString());
    }

    void goesOnPastTheEndOfAMessageThatIsNotTheAnswersEnd()
    {
        TokenizerSpec spec = specWith({{"<|end|>", TokenKind::Control},
                                       {"<|return|>", TokenKind::Control},
                                       {"<|call|>", TokenKind::Control}});
        findStopTokens(spec);
        QCOMPARE(stops(spec), u"1,2"_qs);
    }

    void makesATokenSpecialOnce()
    {
        TokenizerSpec spec = specWith({{"<s>", TokenKind::Normal}});
        spec.makeSpecial({0});
        spec.makeSpecial({0});
        QCOMPARE(spec.addedTokens.size(), std::size_t(1));
        QVERIFY(spec.addedTokens[0].special);
        QVERIFY(!spec.vocabulary.findText("<s>"));
    }
};

QTEST_APPLESS_MAIN(TokenizerSpecTest)
#include "TokenizerSpecTest.moc"
