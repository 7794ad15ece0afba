#include "ui/chain/ChainPresets.h"

#include <QTest>

#include <set>

using engine::SamplingConfig;
using engine::SamplingStage;

class ChainPresetsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyOrderHasEveryStageOnce()
    {
        const SamplingConfig plain;
        std::set<QString> names;
        for (const ui::OrderPreset& preset : ui::orderPresets()) {
            QVERIFY(names.insert(preset.library).second);
            QVERIFY(!preset.source.isEmpty());
            QCOMPARE(std::set(preset.order.begin(), preset.order.end()),
                     std::set(plain.order.begin(), plain.order.end()));
            QCOMPARE(preset.order.size(), plain.order.size());
        }
        QCOMPARE(names.size(), std::size_t(4));
    }

    void moodsAreTheFieldsTemperatures()
    {
        std::vector<double> temperatures;
        for (const ui::MoodPreset& mood : ui::moodPresets())
            temperatures.push_back(mood.temperature);
        QCOMPARE(temperatures, std::vector<double>({0.2, 0.7, 1.0}));
        const SamplingConfig config = ui::withMood({}, ui::moodPresets()[0]);
        QCOMPARE(config.rule, engine::DecodingRule::Sample);
        QCOMPARE(config.temperature, 0.2);
    }

    void stagesAreSwitchedByTheirValues()
    {
        for (const SamplingStage stage : SamplingConfig().order) {
            SamplingConfig config;
            QVERIFY(!ui::isStageOn(stage, config));
            config = ui::withStage(config, stage, ui::usualValue(stage));
            QVERIFY(ui::isStageOn(stage, config));
            QCOMPARE(ui::valueOf(stage, config), ui::usualValue(stage));
            config.order.clear();
            QVERIFY(!ui::isStageOn(stage, config));
            config = ui::withStage(config, stage, ui::usualValue(stage));
            QVERIFY(ui::isStageOn(stage, config));
            QVERIFY(ui::withStage(config, stage, ui::offValue(stage)).order == config.order);
            QVERIFY(!ui::isStageOn(stage, ui::withStage(config, stage, ui::offValue(stage))));
        }
    }
};

QTEST_APPLESS_MAIN(ChainPresetsTest)
#include "ChainPresetsTest.moc"
