#include "ui/NumberText.h"

#include <QTest>

class NumberTextTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void percentagesHaveAsManyDecimalsAsTheyNeed_data()
    {
        QTest::addColumn<double>("probability");
        QTest::addColumn<QString>("text");
        QTest::newRow("nothing") << 0.0 << u"0 %"_qs;
        QTest::newRow("too small to write") << 1e-7 << u"<0.001 %"_qs;
        QTest::newRow("thousandths") << 0.00004 << u"0.004 %"_qs;
        QTest::newRow("hundredths") << 0.0009 << u"0.09 %"_qs;
        QTest::newRow("tenths") << 0.009 << u"0.9 %"_qs;
        QTest::newRow("ordinary") << 0.2434 << u"24.3 %"_qs;
        QTest::newRow("nearly all") << 0.999 << u"99.9 %"_qs;
        QTest::newRow("not all") << 0.9997 << u"99.97 %"_qs;
        QTest::newRow("hardly not all") << 0.99999 << u"99.999 %"_qs;
        QTest::newRow("as good as all") << 0.9999999 << u">99.999 %"_qs;
        QTest::newRow("all") << 1.0 << u"100 %"_qs;
    }

    void percentagesHaveAsManyDecimalsAsTheyNeed()
    {
        QFETCH(double, probability);
        QFETCH(QString, text);
        QCOMPARE(ui::percentText(probability), text);
    }

    void countsHaveThousandsSeparated()
    {
        QCOMPARE(ui::countText(7), u"7"_qs);
        QCOMPARE(ui::countText(4096), u"4,096"_qs);
        QCOMPARE(ui::countText(128256), u"128,256"_qs);
    }

    void settingsHaveTwoDecimalsOrAllThatTheyHave()
    {
        QCOMPARE(ui::settingText(1), u"1.00"_qs);
        QCOMPARE(ui::settingText(0.9), u"0.90"_qs);
        QCOMPARE(ui::settingText(0.125), u"0.125"_qs);
        QCOMPARE(ui::settingText(0.00001), u"1e-05"_qs);
    }

    void stagesAreNamedAsOnTheCommandLine()
    {
        QCOMPARE(ui::stageText(engine::SamplingStage::TopK, 20), u"top-k 20"_qs);
        QCOMPARE(ui::stageText(engine::SamplingStage::TopP, 0.9), u"top-p 0.90"_qs);
        QCOMPARE(ui::stageText(engine::SamplingStage::RepetitionPenalty, 1.1),
                 u"repetition-penalty 1.10"_qs);
    }
};

QTEST_APPLESS_MAIN(NumberTextTest)
#include "NumberTextTest.moc"
