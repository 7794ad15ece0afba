#include "ui/explore/Jumps.h"

#include "ui/StepModel.h"
#include "ui/explore/JumpActions.h"

#include <QMenu>
#include <QMenuBar>
#include <QSignalSpy>
#include <QTest>

using ui::findStep;
using ui::JumpTo;

namespace {

/// Entropies in bits; those with a pick that is not the argmax are marked.
engine::Run run(const std::vector<std::pair<double, bool>>& steps)
{
    engine::Run result;
    for (const auto& [bits, other] : steps) {
        engine::Step step;
        step.index = static_cast<int>(result.steps.size());
        step.entropyBits = bits;
        step.argmax = engine::TokenId{1};
        step.picked = engine::TokenId{other ? 2 : 1};
        result.steps.push_back(step);
    }
    return result;
}

} // namespace

class JumpsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theNearestInTheDirectionIsFound()
    {
        const engine::Run made =
            run({{2.0, false}, {1.9, true}, {3, false}, {0, false}, {5, true}});
        QCOMPARE(findStep(made, 0, 1, JumpTo::Uncertain), 2);
        QCOMPARE(findStep(made, 2, 1, JumpTo::Uncertain), 4);
        QVERIFY(!findStep(made, 4, 1, JumpTo::Uncertain));
        QCOMPARE(findStep(made, 2, -1, JumpTo::Uncertain), 0); // two bits are just enough
        QCOMPARE(findStep(made, 0, 1, JumpTo::NotArgmax), 1);
        QCOMPARE(findStep(made, 4, -1, JumpTo::NotArgmax), 1);
        QVERIFY(!findStep(made, 1, -1, JumpTo::NotArgmax));
        QVERIFY(!findStep(engine::Run(), -1, 1, JumpTo::NotArgmax));
    }

    void actionsJumpOrSayThatThereIsNothing()
    {
        QWidget window;
        QMenuBar bar;
        bar.addMenu(QStringLiteral("&Run"));
        ui::StepModel steps;
        ui::JumpActions actions(&steps, &window);
        actions.fillMenuBar(&bar);
        QVERIFY(!actions.nextUncertain->isEnabled());
        steps.setRun(run({{3, false}, {0, true}, {3, false}}));
        QVERIFY(actions.nextUncertain->isEnabled());
        QVERIFY(bar.actions().first()->menu()->actions().contains(actions.toStep));
        steps.select(0);
        QSignalSpy wanted(&actions, &ui::JumpActions::stepWanted);
        QSignalSpy nothing(&actions, &ui::JumpActions::nothingFound);
        actions.nextUncertain->trigger();
        actions.nextNotArgmax->trigger();
        actions.previousNotArgmax->trigger();
        QCOMPARE(wanted.count(), 2);
        QCOMPARE(wanted[0][0].toInt(), 2);
        QCOMPARE(wanted[1][0].toInt(), 1);
        QCOMPARE(nothing.count(), 1);
        QVERIFY(nothing[0][0].toString().startsWith(QStringLiteral("No earlier step")));
    }
};

QTEST_MAIN(JumpsTest)
#include "JumpsTest.moc"
