#include "ui/compare/RunSettingsPopup.h"

#include "ui/SamplingPanel.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

class RunSettingsPopupTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void editsTheRunThatItWasOpenedFor()
    {
        QWidget window;
        window.resize(900, 700);
        window.show();
        ui::RunSettingsPopup popup(&window);
        engine::RunConfig config;
        config.sampling.temperature = 0.7;
        config.maxNewTokens = 33;
        popup.open(2, config, 4096, window.mapToGlobal(QPoint(850, 650)));
        QVERIFY(popup.isVisible());
        QCOMPARE(popup.accessibleName(), QStringLiteral("Settings of run C"));
        QCOMPARE(popup.panel()->sampling().temperature, 0.7);
        // Within the window, however near to its edge it was opened.
        QVERIFY(window.frameGeometry().adjusted(0, 0, 1, 1).contains(popup.geometry()));
        const QSignalSpy changed(&popup, &ui::RunSettingsPopup::samplingChanged);
        popup.panel()->sampleButton()->click();
        QCOMPARE(changed.count(), 1);
        QCOMPARE(changed[0][0].toInt(), 2);
        QVERIFY(changed[0][1].value<engine::SamplingConfig>().rule == engine::DecodingRule::Sample);
    }
};

QTEST_MAIN(RunSettingsPopupTest)
#include "RunSettingsPopupTest.moc"
