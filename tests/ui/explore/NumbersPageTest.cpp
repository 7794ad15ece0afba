#include "ui/explore/NumbersPage.h"

#include "tests/ui/support/DrawnText.h"
#include "tests/ui/support/HandmadeStep.h"
#include "tests/ui/support/SampleRun.h"
#include "ui/StepModel.h"

#include <QTest>

#include <cmath>

using ui::NumbersPage;

namespace {

/// Two steps whose numbers are known: the first of 50 and 25 %, the second a tie.
engine::Run knownRun()
{
    engine::Run run = support::sampleRun();
    run.steps = {support::handmadeStep({0.5, 0.25, 0.25}, 3, 0, 0),
                 support::handmadeStep({0.25, 0.25, 0.25, 0.25}, 4, 1, 0)};
    for (std::size_t i = 0; i < 2; ++i) {
        engine::Step& step = run.steps[i];
        step.index = static_cast<int>(i);
        step.logSumExp = 3;
        step.entropyBits = i == 0 ? 1.5 : 2.0;
        for (engine::Candidate& candidate : step.candidates)
            candidate.logit = static_cast<float>(3 + std::log(candidate.probability));
    }
    return run;
}

} // namespace

class NumbersPageTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void saysTheNumbersOfTheStepWithTheirFormulas()
    {
        ui::StepModel steps;
        NumbersPage page;
        page.showStep(steps);
        QVERIFY(page.value(QStringLiteral("Entropy")).isEmpty());
        steps.setRun(knownRun());
        steps.select(0);
        page.showStep(steps);
        QCOMPARE(page.value(QStringLiteral("Log-probability")), QStringLiteral("−0.693"));
        QVERIFY(page.formula(QStringLiteral("Log-probability"))
                    .endsWith(QStringLiteral("= 2.307 − 3.000")));
        QCOMPARE(page.value(QStringLiteral("Surprise")), QStringLiteral("1.00 bit"));
        QCOMPARE(page.value(QStringLiteral("Effective choices")), QStringLiteral("2.83"));
        QCOMPARE(page.value(QStringLiteral("Margin")), QStringLiteral("25.0 %"));
        steps.select(1);
        page.showStep(steps);
        QVERIFY(page.formula(QStringLiteral("Margin")).contains(QStringLiteral("a tie")));
        // ln 0.5 + ln 0.25 = -2.079; e^(2.079 / 2) = 2.83
        QCOMPARE(page.value(QStringLiteral("Sum of log-probabilities")), QStringLiteral("−2.079"));
        QCOMPARE(page.value(QStringLiteral("Perplexity")), QStringLiteral("2.83"));
    }

    void nothingIsCutOff()
    {
        for (const int width : {480, 700, 1100}) {
            ui::StepModel steps;
            NumbersPage page;
            page.resize(width, 400);
            page.setTheme(ui::Theme::light());
            page.setStyleSheet(ui::Theme::light().styleSheet());
            steps.setRun(support::sampleRun());
            page.show();
            page.showStep(steps);
            QTRY_COMPARE(support::textFaults(page).join(QLatin1Char('\n')), QString());
        }
    }
};

QTEST_MAIN(NumbersPageTest)
#include "NumbersPageTest.moc"
