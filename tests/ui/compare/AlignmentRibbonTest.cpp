#include "ui/compare/AlignmentRibbon.h"

#include "tests/ui/compare/ComparedLetters.h"
#include "tests/ui/support/DrawnText.h"

#include <QDir>
#include <QSignalSpy>
#include <QTest>

using support::showLetters;

class AlignmentRibbonTest : public QObject
{
    Q_OBJECT

private:
    ui::CompareModel m_model;

    static int chipOf(const ui::AlignmentRibbon& ribbon, int run, int step)
    {
        const auto& chips = ribbon.arrangement().chips();
        for (std::size_t i = 0; i < chips.size(); ++i)
            if (chips[i].run == run && chips[i].step == step)
                return static_cast<int>(i);
        return -1;
    }

private Q_SLOTS:
    void aClickGoesToTheStep()
    {
        showLetters(m_model, {"abcd", "abXY"}, 2, {1});
        ui::AlignmentRibbon ribbon(&m_model);
        ribbon.resize(600, ribbon.height());
        ribbon.show();
        const QSignalSpy asked(&ribbon, &ui::AlignmentRibbon::stepActivated);
        const auto click = [&ribbon](const QPointF& at) {
            QTest::mouseClick(ribbon.viewport(), Qt::LeftButton, {}, at.toPoint());
        };
        click(ribbon.chipRect(chipOf(ribbon, 1, 3)).center());
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked.last().first().toInt(), 3);
        click(ribbon.chipRect(chipOf(ribbon, -1, -1)).center()); // of the prompt
        QCOMPARE(asked.count(), 1);
        const QRectF flag = ribbon.arrangement().flags().front().rect;
        const double gutter =
            ribbon.chipRect(0).left() - ribbon.arrangement().chips()[0].rect.left();
        click(flag.center() + QPointF(gutter, 0));
        QCOMPARE(asked.last().first().toInt(), 2);
    }

    void keepsTheStepInViewOfALongRun()
    {
        showLetters(m_model, {std::string(300, 'a'), std::string(300, 'a')}, 300, {});
        ui::AlignmentRibbon ribbon(&m_model);
        ribbon.resize(500, ribbon.height());
        ribbon.show();
        for (const int step : {0, 150, 299, 20}) {
            m_model.select(step);
            const QRectF chip = ribbon.chipRect(chipOf(ribbon, -1, step));
            QVERIFY(chip.left() >= 40 && chip.right() <= ribbon.viewport()->width());
        }
    }

    void saysWhatItShows()
    {
        showLetters(m_model, {"abcd", "abXY", "abcd"}, 2, {1});
        const ui::AlignmentRibbon ribbon(&m_model);
        const QString words = ribbon.accessibleDescription();
        QVERIFY(words.startsWith(QStringLiteral("B: step 2: same logits")));
        QVERIFY(words.endsWith(QStringLiteral("C: the same tokens as A.")));
        const QString tip = ribbon.chipToolTip(chipOf(ribbon, 1, 2));
        QVERIFY(tip.contains(QStringLiteral("step 2 of run B")));
        QVERIFY(tip.contains(QStringLiteral("B: probability 100 %, rank 1")));
    }

    void marksAreReadable()
    {
        showLetters(m_model, {"abcdefghijkl", "abXdefghYpqpqpqpqpq", "abcdefghijkl"}, 2, {1});
        engine::RunComparison comparison = m_model.comparison();
        comparison.runs[1].agreements = {{3, 3, 5}};
        comparison.runs[1].loop = engine::RepetitionLoop{9, 2, 5, 10};
        std::vector<ui::NamedRun> runs;
        for (int run = 0; run < 3; ++run)
            runs.push_back({m_model.name(run), m_model.run(run)});
        runs[1].run.stop = engine::StopReason::MaxNewTokens;
        m_model.setRuns(runs, comparison);
        ui::AlignmentRibbon ribbon(&m_model);
        ribbon.resize(900, ribbon.height());
        ribbon.show();
        const QString folder = qEnvironmentVariable("TOKENSCOPE_PICTURES");
        if (!folder.isEmpty())
            ribbon.grab().save(QDir(folder).filePath(QStringLiteral("compare-marks.png")));
        QStringList words;
        for (const support::DrawnText& text : support::drawnTexts(ribbon))
            words << text.text;
        const QString all = words.join(QLatin1Char(' '));
        for (const QString& mark :
             {QStringLiteral("= A 3–7"), QStringLiteral("repeats 2 tokens, 5 times"),
              QStringLiteral("length limit (19)")})
            QVERIFY2(all.contains(mark), qPrintable(all));
        const QStringList faults = support::textFaults(ribbon);
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join(QLatin1Char('\n'))));
    }

    void isAsHighAsItsRows()
    {
        showLetters(m_model, {"abcd", "abXY"}, 2, {1});
        const ui::AlignmentRibbon two(&m_model);
        const int height = two.height();
        showLetters(m_model, {"abcd", "abXY", "abc", "ab"}, 2, {1});
        const ui::AlignmentRibbon four(&m_model);
        QVERIFY(four.height() > height);
    }
};

QTEST_MAIN(AlignmentRibbonTest)
#include "AlignmentRibbonTest.moc"
