#include "ui/chain/ChainPage.h"

#include "tests/ui/support/DrawnText.h"
#include "tests/ui/support/SampleRun.h"
#include "ui/SamplingPanel.h"
#include "ui/StepModel.h"
#include "ui/chain/ChainCard.h"
#include "ui/chain/ChainPresets.h"

#include <QCheckBox>
#include <QMenu>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

using engine::SamplingConfig;
using engine::SamplingStage;

namespace {

struct Page
{
    Page() : page(&panel)
    {
        page.setStyleSheet(ui::Theme::light().styleSheet());
        page.resize(680, 380);
        page.show();
        panel.setVocabularySize(4096);
        engine::Run run = support::sampleRun();
        run.steps.back().sampling.rule = engine::DecodingRule::Sample;
        steps.setRun(run);
        panel.setSampling(run.steps.back().sampling);
        page.showStep(steps);
        QObject::connect(&panel, &ui::SamplingPanel::samplingChanged, &page,
                         [this](const SamplingConfig& config) { sent.push_back(config); });
    }
    std::vector<SamplingStage> order()
    {
        std::vector<SamplingStage> result;
        for (int place = 0; place < page.cardCount(); ++place)
            result.push_back(page.card(place)->stage());
        return result;
    }

    ui::SamplingPanel panel;
    ui::StepModel steps;
    ui::ChainPage page;
    std::vector<SamplingConfig> sent;
};

} // namespace

class ChainPageTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aStageIsSwitchedOffAndOnAgain()
    {
        Page p;
        const SamplingConfig before = p.steps.selectedStep()->sampling;
        QCheckBox* box = p.page.card(SamplingStage::TopP)->box();
        const bool wasOn = box->isChecked();
        box->click();
        QCOMPARE(p.sent.size(), std::size_t(1));
        QCOMPARE(ui::isStageOn(SamplingStage::TopP, p.sent.back()), !wasOn);
        QVERIFY(p.panel.sampling() == p.sent.back());
        QVERIFY(before.topK == p.sent.back().topK);
    }

    void buttonsKeysAndDragsMoveAStage()
    {
        Page p;
        const std::vector<SamplingStage> before = p.order();
        p.page.card(0)->downButton()->click();
        QCOMPARE(p.sent.size(), std::size_t(1));
        QVERIFY(p.sent.back().order[0] == before[1] && p.sent.back().order[1] == before[0]);

        p.page.showStep(p.steps); // the step is still of the old order
        QVERIFY(p.order() == before);
        QTest::keyClick(p.page.card(2), Qt::Key_Up, Qt::AltModifier);
        QVERIFY(p.sent.back().order[1] == before[2]);

        p.page.showStep(p.steps);
        QTest::qWait(10);
        ui::ChainCard* first = p.page.card(0);
        const QPoint grip(4, first->height() / 2);
        const int last = p.page.card(p.page.cardCount() - 1)->geometry().center().y();
        QTest::mousePress(first, Qt::LeftButton, {}, grip);
        QMouseEvent drag(QEvent::MouseMove, QPointF(4, last - first->y()),
                         first->mapToGlobal(QPointF(4, last - first->y())), Qt::LeftButton,
                         Qt::LeftButton, {});
        QCoreApplication::sendEvent(first, &drag);
        QVERIFY(p.order().back() == before.front());
        QTest::mouseRelease(first, Qt::LeftButton, {}, grip);
        QVERIFY(p.sent.back().order.back() == before.front());
    }

    void presetsSetTemperatureAndOrder()
    {
        Page p;
        p.page.moodButton(0)->click();
        QCOMPARE(p.sent.back().temperature, 0.2);
        QAction* llama = p.page.orderButton()->menu()->actions().at(1);
        QCOMPARE(llama->text(), QStringLiteral("llama.cpp"));
        llama->trigger();
        QVERIFY(p.sent.back().order.back() == SamplingStage::Temperature);
    }

    void whatIsRecordedIsOnlyShown()
    {
        Page p;
        p.panel.setAvailability(ui::SamplingPanel::Availability::Recorded);
        p.page.showStep(p.steps);
        QVERIFY(!p.page.card(0)->box()->isEnabled());
        QVERIFY(!p.page.moodButton(0)->isEnabled());
        QVERIFY(p.page.message().contains(QStringLiteral("recorded")));
        QTest::keyClick(p.page.card(1), Qt::Key_Up, Qt::AltModifier);
        QVERIFY(p.sent.empty());
    }

    void nothingIsCutOff()
    {
        Page p;
        QTRY_COMPARE(support::textFaults(p.page).join(QLatin1Char('\n')), QString());
    }
};

QTEST_MAIN(ChainPageTest)
#include "ChainPageTest.moc"
