#include "ui/stages/TokenizeCard.h"

#include "tests/ui/support/SampleRun.h"
#include "ui/StepModel.h"

#include <QTest>

class TokenizeCardTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void endsWithTheLastTokenTheModelRead()
    {
        ui::StepModel steps;
        const engine::Run run = support::sampleRun();
        steps.setRun(run);
        steps.select(10);
        ui::TokenizeCard card;
        card.showStep(steps);
        QCOMPARE(static_cast<int>(card.context().size()), run.steps[10].contextLength);
        QCOMPARE(card.context().back().piece.id, run.steps[9].picked);
    }

    void showsThePromptBeforeTheFirstStep()
    {
        ui::StepModel steps;
        const engine::Run run = support::promptOnlyRun();
        steps.setRun(run);
        ui::TokenizeCard card;
        card.showStep(steps);
        QCOMPARE(card.context(), run.context.tokens);
    }
};

QTEST_MAIN(TokenizeCardTest)
#include "TokenizeCardTest.moc"
