#include "app/AppController.h"
#include "ui/Board.h"
#include "ui/InspectorPanel.h"
#include "ui/MainWindow.h"
#include "ui/PipelineStrip.h"
#include "ui/SamplingPanel.h"
#include "ui/SettingSlider.h"
#include "ui/StepModel.h"
#include "ui/StepPages.h"
#include "ui/chain/ChainCard.h"
#include "ui/chain/ChainPage.h"
#include "ui/stages/StageCard.h"

#include <QCheckBox>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

#include <memory>

using engine::SamplingStage;

/// The chain as cards, on the bundled model: what is switched or moved there decodes the step anew.
class ChainWindowTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<ui::MainWindow> m_window;
    std::unique_ptr<app::AppController> m_controller;

    const engine::Step& step() { return *m_window->steps().selectedStep(); }
    ui::ChainPage& page() { return *m_window->board()->chain(); }
    ui::SamplingPanel& panel() { return *m_window->inspector()->sampling(); }
    void settle() { QTRY_VERIFY_WITH_TIMEOUT(!m_controller->isBusy(), 20000); }

private Q_SLOTS:
    void init()
    {
        m_window = std::make_unique<ui::MainWindow>();
        m_window->resize(1280, 800);
        m_controller = std::make_unique<app::AppController>(*m_window, 2);
        engine::SamplingConfig sampling;
        sampling.rule = engine::DecodingRule::Sample;
        sampling.temperature = 0.9;
        sampling.topK = 12;
        sampling.topP = 0.65;
        sampling.seed = 5;
        m_controller->setInitialRun(QStringLiteral("Once upon a time, there was a little"),
                                    sampling, std::nullopt);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_controller->openPath(QStringLiteral(TOKENSCOPE_RESOURCES "/model"));
        QTRY_COMPARE_WITH_TIMEOUT(m_window->steps().stepCount(), 1, 20000);
        settle();
        Q_EMIT m_window->pipeline()->card(4)->activated(); // a click on "Decode"
        QCOMPARE(m_window->board()->pages()->currentPage(), static_cast<QWidget*>(&page()));
    }
    void cleanup()
    {
        m_controller.reset();
        m_window.reset();
    }

    void aStageThatIsSwitchedOffCutsNothing()
    {
        const std::int64_t before = step().keptCount;
        ui::ChainCard* topP = page().card(SamplingStage::TopP);
        QVERIFY(topP->effect().startsWith(QStringLiteral("12 → ")));
        topP->box()->click();
        settle();
        QTRY_COMPARE(step().keptCount, std::int64_t(12));
        QVERIFY(before < 12);
        QCOMPARE(topP->effect(), QStringLiteral("off"));
        QVERIFY(panel().topP()->noteText().startsWith(QStringLiteral("you")));
        topP->box()->click();
        settle();
        QTRY_COMPARE(step().keptCount, before);
        QCOMPARE(panel().topP()->value(), 0.65);
    }

    void anotherOrderDecodesAnew()
    {
        // Top-p before top-k looks at the mass of the whole vocabulary.
        page().card(SamplingStage::TopP)->upButton()->click();
        settle();
        QTRY_VERIFY(step().stages.size() == 3 && step().stages[1].stage == SamplingStage::TopP);
        QTRY_VERIFY(
            page().card(SamplingStage::TopP)->effect().startsWith(QStringLiteral("4,096 → ")));
        page().moodButton(0)->click();
        settle();
        QTRY_COMPARE(step().sampling.temperature, 0.2);
        QCOMPARE(panel().temperature()->value(), 0.2);
    }
};

QTEST_MAIN(ChainWindowTest)
#include "ChainWindowTest.moc"
