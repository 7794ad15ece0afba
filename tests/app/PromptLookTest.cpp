#include "app/AppController.h"
#include "ui/ChartPill.h"
#include "ui/ContextPanel.h"
#include "ui/DistributionChart.h"
#include "ui/DistributionView.h"
#include "ui/MainWindow.h"
#include "ui/StatusLine.h"
#include "ui/StepModel.h"
#include "ui/TokenStrip.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

/// What the model expected in the places of the prompt's own tokens, on the bundled model.
/// TOKENSCOPE_PICTURES names a folder for pictures, to be looked at.
class PromptLookTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<ui::MainWindow> m_window;
    std::unique_ptr<app::AppController> m_controller;

    ui::StepModel& steps() { return m_window->steps(); }
    ui::TokenStrip& strip() { return *m_window->context()->strip(); }
    ui::DistributionView& view() { return *m_window->chart()->view(); }
    void clickChip(int chip)
    {
        QTest::mouseClick(strip().viewport(), Qt::LeftButton, Qt::NoModifier,
                          strip().chipRect(chip).center());
    }
    void settle() { QTRY_VERIFY_WITH_TIMEOUT(!m_controller->isBusy(), 20000); }
    void picture(const QString& name)
    {
        const QString folder = qEnvironmentVariable("TOKENSCOPE_PICTURES");
        if (folder.isEmpty())
            return;
        QTest::qWait(50);
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
        sampling.topK = 12;
        sampling.seed = 11;
        m_controller->setInitialRun(QStringLiteral("Once upon a time, there was a little girl"),
                                    sampling, std::nullopt);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_controller->openPath(QStringLiteral(TOKENSCOPE_RESOURCES "/model"));
        QTRY_COMPARE_WITH_TIMEOUT(steps().stepCount(), 1, 20000);
        m_controller->makeSteps(3);
        QTRY_COMPARE_WITH_TIMEOUT(steps().stepCount(), 4, 20000);
        settle();
        m_window->setFocus();
    }
    void cleanup()
    {
        m_controller.reset();
        m_window.reset();
    }

    void aClickOnAPromptChipShowsWhatWasExpectedThere()
    {
        const engine::Run before = steps().run();
        clickChip(3); // " time" after "Once upon a"
        QTRY_VERIFY_WITH_TIMEOUT(steps().promptPosition() == 3, 20000);
        const engine::Step& step = *steps().selectedStep();
        QCOMPARE(step.contextLength, 3);
        QVERIFY(step.picked == before.context.tokens[3].piece.id);
        // The row of the token says that it stands in the prompt; none says that it was picked.
        bool found = false;
        for (int row = 0; row < static_cast<int>(view().rows().rows.size()); ++row) {
            const bool isGiven = view().rows().rows[std::size_t(row)].piece.id == step.picked;
            const std::vector<ui::Pill> pills = view().pills(row);
            const auto has = [&pills](ui::Pill pill) {
                return std::find(pills.begin(), pills.end(), pill) != pills.end();
            };
            QCOMPARE(has(ui::Pill::Given), isGiven);
            QVERIFY(!has(ui::Pill::Picked));
            found |= isGiven;
        }
        QVERIFY(found);
        QVERIFY(m_window->statusLine()->text().startsWith(QStringLiteral("Token 3 of the prompt")));
        picture(QStringLiteral("prompt-token-light.png"));
        m_window->setTheme(ui::Theme::dark());
        picture(QStringLiteral("prompt-token-dark.png"));

        // The run is as it was.
        QCOMPARE(steps().run().steps.size(), before.steps.size());
        QCOMPARE(steps().run().outputBytes, before.outputBytes);
    }

    void stepAndBackGoOnAmongThePromptAndOutOfIt()
    {
        const int count = static_cast<int>(steps().run().context.tokens.size());
        clickChip(count - 2);
        QTRY_VERIFY_WITH_TIMEOUT(steps().promptPosition() == count - 2, 20000);
        QTest::keyClick(m_window.get(), Qt::Key_Left);
        QTRY_VERIFY_WITH_TIMEOUT(steps().promptPosition() == count - 3, 20000);
        for (int position = count - 2; position < count; ++position) {
            QTest::keyClick(m_window.get(), Qt::Key_Space);
            QTRY_VERIFY_WITH_TIMEOUT(steps().promptPosition() == position, 20000);
        }
        QTest::keyClick(m_window.get(), Qt::Key_Space);
        QTRY_VERIFY_WITH_TIMEOUT(!steps().promptPosition(), 20000);
        QCOMPARE(steps().selected(), 3);
        QCOMPARE(steps().stepCount(), 4);
    }

    void theKeysOfTheChipsReachThePrompt()
    {
        strip().setFocus();
        clickChip(static_cast<int>(steps().run().context.tokens.size()));
        QTRY_COMPARE(steps().selected(), 0);
        QTest::keyClick(&strip(), Qt::Key_Up);
        QTRY_VERIFY_WITH_TIMEOUT(steps().promptPosition().has_value(), 20000);
    }

    void beforeTheFirstTokenThereIsNothingToSay()
    {
        clickChip(0);
        QVERIFY(m_window->statusLine()->text().contains(QStringLiteral("nothing to read")));
        QVERIFY(!steps().promptPosition());
        clickChip(1);
        QTRY_VERIFY_WITH_TIMEOUT(steps().promptPosition() == 1, 20000);
        QTest::keyClick(m_window.get(), Qt::Key_Left);
        QVERIFY(m_window->statusLine()->text().contains(QStringLiteral("nothing to read")));
        QVERIFY(steps().promptPosition() == 1);
    }

    void aGivenTokenCannotBeForced()
    {
        clickChip(3);
        QTRY_VERIFY_WITH_TIMEOUT(steps().promptPosition() == 3, 20000);
        const engine::Run before = steps().run();
        Q_EMIT m_window->chart()->candidateActivated(engine::TokenId{5});
        settle();
        QCOMPARE(steps().run().steps.back().picked, before.steps.back().picked);
        QVERIFY(m_window->statusLine()->text().contains(QStringLiteral("edit the prompt")));
    }

    void aSettingThatMovesLeavesItInView()
    {
        clickChip(3);
        QTRY_VERIFY_WITH_TIMEOUT(steps().promptPosition() == 3, 20000);
        engine::SamplingConfig sampling = steps().run().settings.sampling;
        sampling.temperature = 0.5;
        Q_EMIT m_window->samplingChanged(sampling);
        settle();
        QVERIFY(steps().promptPosition() == 3);
        QCOMPARE(steps().run().steps.back().sampling.temperature, 0.5);
    }

    void aTraceSaysThatItHasNone()
    {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("run.json"));
        Q_EMIT m_window->saveTraceRequested(file);
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(file), 20000);
        QTRY_VERIFY(m_window->statusLine()->text().contains(QStringLiteral("Saved")));
        m_controller->openPath(file);
        clickChip(3);
        QVERIFY(
            m_window->statusLine()->text().contains(QStringLiteral("no values for its prompt")));
        QVERIFY(!steps().promptPosition());
    }
};

QTEST_MAIN(PromptLookTest)
#include "PromptLookTest.moc"
