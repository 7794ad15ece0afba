#include "app/AppController.h"
#include "app/Resources.h"
#include "ui/Banner.h"
#include "ui/CandidateModel.h"
#include "ui/CandidateTable.h"
#include "ui/ContextPanel.h"
#include "ui/ContextText.h"
#include "ui/DistributionChart.h"
#include "ui/DistributionView.h"
#include "ui/InspectorPanel.h"
#include "ui/MainWindow.h"
#include "ui/PromptPanel.h"
#include "ui/SamplingPanel.h"
#include "ui/SettingSlider.h"
#include "ui/StatusLine.h"
#include "ui/StepFactsPanel.h"
#include "ui/StepModel.h"
#include "ui/Timeline.h"
#include "ui/TokenStrip.h"
#include "ui/TopBar.h"

#include <QDropEvent>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace {

const QString modelFolder = QStringLiteral(TOKENSCOPE_RESOURCES "/model");

/// The pieces of the greedy continuation that the model's reference values promise.
struct Reference
{
    QString prompt;
    QStringList promptPieces;
    std::vector<int> greedy;
};

Reference reference()
{
    QFile file(modelFolder + QStringLiteral("/reference.json"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QJsonObject item = QJsonDocument::fromJson(file.readAll())
                                 .object()[QStringLiteral("items")]
                                 .toArray()[0]
                                 .toObject();
    Reference result{item[QStringLiteral("prompt")].toString(), {}, {}};
    for (const auto& piece : item[QStringLiteral("pieces")].toArray())
        result.promptPieces << piece.toString();
    for (const auto& id : item[QStringLiteral("greedy25")].toArray())
        result.greedy.push_back(id.toInt());
    return result;
}

} // namespace

/// The window as a user drives it, on the bundled model: keys and clicks in, what is shown out.
class WindowTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<ui::MainWindow> m_window;
    std::unique_ptr<app::AppController> m_controller;
    Reference m_reference;

    ui::StepModel& steps() { return m_window->steps(); }
    int selected() { return steps().selected(); }
    engine::TokenId pickAt(int step)
    {
        return steps().run().steps.at(static_cast<std::size_t>(step)).picked;
    }
    void key(Qt::Key key) { QTest::keyClick(m_window.get(), key); }
    ui::TokenStrip& strip() { return *m_window->context()->strip(); }
    ui::SamplingPanel& sampling() { return *m_window->inspector()->sampling(); }

    void stepTo(int step)
    {
        while (selected() < step) {
            const int before = selected();
            key(Qt::Key_Space);
            QTRY_COMPARE_WITH_TIMEOUT(selected(), before + 1, 20000);
        }
    }
    void startSampling()
    {
        key(Qt::Key_G);
        QTRY_VERIFY_WITH_TIMEOUT(steps().selectedStep()->rule == engine::DecodingRule::Sample,
                                 20000);
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_reference = reference();
        QCOMPARE(m_reference.greedy.size(), 25U);
    }

    void init()
    {
        m_window = std::make_unique<ui::MainWindow>();
        m_window->resize(1280, 800);
        m_controller = std::make_unique<app::AppController>(*m_window, 2);
        m_controller->setInitialRun(m_reference.prompt, {}, std::nullopt);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_controller->openPath(modelFolder);
        QTRY_COMPARE_WITH_TIMEOUT(steps().stepCount(), 1, 20000);
        m_window->setFocus();
    }

    void cleanup()
    {
        m_controller.reset();
        m_window.reset();
    }

    void opensOnTheFirstDistribution()
    {
        QCOMPARE(selected(), 0);
        QCOMPARE(strip().chipCount(), m_reference.promptPieces.size() + 1);
        QCOMPARE(pickAt(0).value, m_reference.greedy[0]);
        QVERIFY(m_window->statusLine()->text().startsWith(QLatin1String("Step 0")));
        const auto* model = m_window->table()->model();
        QVERIFY(model->rowCount() >= 20);
        QCOMPARE(model->index(0, ui::CandidateModel::IdColumn).data().toString(),
                 QString::number(m_reference.greedy[0]));
    }

    void aTypedPromptStartsANewRun()
    {
        ui::PromptEdit* editor = m_window->context()->prompt()->editor();
        editor->setFocus();
        editor->selectAll();
        QTest::keyClicks(editor, QStringLiteral("The sun was"));
        QCOMPARE(steps().stepCount(), 1); // the space was typed, not taken for a step
        QCOMPARE(editor->toPlainText(), QStringLiteral("The sun was"));
        QVERIFY(m_window->context()->prompt()->isEdited());
        QTest::keyClick(editor, Qt::Key_Return, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(strip().chipCount(), 4, 20000);
        QVERIFY(
            m_window->context()->text()->toPlainText().startsWith(QStringLiteral("The sun was")));
    }

    void fiveStepsForwardAndTwoBackShowTheReferenceTokens()
    {
        stepTo(5);
        for (int i = 0; i <= 5; ++i)
            QCOMPARE(pickAt(i).value, m_reference.greedy[static_cast<std::size_t>(i)]);
        QCOMPARE(strip().chipCount(), m_reference.promptPieces.size() + 6);
        key(Qt::Key_Left);
        key(Qt::Key_Left);
        QCOMPARE(selected(), 3);
        QCOMPARE(steps().stepCount(), 6); // nothing is forgotten by looking back
        const auto* model = m_window->table()->model();
        QVERIFY(model->rowCount() > 0);
        QCOMPARE(steps().selectedStep()->index, 3);
        key(Qt::Key_Right);
        QCOMPARE(selected(), 4);
        QCOMPARE(pickAt(4).value, m_reference.greedy[4]);
    }

    void samplingRedecodesTheStepInViewWithoutAModelCall()
    {
        stepTo(2);
        const std::string logits = steps().selectedStep()->logitsSha256;
        const auto forward = steps().selectedStep()->timings.forward;
        startSampling();
        QCOMPARE(selected(), 2);
        QCOMPARE(steps().selectedStep()->logitsSha256, logits);
        QCOMPARE(steps().selectedStep()->timings.forward, forward);
        QVERIFY(steps().selectedStep()->draw.has_value());
        QVERIFY(m_window->inspector()
                    ->facts()
                    ->text(ui::StepFactsPanel::RandomDraw)
                    .contains(QLatin1String("0.")));
    }

    void eachSettingMovesTheShownDistributionAtOnce()
    {
        stepTo(1);
        startSampling();
        ui::NumberField* topK = sampling().topK()->field();
        topK->setFocus();
        topK->selectAll();
        QTest::keyClicks(topK, QStringLiteral("3"));
        QTest::keyClick(topK, Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(steps().selectedStep()->keptCount, 3, 20000);
        QVERIFY(m_window->inspector()
                    ->facts()
                    ->text(ui::StepFactsPanel::KeptTokens)
                    .startsWith(QLatin1Char('3')));
        QVERIFY(m_window->chart()->view()->rows().cutLine.has_value());
        sampling().temperature()->slider()->setValue(sampling().temperature()->slider()->minimum());
        QTRY_VERIFY_WITH_TIMEOUT(steps().selectedStep()->rule == engine::DecodingRule::Greedy,
                                 20000); // a temperature of 0 means greedy
        QCOMPARE(steps().selectedStep()->picked, steps().selectedStep()->argmax);
    }

    void theSameSeedDrawsTheSameTokensAgain()
    {
        startSampling();
        stepTo(6);
        std::vector<engine::TokenId> first;
        for (int i = 0; i <= 6; ++i)
            first.push_back(pickAt(i));
        key(Qt::Key_R);
        QTRY_COMPARE_WITH_TIMEOUT(steps().stepCount(), 1, 20000);
        stepTo(6);
        for (int i = 0; i <= 6; ++i)
            QCOMPARE(pickAt(i), first[static_cast<std::size_t>(i)]);
    }

    void aClickOnACandidateForcesItAndItIsShownSo()
    {
        stepTo(2);
        key(Qt::Key_Left);
        QCOMPARE(selected(), 1);
        const engine::TokenId second = steps().selectedStep()->candidates.at(1).piece.id;
        const engine::TokenId rule = steps().selectedStep()->picked;
        ui::DistributionView* view = m_window->chart()->view();
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {},
                          view->rowRect(1).center().toPoint());
        QTRY_COMPARE_WITH_TIMEOUT(pickAt(1), second, 20000);
        QVERIFY(steps().selectedStep()->forced);
        QCOMPARE(steps().selectedStep()->ruleChoice, rule);
        QCOMPARE(steps().stepCount(), 2); // what followed the other token is gone
        QCOMPARE(steps().contextTokens().back().origin, engine::TokenOrigin::Forced);
        stepTo(3);
        QCOMPARE(pickAt(1), second);
    }

    void aClickOnAnEarlierChipShowsItsStep()
    {
        stepTo(4);
        const int chip = static_cast<int>(m_reference.promptPieces.size()) + 1;
        QTest::mouseClick(strip().viewport(), Qt::LeftButton, {}, strip().chipRect(chip).center());
        QCOMPARE(selected(), 1);
    }

    void aTraceSavedIsShownTheSameWhenOpened()
    {
        startSampling();
        stepTo(3);
        const std::vector<engine::ContextToken> tokens = steps().contextTokens();
        const engine::Step last = *steps().selectedStep();
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("run.tokenscope.json"));
        Q_EMIT m_window->saveTraceRequested(path);
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path), 20000);

        m_controller->openPath(path);
        QTRY_VERIFY(m_window->state().isTrace);
        QCOMPARE(steps().stepCount(), 4);
        QVERIFY(steps().contextTokens() == tokens);
        QVERIFY(steps().selectedStep()->candidates == last.candidates);
        QVERIFY(steps().selectedStep()->draw == last.draw);
        QCOMPARE(strip().chipCount(), static_cast<int>(tokens.size()));
        key(Qt::Key_Left);
        QCOMPARE(selected(), 2);
    }

    void playMakesStepsByItselfUntilPaused()
    {
        Q_EMIT m_window->speedChanged(20.0);
        key(Qt::Key_P);
        QTRY_VERIFY_WITH_TIMEOUT(steps().stepCount() >= 4, 20000);
        key(Qt::Key_P);
        const int count = steps().stepCount();
        QTest::qWait(250);
        QVERIFY(steps().stepCount() <= count + 1); // the one that was in flight
    }

    void toTheEndStopsAtTheLengthLimitAndSaysSo()
    {
        key(Qt::Key_End);
        QTRY_COMPARE_WITH_TIMEOUT(steps().stepCount(), 25, 20000);
        for (int i = 0; i < 25; ++i)
            QCOMPARE(pickAt(i).value, m_reference.greedy[static_cast<std::size_t>(i)]);
        QTRY_VERIFY(strip().endMarkText().contains(QLatin1String("25")));
        QVERIFY(!m_window->actions().step->isEnabled());
    }

    void stopLeavesARunThatGoesOn()
    {
        Q_EMIT m_window->maxNewTokensChanged(400);
        Q_EMIT m_window->stepToEndRequested();
        QTRY_VERIFY_WITH_TIMEOUT(steps().stepCount() > 2, 20000);
        Q_EMIT m_window->stopRequested();
        QSignalSpy settled(m_controller.get(), &app::AppController::settled);
        QVERIFY(settled.wait(20000) || !m_window->state().isRunning);
        const int count = steps().stepCount();
        if (!steps().run().stop) {
            key(Qt::Key_Space);
            QTRY_COMPARE_WITH_TIMEOUT(steps().stepCount(), count + 1, 20000);
        }
    }

    void aBrokenModelLeavesTheOneThereUsable()
    {
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("bad.gguf")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("GGUF but not really");
        file.close();
        m_controller->openPath(file.fileName());
        QTRY_VERIFY_WITH_TIMEOUT(m_window->banner()->isError(), 20000);
        QVERIFY(m_window->banner()->text().contains(QLatin1String("bad.gguf")));
        stepTo(2);
        QCOMPARE(pickAt(2).value, m_reference.greedy[2]);
    }

    void aBrokenTraceLeavesTheRunThere()
    {
        stepTo(1);
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("bad.tokenscope.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"format\": 3}");
        file.close();
        m_controller->openPath(file.fileName());
        QTRY_VERIFY(m_window->banner()->isError());
        QVERIFY(m_window->banner()->text().contains(QLatin1String("bad.tokenscope.json")));
        QCOMPARE(steps().stepCount(), 2);
    }

    void anEmptyPromptIsRefusedAndTheRunStays()
    {
        Q_EMIT m_window->promptSubmitted({});
        QTRY_VERIFY_WITH_TIMEOUT(m_window->banner()->isError(), 20000);
        QCOMPARE(steps().stepCount(), 1);
    }

    void aPromptLongerThanTheContextSaysContextFull()
    {
        Q_EMIT m_window->promptSubmitted({QStringLiteral("word ").repeated(2000)});
        QTRY_COMPARE_WITH_TIMEOUT(steps().stepCount(), 0, 20000);
        QTRY_VERIFY(strip().endMarkText().contains(QLatin1String("context"), Qt::CaseInsensitive));
    }

    void theWindowStaysResponsiveWhileARunGoesOn()
    {
        Q_EMIT m_window->maxNewTokensChanged(480);
        int ticks = 0;
        QTimer timer;
        connect(&timer, &QTimer::timeout, this, [&ticks] { ++ticks; });
        timer.start(5);
        Q_EMIT m_window->stepToEndRequested();
        QTRY_VERIFY_WITH_TIMEOUT(steps().run().stop.has_value(), 60000);
        QVERIFY(ticks > 0); // none where the run held up the event loop
    }

    void closingDuringARunIsClean()
    {
        Q_EMIT m_window->maxNewTokensChanged(480);
        Q_EMIT m_window->stepToEndRequested();
        QTest::qWait(20);
        QVERIFY(m_window->close());
    }

    void aDroppedTraceOpens()
    {
        stepTo(1);
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("dropped.tokenscope.json"));
        Q_EMIT m_window->saveTraceRequested(path);
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path), 20000);
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter(QPoint(600, 400), Qt::CopyAction, &mime, Qt::LeftButton,
                              Qt::NoModifier);
        QCoreApplication::sendEvent(m_window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(600, 400), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_window.get(), &drop);
        QTRY_VERIFY(m_window->state().isTrace);
    }
};

QTEST_MAIN(WindowTest)
#include "WindowTest.moc"
