#include "ui/SettingOrigins.h"

#include <QTest>

using engine::SamplingConfig;
using ui::Setting;
using ui::SettingOrigin;
using ui::SettingOrigins;

class SettingOriginsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void beginAsThePrograms()
    {
        const SettingOrigins origins;
        for (const Setting setting : {Setting::Rule, Setting::Temperature, Setting::LengthLimit})
            QCOMPARE(origins.of(setting), SettingOrigin::Program);
    }

    void followWhoChangedWhat()
    {
        SettingOrigins origins;
        SamplingConfig before;
        SamplingConfig after;
        after.topK = 5;
        after.seed = 3;
        origins.changed(before, after, SettingOrigin::User);
        QCOMPARE(origins.of(Setting::TopK), SettingOrigin::User);
        QCOMPARE(origins.of(Setting::Seed), SettingOrigin::User);
        QCOMPARE(origins.of(Setting::TopP), SettingOrigin::Program);
    }

    void aDefaultSetFromElsewhereIsThePrograms()
    {
        SettingOrigins origins;
        SamplingConfig before;
        before.topK = 5;
        before.temperature = 0.7;
        origins.changed({}, before, SettingOrigin::User);
        SamplingConfig after;
        after.temperature = 0.9;
        origins.replaced(before, after);
        QCOMPARE(origins.of(Setting::TopK), SettingOrigin::Program);
        QCOMPARE(origins.of(Setting::Temperature), SettingOrigin::User);
        QCOMPARE(origins.of(Setting::MinP), SettingOrigin::Program);
    }

    void theModelsOwnBecomeTheUsersWithAnotherModel()
    {
        SettingOrigins origins;
        engine::SamplingDefaults suggestion;
        suggestion.topK = 40;
        origins.suggested(suggestion);
        QCOMPARE(origins.of(Setting::TopK), SettingOrigin::Model);
        QCOMPARE(origins.of(Setting::Temperature), SettingOrigin::Program);
        origins.modelChanged();
        QCOMPARE(origins.of(Setting::TopK), SettingOrigin::User);
    }
};

QTEST_MAIN(SettingOriginsTest)
#include "SettingOriginsTest.moc"
