#include "app/AppController.h"
#include "app/CompareController.h"
#include "engine/generation/GenerationSession.h"
#include "engine/generation/LanguageModel.h"
#include "engine/generation/StepCompare.h"
#include "tests/support/TiedModelFolder.h"
#include "tests/ui/support/DrawnText.h"
#include "ui/Banner.h"
#include "ui/ContextText.h"
#include "ui/MainWindow.h"
#include "ui/SamplingPanel.h"
#include "ui/SettingSlider.h"
#include "ui/StatusLine.h"
#include "ui/branches/BranchActions.h"
#include "ui/compare/AlignmentRibbon.h"
#include "ui/compare/CompareActions.h"
#include "ui/compare/CompareBar.h"
#include "ui/compare/CompareBoard.h"
#include "ui/compare/RunPane.h"
#include "ui/compare/RunSettingsPopup.h"
#include "ui/compare/SettingChips.h"
#include "ui/compare/UnionChart.h"

#include <QDir>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

#include <memory>

using ui::ComparePreset;

/// Runs that the bundled model makes beside each other, as a user drives them. TOKENSCOPE_PICTURES
/// names a folder for pictures, to be looked at.
class CompareRunsTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<ui::MainWindow> m_window;
    std::unique_ptr<app::AppController> m_controller;
    std::unique_ptr<app::CompareController> m_compare;
    const QString m_prompt = QStringLiteral("Once upon a time");

    ui::CompareBoard& board() { return *m_window->compareBoard(); }
    ui::CompareModel& model() { return *board().model(); }
    const engine::Run& run(int index) { return model().run(index); }
    void key(Qt::Key key) { QTest::keyClick(m_window.get(), key); }
    void settle() { QTRY_VERIFY_WITH_TIMEOUT(!m_compare->isBusy(), 30000); }
    void startPreset(ComparePreset preset)
    {
        board().bar()->preset(preset)->trigger();
        settle();
    }
    /// Every word can be read at this size; also a picture of it.
    void look(const QString& name, const QSize& size, bool dark)
    {
        m_window->setTheme(dark ? ui::Theme::dark() : ui::Theme::light());
        m_window->resize(size);
        QTest::qWait(60);
        const QString folder = qEnvironmentVariable("TOKENSCOPE_PICTURES");
        if (!folder.isEmpty())
            m_window->grab().save(QDir(folder).filePath(
                QStringLiteral("compare-%1-%2-%3.png")
                    .arg(name, dark ? QStringLiteral("dark") : QStringLiteral("light"))
                    .arg(size.width())));
        const QStringList faults = support::textFaults(*m_window);
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join(QLatin1Char('\n'))));
    }
    /// The same run made by itself.
    engine::Run alone(const engine::RunConfig& config, std::size_t steps,
                      const std::filesystem::path& path = TOKENSCOPE_RESOURCES "/model")
    {
        auto session = engine::GenerationSession::start(*engine::LanguageModel::load(path),
                                                        m_prompt.toStdString(), config, 1);
        while (session->run().steps.size() < steps && !session->stopReason())
            if (!session->step({}))
                break;
        return session->run();
    }
    static bool sameSteps(const engine::Run& a, const engine::Run& b)
    {
        return a.steps.size() == b.steps.size() && a.outputBytes == b.outputBytes &&
               !engine::firstStepWhere(a, b, [](const engine::Step& x, const engine::Step& y) {
                   return !engine::equalButTimings(x, y);
               });
    }

private Q_SLOTS:
    void init()
    {
        m_window = std::make_unique<ui::MainWindow>();
        m_window->resize(1280, 800);
        m_controller = std::make_unique<app::AppController>(*m_window, 2);
        m_compare = std::make_unique<app::CompareController>(*m_window, m_controller.get(), 2);
        engine::SamplingConfig sampling;
        sampling.rule = engine::DecodingRule::Sample;
        sampling.temperature = 0.9;
        sampling.topK = 20;
        sampling.topP = 0.95;
        sampling.seed = 42;
        m_controller->setInitialRun(m_prompt, sampling, 60);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_controller->openPath(QStringLiteral(TOKENSCOPE_RESOURCES "/model"));
        QTRY_COMPARE_WITH_TIMEOUT(m_window->steps().stepCount(), 1, 20000);
        m_window->setFocus();
        QVERIFY(m_window->compareActions().compare->isEnabled());
        key(Qt::Key_C);
        QTRY_VERIFY_WITH_TIMEOUT(!model().isEmpty(), 20000);
        settle();
    }
    void cleanup()
    {
        m_compare.reset();
        m_controller.reset();
        m_window.reset();
    }

    void theKeySetsGreedyBesideSampled()
    {
        QVERIFY(m_window->isComparing());
        QCOMPARE(board().paneCount(), 2);
        QCOMPARE(board().pane(0)->nameText(), QStringLiteral("Greedy"));
        QVERIFY(board().pane(1)->chips()->texts().contains(QStringLiteral("T 0.90")));
        const auto parted = engine::firstStepWhere(run(0), run(1), engine::picksDiffer);
        QVERIFY(parted);
        QCOMPARE(model().cursor(), static_cast<int>(*parted));
        QVERIFY(board().reasonText().startsWith(
            QStringLiteral("step %1: same logits; A takes the largest, B’s draw u = ")
                .arg(*parted)));
        for (int i = 0; i < 2; ++i)
            QVERIFY(sameSteps(run(i), alone(run(i).settings, run(i).steps.size())));
        look(QStringLiteral("live"), {1024, 640}, true);
        look(QStringLiteral("live"), {1280, 800}, false);
        look(QStringLiteral("live"), {1920, 1080}, true);
    }

    void aStepIsAStepOfAllRuns()
    {
        key(Qt::Key_End);
        settle();
        QVERIFY(run(0).stop && run(1).stop);
        QCOMPARE(model().cursor(), model().stepCount() - 1);
        look(QStringLiteral("end"), {1280, 800}, true);
        startPreset(ComparePreset::GreedyAndSampled);
        const auto made = run(0).steps.size();
        while (model().cursor() + 1 < model().stepCount())
            key(Qt::Key_Space);
        for (int i = 0; i < 5; ++i) {
            key(Qt::Key_Space);
            settle();
        }
        QCOMPARE(run(0).steps.size(), made + 5);
        QCOMPARE(run(1).steps.size(), made + 5);
        QCOMPARE(model().cursor(), static_cast<int>(made) + 4);
        key(Qt::Key_Home);
        QCOMPARE(model().cursor(), 0);
        QCOMPARE(run(0).steps.size(), made + 5);
        // The single run is where it was.
        QCOMPARE(m_window->steps().stepCount(), 1);
        key(Qt::Key_Escape);
        QVERIFY(!m_window->isComparing());
        key(Qt::Key_Space);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->steps().stepCount(), 2, 20000);
        key(Qt::Key_C);
        QCOMPARE(run(0).steps.size(), made + 5); // still there
    }

    void threeIdenticalRunsAgreeToTheBit()
    {
        startPreset(ComparePreset::ThreeIdentical);
        QCOMPARE(board().paneCount(), 3);
        QVERIFY(sameSteps(run(0), run(1)) && sameSteps(run(0), run(2)));
        QCOMPARE(board().reasonText(), QStringLiteral("B   the same tokens as A so far\n"
                                                      "C   the same tokens as A so far"));
        QVERIFY(board().ribbon()->arrangement().flags().empty());
    }

    void theLadderHasFourTemperatures()
    {
        startPreset(ComparePreset::TemperatureLadder);
        QCOMPARE(board().paneCount(), 4);
        const double temperatures[] = {0.2, 0.7, 1.0, 1.5};
        for (int i = 0; i < 4; ++i) {
            QCOMPARE(run(i).settings.sampling.temperature, temperatures[i]);
            QVERIFY(sameSteps(run(i), alone(run(i).settings, run(i).steps.size())));
        }
        QCOMPARE(board().pane(3)->nameText(), QStringLiteral("T 1.50"));
        // At a step that all share, the raw probabilities are one and the chain's are four.
        model().select(0);
        QTest::qWait(30);
        QVERIFY(run(0).steps[0].logitsSha256 == run(3).steps[0].logitsSha256);
        QVERIFY(board().pane(0)->chart()->valueText(0) != board().pane(3)->chart()->valueText(0));
        QCOMPARE(board().pane(0)->chart()->axisMaximum(), board().pane(3)->chart()->axisMaximum());
        look(QStringLiteral("ladder"), {1024, 640}, false);
        look(QStringLiteral("ladder"), {1280, 800}, true);
        look(QStringLiteral("ladder"), {1920, 1080}, false);
    }

    void settingsOfARunCanBeChanged()
    {
        const engine::Run before = run(0);
        board().pane(1)->chips()->chip(0)->click();
        ui::RunSettingsPopup* popup = board().settings();
        QVERIFY(popup->isVisible());
        Q_EMIT popup->panel()->temperature()->valueChanged(1.4);
        settle();
        QCOMPARE(run(1).settings.sampling.temperature, 1.4);
        QCOMPARE(run(1).settings.sampling.seed, std::uint64_t{42});
        QVERIFY(sameSteps(run(1), alone(run(1).settings, run(1).steps.size())));
        QVERIFY(sameSteps(run(0), before));
        QVERIFY(board().pane(1)->chips()->texts().contains(QStringLiteral("T 1.40")));
        const QString folder = qEnvironmentVariable("TOKENSCOPE_PICTURES");
        if (!folder.isEmpty())
            popup->grab().save(QDir(folder).filePath(QStringLiteral("compare-popup.png")));
        popup->hide();
    }

    void runsComeAndGo()
    {
        QVERIFY(!board().pane(0)->removeButton()->isVisible());
        board().bar()->addButton()->click();
        settle();
        QCOMPARE(board().paneCount(), 3);
        QCOMPARE(run(2).settings.sampling.seed, std::uint64_t{43});
        QCOMPARE(run(2).steps.size(), run(1).steps.size());
        board().bar()->addButton()->click();
        settle();
        QCOMPARE(board().paneCount(), 4);
        QVERIFY(!board().bar()->addButton()->isEnabled());
        board().pane(0)->removeButton()->click();
        settle();
        QCOMPARE(board().paneCount(), 3);
        QVERIFY(run(0).settings.sampling.rule == engine::DecodingRule::Sample);
    }

    void onTheFirstContextTheSettingsDecodeItsLogits()
    {
        const engine::Run b = run(1);
        board().bar()->firstContext()->click();
        const int last = static_cast<int>(run(0).steps.size()) - 1;
        for (const int step : {0, last}) {
            model().select(step);
            settle();
            QTRY_VERIFY(model().shownStep(1) != nullptr);
            const engine::Step& first = run(0).steps[static_cast<std::size_t>(step)];
            QCOMPARE(model().shownStep(1)->logitsSha256, first.logitsSha256);
            QVERIFY(model().shownStep(1)->sampling == run(1).settings.sampling);
            QVERIFY(board().viewText().contains(QStringLiteral("step %1").arg(step)));
        }
        // By then B itself has read another text.
        QVERIFY(b.steps.back().logitsSha256 != run(0).steps.back().logitsSha256);
        QVERIFY(sameSteps(run(1), b));
        look(QStringLiteral("onA"), {1280, 800}, false);
        look(QStringLiteral("onA"), {1024, 640}, true);
        board().bar()->ownContext()->click();
        QCOMPARE(model().shownStep(1)->logitsSha256, b.steps.back().logitsSha256);
    }

    void twoModelsAreComparedStepByStep()
    {
        const tests::TiedModelFolder other;
        QVERIFY(other.isValid());
        m_compare->startTwoModels(other.path());
        settle();
        QCOMPARE(board().paneCount(), 2);
        QVERIFY(sameSteps(run(1), alone(run(1).settings, run(1).steps.size(), other.fsPath())));
        QVERIFY(run(0).steps[0].logitsSha256 != run(1).steps[0].logitsSha256);
        board().bar()->firstContext()->click();
        model().select(model().stepCount() - 1);
        settle();
        QTRY_VERIFY(model().shownStep(1) != nullptr);
        QCOMPARE(model().shownStep(1)->contextLength, model().step(0)->contextLength);
        QVERIFY(model().shownStep(1)->logitsSha256 != model().step(0)->logitsSha256);
    }

    void oneRunMayHaveAModelOfItsOwn()
    {
        const tests::TiedModelFolder other;
        const engine::Run before = run(0);
        m_compare->useModel(1, other.path());
        settle();
        QVERIFY(sameSteps(run(0), before));
        QVERIFY(sameSteps(run(1), alone(run(1).settings, run(1).steps.size(), other.fsPath())));
        QVERIFY(m_compare->members().at(0).model == m_controller->model());
        QVERIFY(m_compare->members().at(1).model != m_controller->model());
        QCOMPARE(m_compare->members().at(1).modelPath, other.path().toStdString());
        // Told by their files, as everything else that is said of the two is the same.
        QCOMPARE(board().pane(0)->nameText(), QStringLiteral("model · Greedy"));
        key(Qt::Key_End);
        settle();
        look(QStringLiteral("models"), {1280, 800}, false);
    }

    void anotherModelInTheWindowLetsTheRunsGo()
    {
        const tests::TiedModelFolder other;
        m_controller->openPath(other.path());
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->isComparing(), 20000);
        QVERIFY(model().isEmpty());
        key(Qt::Key_C);
        QTRY_VERIFY_WITH_TIMEOUT(!model().isEmpty(), 20000);
        settle();
        QCOMPARE(run(0).model.path, other.path().toStdString());
    }

    void undoIsOfTheSingleRunAlone()
    {
        QVERIFY(!m_window->branchActions().undo->isEnabled());
        QVERIFY(!m_window->branchActions().tryAgain->isEnabled());
        QVERIFY(!m_window->actions().saveTrace->isEnabled());
    }

    void aModelThatCannotBeOpenedIsSaidAndChangesNothing()
    {
        const engine::Run before = run(1);
        m_compare->startTwoModels(QStringLiteral("/nowhere/model.gguf"));
        settle();
        QTRY_VERIFY(m_window->banner()->text().contains(QStringLiteral("/nowhere/model.gguf")));
        QCOMPARE(board().paneCount(), 2);
        QVERIFY(sameSteps(run(1), before));
        // And it goes on from there: the runs in view are those that can be changed.
        engine::SamplingConfig sampling = before.settings.sampling;
        sampling.seed = 5;
        Q_EMIT board().samplingChanged(1, sampling);
        settle();
        QVERIFY(!m_window->banner()->isError());
        QVERIFY(sameSteps(run(1), alone(run(1).settings, run(1).steps.size())));
        QCOMPARE(run(1).settings.sampling.seed, std::uint64_t{5});
        key(Qt::Key_Escape); // the error is gone already
        QVERIFY(!m_window->isComparing());
    }

    void aPromptThatNothingCanBeginWithIsSaid()
    {
        key(Qt::Key_Escape);
        Q_EMIT m_window->promptSubmitted({QString()});
        QTRY_VERIFY_WITH_TIMEOUT(m_window->banner()->isError(), 20000);
        key(Qt::Key_C);
        settle();
        // The runs of the prompt before are still those in view.
        QTRY_VERIFY(m_window->banner()->isError());
        QCOMPARE(QString::fromStdString(run(0).context.text), m_prompt);
    }

    void playingMovesAllUntilTheEnd()
    {
        m_window->setSpeed(20);
        const int begin = model().cursor();
        key(Qt::Key_P);
        QTRY_VERIFY_WITH_TIMEOUT(model().cursor() >= begin + 3, 20000);
        QVERIFY(board().state().isPlaying);
        key(Qt::Key_P);
        QVERIFY(!board().state().isPlaying);
    }

    void anotherPromptMakesTheRunsAnew()
    {
        key(Qt::Key_Escape);
        Q_EMIT m_window->promptSubmitted({QStringLiteral("The dog")});
        QTRY_COMPARE_WITH_TIMEOUT(QString::fromStdString(m_window->steps().run().context.text),
                                  QStringLiteral("The dog"), 20000);
        key(Qt::Key_C);
        settle();
        QTRY_COMPARE(QString::fromStdString(run(0).context.text), QStringLiteral("The dog"));
    }
};

QTEST_MAIN(CompareRunsTest)
#include "CompareRunsTest.moc"
