#include "ui/compare/SettingChips.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

class SettingChipsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsWhatDecidesThePick()
    {
        ui::SettingChips chips;
        engine::SamplingConfig sampling;
        chips.setSettings(sampling, QStringLiteral("tiny"));
        QCOMPARE(chips.texts(), QStringList({QStringLiteral("greedy"), QStringLiteral("tiny")}));
        sampling.rule = engine::DecodingRule::Sample;
        sampling.temperature = 0.8;
        sampling.topP = 0.9;
        sampling.seed = 42;
        chips.setSettings(sampling, {});
        QCOMPARE(chips.texts(),
                 QStringList({QStringLiteral("sample"), QStringLiteral("T 0.80"),
                              QStringLiteral("top-k off"), QStringLiteral("top-p 0.90"),
                              QStringLiteral("seed 42")}));
    }

    void asksOnlyWhereItCanBeChanged()
    {
        ui::SettingChips chips;
        chips.setSettings({}, QStringLiteral("tiny"));
        const QSignalSpy edit(&chips, &ui::SettingChips::editRequested);
        const QSignalSpy model(&chips, &ui::SettingChips::modelRequested);
        chips.chip(0)->click();
        QCOMPARE(edit.count(), 0);
        chips.setEditable(true);
        chips.chip(0)->click();
        chips.modelChip()->click();
        QCOMPARE(edit.count(), 1);
        QCOMPARE(model.count(), 1);
    }

    void wrapsWhereThereIsLittleRoom()
    {
        ui::SettingChips chips;
        engine::SamplingConfig sampling;
        sampling.rule = engine::DecodingRule::Sample;
        chips.setSettings(sampling, QStringLiteral("tiny"));
        QVERIFY(chips.heightForWidth(150) > chips.heightForWidth(900));
        chips.resize(150, chips.heightForWidth(150));
        chips.show();
        for (int i = 0; i < chips.texts().size(); ++i) {
            QVERIFY(chips.rect().contains(chips.chip(i)->geometry()));
            for (int j = 0; j < i; ++j)
                QVERIFY(!chips.chip(i)->geometry().intersects(chips.chip(j)->geometry()));
        }
    }
};

QTEST_MAIN(SettingChipsTest)
#include "SettingChipsTest.moc"
