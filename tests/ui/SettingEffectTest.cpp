#include "ui/SettingEffect.h"

#include "tests/ui/support/HandmadeStep.h"

#include <QTest>

using engine::SamplingConfig;
using engine::SamplingStage;
using engine::StageTrace;
using ui::effectText;

class SettingEffectTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void saysWhatEachStageDid()
    {
        engine::Step step = support::handmadeStep({0.5, 0.3}, 1, 0, 10);
        step.stages = {{SamplingStage::RepetitionPenalty, 1.2, 12, 12, 0, 3},
                       {SamplingStage::Temperature, 0.5, 12, 12, 0, 12},
                       {SamplingStage::TopK, 20, 12, 12, 0, 0},
                       {SamplingStage::TopP, 0.9, 4096, 5, 0.1, 0}};
        SamplingConfig config;
        config.repetitionPenalty = 1.2;
        config.temperature = 0.5;
        config.topK = 20;
        config.topP = 0.9;
        QCOMPARE(effectText(SamplingStage::RepetitionPenalty, config, &step),
                 QStringLiteral("changes 3"));
        QCOMPARE(effectText(SamplingStage::Temperature, config, &step), QStringLiteral("sharpens"));
        QCOMPARE(effectText(SamplingStage::TopK, config, &step), QStringLiteral("no effect"));
        QCOMPARE(effectText(SamplingStage::TopP, config, &step), QStringLiteral("cuts 4,091"));
        QCOMPARE(effectText(SamplingStage::MinP, config, &step), QStringLiteral("off"));
        step.stages[1].value = 1.5;
        config.temperature = 1.5;
        QCOMPARE(effectText(SamplingStage::Temperature, config, &step), QStringLiteral("flattens"));
    }

    void saysWhatIsNotUsed()
    {
        SamplingConfig config;
        config.topK = 20;
        const engine::Step greedy = support::handmadeGreedyStep({0.5, 0.3}, 10);
        QCOMPARE(effectText(SamplingStage::TopK, config, &greedy), QStringLiteral("not used"));
        QCOMPARE(ui::seedEffectText(&greedy), QStringLiteral("not used"));
        QCOMPARE(effectText(SamplingStage::TopK, config, nullptr), QString());
        config.order.clear();
        QCOMPARE(effectText(SamplingStage::TopK, config, &greedy), QStringLiteral("off"));
        engine::Step drawn = support::handmadeStep({0.5, 0.3}, 2, 0, 10);
        QCOMPARE(ui::seedEffectText(&drawn), QStringLiteral("draws"));
        drawn.keptCount = 1;
        QCOMPARE(ui::seedEffectText(&drawn), QStringLiteral("no effect"));
    }
};

QTEST_MAIN(SettingEffectTest)
#include "SettingEffectTest.moc"
