#include "ui/checks/CheckText.h"

#include "ui/checks/CheckActions.h"

#include <QMenu>
#include <QMenuBar>
#include <QTest>

using engine::CheckedRun;
using engine::CloseCall;
using engine::FanPath;

namespace {

FanPath path(std::optional<std::uint64_t> seed, std::vector<int> ids, std::vector<double> sums)
{
    FanPath result;
    result.seed = seed;
    for (const int id : ids)
        result.picks.push_back({engine::TokenId{id}, "t" + std::to_string(id), {}});
    result.logProbability = std::move(sums);
    return result;
}

} // namespace

class CheckTextTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void saysWhetherTheRunsAgree()
    {
        engine::RunCheck check;
        check.runs = {CheckedRun(), CheckedRun(), CheckedRun()};
        QCOMPARE(ui::checkSentence(check), QStringLiteral("All 3 runs are the same, to the bit."));
        check.runs[2].same = false;
        check.runs[2].sentence = "at step 4 the draws differ.";
        QCOMPARE(ui::checkSentence(check),
                 QStringLiteral(
                     "1 of 3 runs differ from the first. Run 3: at step 4 the draws differ."));
    }

    void aNearTieIsAWarningAndAnythingElseIsNot()
    {
        CloseCall call;
        call.step = 7;
        call.picked = {engine::TokenId{1}, " cat", {}};
        call.rival = {engine::TokenId{2}, " dog", {}};
        call.margin = 0.00001;
        call.bound = 0.0002;
        QVERIFY(ui::closeCallSentence(call).startsWith(QStringLiteral("Near tie at step 7")));
        QVERIFY(ui::closeCallSentence(call).contains(QStringLiteral("dog")));
        call.margin = 0.02;
        QVERIFY(ui::closeCallSentence(call).startsWith(QStringLiteral("No near tie")));
        QVERIFY(ui::closeCallSentence(call).contains(QStringLiteral("100 times")));
        QCOMPARE(ui::closeCallsText({}), QString());
        const QString many = ui::closeCallsText(std::vector<CloseCall>(8, call));
        QVERIFY(many.endsWith(QStringLiteral("and 3 more near ties")));
    }

    void countsTheSeedsThatBeatGreedy()
    {
        engine::SeedFan fan;
        fan.greedy = path({}, {1, 2, 3}, {-1, -2, -3});
        fan.seeds = {path(1, {1, 2, 4}, {-1, -2, -2.5}), path(2, {1, 5, 4}, {-1, -4, -8}),
                     path(3, {9}, {-1.5})};
        QVERIFY(ui::fanSentence(fan).startsWith(QStringLiteral("1 of 3 seeds")));
        QCOMPARE(ui::agreementSentence(fan, 1),
                 QStringLiteral("Step 1: 1 of 3 seeds still agree with greedy"));
        fan.seeds.erase(fan.seeds.begin());
        QVERIFY(ui::fanSentence(fan).startsWith(QStringLiteral("None of these 2 seeds")));
    }

    void actionsStandInTheMenuRun()
    {
        QWidget window;
        QMenuBar bar;
        bar.addMenu(QStringLiteral("&Run"));
        ui::CheckActions actions(&window);
        actions.fillMenuBar(&bar);
        QVERIFY(bar.actions().first()->menu()->actions().contains(actions.fan));
        QVERIFY(!actions.check->isEnabled());
        actions.setHasRun(true);
        QVERIFY(actions.check->isEnabled() && actions.fan->isEnabled());
    }
};

QTEST_MAIN(CheckTextTest)
#include "CheckTextTest.moc"
