#include "ui/compare/PartingText.h"

#include "tests/ui/compare/ComparedLetters.h"

#include <QTest>

using engine::ChainSetting;
using engine::PartingCause;
using engine::RunParting;

class PartingTextTest : public QObject
{
    Q_OBJECT

private:
    static RunParting drawn() { return support::drawParting(4, 0.25, 0.6112); }

private Q_SLOTS:
    void namesTheDrawsAndTheRanks()
    {
        QCOMPARE(ui::partingText(drawn(), 1),
                 QStringLiteral("step 4: same logits and probabilities; A’s draw u = 0.250 picks "
                                "rank 1, B’s draw u = 0.611 picks rank 2"));
    }

    void drawsThatLookAlikeGetMoreDecimals()
    {
        const RunParting parting = support::drawParting(4, 0.61112, 0.61118);
        QVERIFY(ui::partingText(parting, 2).contains(QStringLiteral("u = 0.6111 ")));
        QVERIFY(ui::partingText(parting, 2).contains(QStringLiteral("C’s draw u = 0.6112")));
    }

    void greedyTakesTheLargest()
    {
        RunParting parting = drawn();
        parting.cause = PartingCause::Settings;
        parting.settings = {ChainSetting::Rule};
        parting.first.draw.reset();
        QCOMPARE(
            ui::partingText(parting, 1),
            QStringLiteral("step 4: same logits; A takes the largest, B’s draw u = 0.611 picks "
                           "rank 2"));
    }

    void namesTheSettingsThatDiffer()
    {
        RunParting parting = support::drawParting(4, 0.611, 0.611);
        parting.cause = PartingCause::Settings;
        parting.settings = {ChainSetting::Temperature, ChainSetting::TopK};
        parting.first.sampling.temperature = 0.7;
        parting.other.sampling.temperature = 1.5;
        parting.other.sampling.topK = 1200;
        QCOMPARE(ui::partingText(parting, 3),
                 QStringLiteral("step 4: same logits; the settings differ (temperature 0.70 and "
                                "1.50; top-k 0 and 1,200); the draw u = 0.611 picks rank 1 in A "
                                "and rank 2 in D"));
    }

    void namesTheModelAndSinceWhen()
    {
        RunParting parting = drawn();
        parting.cause = PartingCause::Logits;
        parting.sameModel = false;
        parting.logitsDifferSince = 0;
        const QString text = ui::partingText(parting, 1);
        QVERIFY2(text.startsWith(QStringLiteral(
                     "step 4: other logits, from another model, and that since step 0; A’s draw")),
                 qPrintable(text));
        parting.sameModel = true;
        QVERIFY(ui::partingText(parting, 1)
                    .contains(QStringLiteral("although model and context are the same")));
    }

    void saysWhatWasPutInByHand()
    {
        RunParting parting = drawn();
        parting.cause = PartingCause::Forced;
        parting.other.forced = true;
        QCOMPARE(ui::partingText(parting, 1),
                 QStringLiteral("step 4: same logits; the token was put in by hand in B (rank 2)"));
    }

    void promptsPartBeforeAnyStep()
    {
        RunParting parting;
        parting.cause = PartingCause::Context;
        parting.contextPosition = 5;
        QCOMPARE(ui::partingText(parting, 1), QStringLiteral("the prompts differ from token 5 on"));
        QCOMPARE(ui::partingFlag(parting), QStringLiteral("diverges in the prompt"));
        QCOMPARE(ui::partingFlag(drawn()), QStringLiteral("diverges at step 4"));
    }

    void marksAreWordedToo()
    {
        QCOMPARE(ui::agreementText({12, 14, 6}), QStringLiteral("= A 12–17"));
        QCOMPARE(ui::loopText({3, 4, 2, 9}), QStringLiteral("repeats 4 tokens, 2 times"));
        QCOMPARE(ui::loopText({3, 1, 7, 7}), QStringLiteral("repeats one token, 7 times"));
    }
};

QTEST_MAIN(PartingTextTest)
#include "PartingTextTest.moc"
