#include "engine/generation/StartingTokens.h"

#include "engine/model/ModelConfig.h"
#include "engine/model/Transformer.h"
#include "engine/tokenizer/Tokenizer.h"
#include "tests/engine/generation/SessionTesting.h"

#include <QTest>

using namespace engine;
using namespace testing;

namespace {

std::string special()
{
    const auto bos = bundledModel()->tokenizer().bos();
    return bos ? bundledModel()->tokenizer().piece(*bos).bytes : std::string();
}

StartingContext contextOf(const Prompt& prompt, const RunConfig& config = {})
{
    return need(startingContext(*bundledModel(), prompt, config));
}

} // namespace

class StartingTokensTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tokenizesText()
    {
        const std::string text = "Once upon a time";
        const StartingContext context = contextOf(text);
        QCOMPARE(context.text, text);
        std::string bytes;
        for (const ContextToken& token : context.tokens) {
            bytes += token.piece.bytes;
            QVERIFY(token.origin == TokenOrigin::Prompt);
        }
        QCOMPARE(bytes, text);
    }

    void takesIdsAsTheyAre()
    {
        const StartingContext context = contextOf(std::vector<TokenId>{{7}, {5}, {7}});
        QVERIFY(context.text.empty());
        QCOMPARE(context.tokens.size(), std::size_t{3});
        QVERIFY(context.tokens[2].piece.id == TokenId{7});
        QVERIFY(context.tokens[0].piece == bundledModel()->tokenizer().piece(TokenId{7}));
    }

    void leavesSpecialTokensInTextPlainUnlessTold()
    {
        if (special().empty())
            QSKIP("the bundled model's tokenizer has no BOS to write in a prompt");
        const StartingContext plain = contextOf(special());
        for (const ContextToken& token : plain.tokens)
            QVERIFY(token.piece.kind != TokenKind::Control);
        RunConfig config;
        config.parseSpecial = true;
        const StartingContext parsed = contextOf(special(), config);
        QVERIFY(parsed.tokens.back().piece.kind == TokenKind::Control);
        QVERIFY(parsed.tokens.back().origin == TokenOrigin::Special);
        QVERIFY(parsed.tokens.size() < plain.tokens.size());
    }

    void addsBosOnlyAsTold()
    {
        const auto bos = bundledModel()->tokenizer().bos();
        if (!bos)
            QSKIP("the bundled model's tokenizer has no BOS");
        RunConfig config;
        config.addSpecialTokens = true; // by the tokenizer's own rule, which may be to add none
        const StartingContext with = contextOf("Tom", config);
        const bool adds = bundledModel()->tokenizerInfo().addsBos;
        QCOMPARE(with.tokens[0].piece.id == *bos, adds);
        QCOMPARE(with.tokens[0].origin == TokenOrigin::Bos, adds);
        config.addSpecialTokens = false;
        QVERIFY(contextOf("Tom", config).tokens[0].piece.id != *bos);
    }

    void refusesAnEmptyContext()
    {
        RunConfig config;
        config.addSpecialTokens = false;
        for (const Prompt& prompt : {Prompt(std::string()), Prompt(std::vector<TokenId>())}) {
            const auto context = startingContext(*bundledModel(), prompt, config);
            QVERIFY(!context);
            QCOMPARE(context.error().code, ErrorCode::InvalidArgument);
            QVERIFY(context.error().message.find("at least one token") != std::string::npos);
        }
    }

    void refusesIdsOutsideTheVocabulary()
    {
        const int size = bundledModel()->transformer().config().vocabularySize;
        for (const int bad : {-1, size}) {
            const auto context =
                startingContext(*bundledModel(), std::vector<TokenId>{{1}, {bad}}, {});
            QVERIFY(!context);
            QCOMPARE(context.error().code, ErrorCode::InvalidArgument);
            QVERIFY(context.error().message.find("found " + std::to_string(bad) +
                                                 " at position 1") != std::string::npos);
        }
    }

    void refusesTextThatIsNotUtf8()
    {
        QVERIFY(!startingContext(*bundledModel(), std::string("ab\xFF"), {}));
    }

    void refusesChatWithoutAChatTemplate()
    {
        if (!bundledModel()->tokenizerInfo().chatTemplate.empty())
            QSKIP("the bundled model has a chat template");
        RunConfig config;
        config.chat = true;
        const auto context = startingContext(*bundledModel(), std::string("Hello"), config);
        QVERIFY(!context);
        QCOMPARE(context.error().code, ErrorCode::UnsupportedFeature);
    }
};

QTEST_APPLESS_MAIN(StartingTokensTest)
#include "StartingTokensTest.moc"
