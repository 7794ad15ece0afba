#include "ModelTesting.h"

#include <QtTest/QTest>

using namespace engine;

class ForwardStateTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void beginsEmptyAndCostsNothing()
    {
        const Transformer model = tests::openTransformer(tests::modelData("llama-f32.gguf"));
        const std::unique_ptr<ForwardState> state = model.newState(2);
        QCOMPARE(state->length(), 0);
        QCOMPARE(state->threads(), 2);
        QCOMPARE(state->cacheBytes(), std::size_t{0});
    }

    void growsWithTheTokensRead()
    {
        const Transformer model = tests::openTransformer(tests::modelData("llama-f32.gguf"));
        const std::unique_ptr<ForwardState> state = model.newState(1);
        tests::forward(model, tests::someTokens(model, 3), *state);
        QCOMPARE(state->length(), 3);
        QVERIFY(state->cacheBytes() > 0);
    }

    void truncateKeepsToWhatWasRead()
    {
        const Transformer model = tests::openTransformer(tests::modelData("llama-f32.gguf"));
        const std::unique_ptr<ForwardState> state = model.newState(1);
        tests::forward(model, tests::someTokens(model, 3), *state);
        state->truncate(10);
        QCOMPARE(state->length(), 3);
        state->truncate(1);
        QCOMPARE(state->length(), 1);
        state->truncate(-1);
        QCOMPARE(state->length(), 0);
    }
};

QTEST_APPLESS_MAIN(ForwardStateTest)
#include "ForwardStateTest.moc"
