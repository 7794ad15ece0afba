#include "ui/why/StepLedger.h"

#include "tests/ui/support/SampleRun.h"

#include <QTest>

#include <algorithm>

using engine::Run;
using engine::TokenPiece;
using ui::LedgerRow;

namespace {

QString rowText(const std::vector<LedgerRow>& rows, const char* stage, int number = 0)
{
    for (const LedgerRow& row : rows)
        if (row.stage == QLatin1String(stage) && number-- == 0)
            return row.text;
    return QStringLiteral("no such row");
}

} // namespace

class StepLedgerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tellsTheWayFromTextToText()
    {
        const Run run = support::sampleRun();
        const engine::Step& step = run.steps[3];
        const auto rows = ui::stepLedger(run, 3, step.picked);
        QStringList stages;
        for (const LedgerRow& row : rows)
            stages << row.stage;
        QCOMPARE(stages.first(), QStringLiteral("text as given"));
        QVERIFY(stages.indexOf(QStringLiteral("bytes")) < stages.indexOf(QStringLiteral("ids")));
        QVERIFY(stages.indexOf(QStringLiteral("ids")) < stages.indexOf(QStringLiteral("logit")));
        QVERIFY(stages.indexOf(QStringLiteral("logit")) < stages.indexOf(QStringLiteral("draw")));
        QCOMPARE(
            stages.mid(stages.size() - 3),
            (QStringList{QStringLiteral("pick"), QStringLiteral("bytes"), QStringLiteral("text")}));
        QVERIFY(rowText(rows, "text as given").contains(QStringLiteral("there was a")));
        QVERIFY(rowText(rows, "ids").contains(QStringLiteral("1 BOS")));
        QVERIFY(rowText(rows, "ids").contains(QStringLiteral("3 generated")));
        QVERIFY(rowText(rows, "draw")
                    .contains(QStringLiteral("u = %1").arg(QString::number(step.draw->u, 'f', 4))));
        QVERIFY(rowText(rows, "pick").contains(QString::number(step.picked.value)));
    }

    void saysWhichTokenWasForced()
    {
        Run run = support::sampleRun(5);
        const engine::TokenId other = run.steps[3].candidates[7].piece.id;
        run.steps[3] = support::forcedStep(run.steps[3], other);
        QVERIFY(rowText(ui::stepLedger(run, 3, other), "pick").contains(QStringLiteral("by hand")));
        QVERIFY(rowText(ui::stepLedger(run, 4, run.steps[4].picked), "ids")
                    .contains(QStringLiteral("1 forced")));
    }

    void namesTheTemplateOfAChat()
    {
        Run run = support::sampleRun(2);
        QCOMPARE(rowText(ui::stepLedger(run, 0, run.steps[0].picked), "template"),
                 QStringLiteral("no such row"));
        run.settings.chat = true;
        QVERIFY(rowText(ui::stepLedger(run, 0, run.steps[0].picked), "template")
                    .contains(QStringLiteral("there was a")));
    }

    void marksWhereACandidateWent()
    {
        const Run run = support::sampleRun();
        const engine::Step& step = run.steps[2];
        const auto cut = std::find_if(step.candidates.begin(), step.candidates.end(),
                                      [](const auto& candidate) { return candidate.removedBy; });
        QVERIFY(cut != step.candidates.end());
        const auto rows = ui::stepLedger(run, 2, cut->piece.id);
        QCOMPARE(std::count_if(rows.begin(), rows.end(),
                               [](const LedgerRow& row) { return row.isRemoval; }),
                 1);
    }

    void isEmptyWithoutAStep()
    {
        QVERIFY(ui::stepLedger(support::promptOnlyRun(), 0, {5}).empty());
        QVERIFY(ui::stepLedger(support::sampleRun(1), -1, {5}).empty());
    }

    void saysWhatABytesTokenWaitsFor_data()
    {
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("expected");
        QTest::newRow("whole") << QByteArray("a") << QByteArray("bc") << QString();
        QTest::newRow("one of two")
            << QByteArray("a") << QByteArray("\xC3")
            << QStringLiteral("part of a character: 1 of 2 bytes are there, it waits for 1 more");
        QTest::newRow("one of four")
            << QByteArray() << QByteArray("x\xF0")
            << QStringLiteral("part of a character: 1 of 4 bytes are there, it waits for 3 more");
        QTest::newRow("second of three")
            << QByteArray("\xE2") << QByteArray("\x82")
            << QStringLiteral("part of a character: 2 of 3 bytes are there, it waits for 1 more");
        QTest::newRow("last of three") << QByteArray("\xE2\x82") << QByteArray("\xAC")
                                       << QStringLiteral("completes %1").arg(QChar(0x20AC));
        QTest::newRow("last and more") << QByteArray("\xC3") << QByteArray("\xA9!")
                                       << QStringLiteral("completes %1").arg(QChar(0xE9));
        QTest::newRow("never a character") << QByteArray("a") << QByteArray("\xFF") << QString();
        QTest::newRow("empty") << QByteArray("\xE2") << QByteArray() << QString();
    }
    void saysWhatABytesTokenWaitsFor()
    {
        QFETCH(QByteArray, before);
        QFETCH(QByteArray, bytes);
        QFETCH(QString, expected);
        QCOMPARE(ui::partialText(before.toStdString(), TokenPiece{{1}, bytes.toStdString(), {}}),
                 expected);
    }
};

QTEST_APPLESS_MAIN(StepLedgerTest)
#include "StepLedgerTest.moc"
