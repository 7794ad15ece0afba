#include "app/AppController.h"
#include "ui/Board.h"
#include "ui/DistributionChart.h"
#include "ui/DistributionView.h"
#include "ui/MainWindow.h"
#include "ui/StatusLine.h"
#include "ui/StepModel.h"
#include "ui/StepPages.h"
#include "ui/compare/CompareActions.h"
#include "ui/explore/JumpActions.h"
#include "ui/explore/NumbersPage.h"

#include <QDir>
#include <QTest>

#include <cmath>
#include <memory>

/// Numbers, jumps and axes, on the bundled model. TOKENSCOPE_PICTURES names a folder for pictures.
class ExploreWindowTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<ui::MainWindow> m_window;
    std::unique_ptr<app::AppController> m_controller;

    ui::StepModel& steps() { return m_window->steps(); }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::keyClick(m_window.get(), key, modifiers);
    }
    void settle() { QTRY_VERIFY_WITH_TIMEOUT(!m_controller->isBusy(), 20000); }
    void picture(const QString& name)
    {
        const QString folder = qEnvironmentVariable("TOKENSCOPE_PICTURES");
        if (folder.isEmpty())
            return;
        QTest::qWait(60);
        m_window->grab().save(QDir(folder).filePath(name));
    }

private Q_SLOTS:
    void init()
    {
        m_window = std::make_unique<ui::MainWindow>();
        m_window->resize(1280, 800);
        m_controller = std::make_unique<app::AppController>(*m_window, 2);
        engine::SamplingConfig sampling;
        sampling.rule = engine::DecodingRule::Sample;
        sampling.temperature = 0.9;
        sampling.topP = 0.9;
        sampling.seed = 11;
        m_controller->setInitialRun(
            QStringLiteral("Once upon a time, there was a little girl named"), sampling,
            std::nullopt);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_controller->openPath(QStringLiteral(TOKENSCOPE_RESOURCES "/model"));
        QTRY_COMPARE_WITH_TIMEOUT(steps().stepCount(), 1, 20000);
        m_controller->makeSteps(11);
        QTRY_COMPARE_WITH_TIMEOUT(steps().stepCount(), 12, 20000);
        settle();
        m_window->setFocus();
    }
    void cleanup()
    {
        m_controller.reset();
        m_window.reset();
    }

    void theNumbersAreThoseOfTheRecord()
    {
        ui::NumbersPage& page = *m_window->board()->numbers();
        m_window->board()->pages()->showPage(&page);
        double sum = 0;
        for (int i = 0; i < steps().stepCount(); ++i) {
            steps().select(i);
            const engine::Step& step = *steps().selectedStep();
            sum += std::log(step.find(step.picked)->probability);
            const double shown = page.value(QStringLiteral("Sum of log-probabilities"))
                                     .replace(QChar(0x2212), QLatin1Char('-'))
                                     .toDouble();
            QVERIFY(std::abs(shown - sum) < 0.0006);
            const double perplexity = page.value(QStringLiteral("Perplexity")).toDouble();
            QVERIFY(std::abs(perplexity - std::exp(-sum / (i + 1))) < 0.006);
        }
        steps().select(4);
        picture(QStringLiteral("numbers-light.png"));
        m_window->setTheme(ui::Theme::dark());
        m_window->resize(1024, 640);
        picture(QStringLiteral("numbers-dark-1024.png"));
    }

    void keysJumpToUncertainStepsAndOtherPicks()
    {
        steps().select(0);
        int found = 0;
        for (int from = 0; found < 20; ++found) {
            const auto next = ui::findStep(steps().run(), from, 1, ui::JumpTo::NotArgmax);
            key(Qt::Key_N);
            if (!next) {
                QVERIFY(m_window->statusLine()->text().contains(QStringLiteral("No later step")));
                break;
            }
            QCOMPARE(steps().selected(), *next);
            QVERIFY(steps().selectedStep()->picked != steps().selectedStep()->argmax);
            from = *next;
        }
        QVERIFY(found > 0 && found < 20);
        steps().select(0);
        key(Qt::Key_U);
        QVERIFY(steps().selected() == 0 || steps().selectedStep()->entropyBits >= 2);
        key(Qt::Key_U, Qt::ShiftModifier);
    }

    void runToAStepMakesWhatIsMissing()
    {
        auto* jumps = m_window->findChild<ui::JumpActions*>();
        QVERIFY(jumps);
        Q_EMIT jumps->stepWanted(3);
        QCOMPARE(steps().selected(), 3);
        Q_EMIT jumps->stepWanted(15);
        QTRY_COMPARE_WITH_TIMEOUT(steps().stepCount(), 16, 20000);
        QTRY_COMPARE(steps().selected(), 15);
        settle();
        Q_EMIT jumps->stepWanted(400);
        QTRY_VERIFY_WITH_TIMEOUT(steps().run().stop.has_value(), 20000);
        settle();
        Q_EMIT jumps->stepWanted(401);
        QVERIFY(m_window->statusLine()->text().contains(QStringLiteral("ended before step 401")));
    }

    void keysAreStillWhileRunsAreCompared()
    {
        auto* jumps = m_window->findChild<ui::JumpActions*>();
        QVERIFY(jumps->nextUncertain->isEnabled());
        m_window->compareActions().compare->setChecked(true);
        QVERIFY(!jumps->nextUncertain->isEnabled());
        key(Qt::Key_X);
        QCOMPARE(m_window->chart()->scale(), ui::BarScale::Linear);
        m_window->compareActions().compare->setChecked(false);
        QVERIFY(jumps->nextUncertain->isEnabled());
    }

    void theAxisIsChosenByKeyAndAnnounced()
    {
        key(Qt::Key_X);
        QCOMPARE(m_window->chart()->scale(), ui::BarScale::Full);
        picture(QStringLiteral("axis-full-light.png"));
        key(Qt::Key_X);
        QCOMPARE(m_window->chart()->scale(), ui::BarScale::Logarithmic);
        picture(QStringLiteral("axis-log-light.png"));
        key(Qt::Key_X);
        QCOMPARE(m_window->chart()->scale(), ui::BarScale::Linear);
        QVERIFY(m_window->chart()->view()->hasGhost());
        key(Qt::Key_B);
        QVERIFY(!m_window->chart()->view()->hasGhost());
    }
};

QTEST_MAIN(ExploreWindowTest)
#include "ExploreWindowTest.moc"
