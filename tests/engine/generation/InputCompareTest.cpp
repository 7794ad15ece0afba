#include "engine/generation/InputCompare.h"

#include "tests/engine/generation/TraceTesting.h"

#include <QTest>

using namespace engine;
using namespace testing;

class InputCompareTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void contextsAreTheSameByTheirIds()
    {
        const StartingContext a = plainRun(1).context;
        StartingContext b = a;
        b.text = "other words for the same ids";
        QVERIFY(sameIds(a, b));
        b.tokens.pop_back();
        QVERIFY(!sameIds(a, b) && !sameIds(b, a));
    }

    void aDigestDecidesWhereBothHaveOne()
    {
        ModelInfo a = plainRun(1).model;
        ModelInfo b = a;
        b.name = "renamed";
        QVERIFY(sameModel(a, b));
        b.sha256 = digest('9');
        QVERIFY(!sameModel(a, b));
        b.sha256.clear();
        QVERIFY(!sameModel(a, b)); // by its name then
        b.name = a.name;
        QVERIFY(sameModel(a, b));
    }

    void tokenizersLikewise()
    {
        TokenizerInfo a = plainRun(1).tokenizer;
        TokenizerInfo b = a;
        b.vocabularySize += 1;
        QVERIFY(sameTokenizer(a, b));
        b.sha256.clear();
        QVERIFY(!sameTokenizer(a, b));
    }
};

QTEST_APPLESS_MAIN(InputCompareTest)
#include "InputCompareTest.moc"
