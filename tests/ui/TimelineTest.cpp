#include "ui/Timeline.h"

#include "tests/ui/support/SampleRun.h"
#include "ui/StepModel.h"
#include "ui/TimelineView.h"

#include <QChart>
#include <QSignalSpy>
#include <QTest>
#include <QXYSeries>

class TimelineTest : public QObject
{
    Q_OBJECT

private:
    ui::StepModel m_steps;
    std::unique_ptr<ui::Timeline> m_timeline;

    ui::TimelineView& view() { return *m_timeline->view(); }

    void click(int step)
    {
        QTest::mouseClick(view().viewport(), Qt::LeftButton, Qt::NoModifier,
                          view().positionOf(step).toPoint());
    }

    QXYSeries* scatter(int index)
    {
        QList<QXYSeries*> found;
        for (QAbstractSeries* series : view().chart()->series())
            if (series->type() == QAbstractSeries::SeriesTypeScatter)
                found << static_cast<QXYSeries*>(series);
        return found.at(index);
    }

private Q_SLOTS:
    void init()
    {
        m_steps.setRun(support::sampleRun(24));
        m_timeline = std::make_unique<ui::Timeline>();
        m_timeline->setModel(&m_steps);
        m_timeline->resize(1248, 142);
        m_timeline->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_timeline.get()));
    }

    void cleanup() { m_timeline.reset(); }

    void aClickSelectsTheStepOfItsColumn()
    {
        QSignalSpy activated(m_timeline.get(), &ui::Timeline::stepActivated);
        for (const int step : {0, 7, 23})
            click(step);
        QCOMPARE(activated.count(), 3);
        QCOMPARE(activated.at(0).at(0).toInt(), 0);
        QCOMPARE(activated.at(1).at(0).toInt(), 7);
        QCOMPARE(activated.at(2).at(0).toInt(), 23);
    }

    void aClickBesideTheStepsDoesNothing()
    {
        m_steps.setRun(support::sampleRun(3));
        QSignalSpy activated(m_timeline.get(), &ui::Timeline::stepActivated);
        QTest::mouseClick(view().viewport(), Qt::LeftButton, Qt::NoModifier,
                          QPoint(view().width() / 2, 20));
        QCOMPARE(activated.count(), 0);
    }

    void theCursorFollowsTheSelection()
    {
        m_steps.select(5);
        QCOMPARE(view().selected(), 5);
        QVERIFY(view().accessibleDescription().startsWith(u"step 5:"_qs));
    }

    void theRangeGrowsInChunks()
    {
        QCOMPARE(view().range(), 24);
        m_steps.setRun(support::sampleRun(25));
        QCOMPARE(view().range(), 48);
        m_steps.setRun(support::sampleRun(97));
        QCOMPARE(view().range(), 192);
        m_steps.setRun(support::promptOnlyRun());
        QCOMPARE(view().range(), 24);
        QCOMPARE(view().stepCount(), 0);
    }

    void pointsAreTheProbabilitiesOfThePicks()
    {
        const engine::Run& run = m_steps.run();
        QCOMPARE(scatter(0)->count(), 24);
        const engine::Step& step = run.steps[4];
        QCOMPARE(scatter(0)->at(4), QPointF(4, 100 * step.find(step.picked)->probability));
    }

    void forcedPicksHaveAMarkOfTheirOwn()
    {
        engine::Run run = support::sampleRun(24);
        run.steps[6] = support::forcedStep(run.steps[6], run.steps[6].candidates[9].piece.id);
        m_steps.setRun(run);
        QCOMPARE(scatter(0)->count(), 23);
        QCOMPARE(scatter(1)->count(), 1);
        QCOMPARE(scatter(1)->at(0).x(), 6.0);
    }

    void stepsThatComeAreAppended()
    {
        m_steps.setRun(support::sampleRun(5));
        const engine::Run longer = support::sampleRun(6);
        m_steps.replaceSteps(5, {longer.steps[5]}, std::nullopt);
        QCOMPARE(view().stepCount(), 6);
    }

    void aThemeIsTakenWhileShown()
    {
        m_timeline->setTheme(ui::Theme::dark());
        QCOMPARE(scatter(0)->color(), ui::Theme::dark().picked);
        QVERIFY(!m_timeline->grab().isNull());
    }
};

QTEST_MAIN(TimelineTest)
#include "TimelineTest.moc"
