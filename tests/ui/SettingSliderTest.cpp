#include "ui/SettingSlider.h"

#include <QSignalSpy>
#include <QSlider>
#include <QTest>
#include <QWheelEvent>

using ui::SettingSlider;

namespace {

SettingSlider::Range temperature()
{
    return {ui::evenStops(0, 2, 40), 0, 5, 4, 0.05, {}};
}

} // namespace

class SettingSliderTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void evenStopsAreTheNearestDoubles();
    void countStopsGrowWithTheNumber_data();
    void countStopsGrowWithTheNumber();
    void settingAValueSendsNoSignal();
    void theSliderGivesItsStop();
    void theFieldGivesWhatIsTyped();
    void theFieldReachesBeyondTheSlider();
    void aValueBeyondTheRangeIsShownAsItIs();
    void theMinimumCanHaveAName();
    void theWheelDoesNothingWithoutFocus();
};

void SettingSliderTest::evenStopsAreTheNearestDoubles()
{
    const auto stops = ui::evenStops(0, 1, 100);
    QCOMPARE(stops.size(), std::size_t(101));
    QVERIFY(stops[90] == 0.9);
    QVERIFY(stops[7] == 0.07);
    QVERIFY(ui::evenStops(0, 2, 40)[16] == 0.8);
}

void SettingSliderTest::countStopsGrowWithTheNumber_data()
{
    QTest::addColumn<int>("maximum");
    for (const int maximum : {1, 2, 9, 10, 11, 4096, 100'000, 151'936})
        QTest::addRow("%d", maximum) << maximum;
}

void SettingSliderTest::countStopsGrowWithTheNumber()
{
    QFETCH(int, maximum);
    const auto stops = ui::countStops(maximum);
    QCOMPARE(stops.front(), 0.0);
    QCOMPARE(stops.back(), static_cast<double>(maximum));
    for (std::size_t i = 1; i < stops.size(); ++i) {
        QVERIFY(stops[i] > stops[i - 1]);
        QCOMPARE(stops[i], std::floor(stops[i]));
    }
    QVERIFY(stops.size() < 90);
    if (maximum >= 100)
        QVERIFY(std::find(stops.begin(), stops.end(), 40.0) != stops.end());
}

void SettingSliderTest::settingAValueSendsNoSignal()
{
    SettingSlider setting(QStringLiteral("Temperature"), temperature());
    QSignalSpy changed(&setting, &SettingSlider::valueChanged);
    setting.setValue(0.8);
    QCOMPARE(changed.count(), 0);
    QCOMPARE(setting.slider()->value(), 16);
    QCOMPARE(setting.field()->text(), QStringLiteral("0.80"));
    setting.setValue(0.123456789);
    QVERIFY(setting.value() == 0.123456789);
}

void SettingSliderTest::theSliderGivesItsStop()
{
    SettingSlider setting(QStringLiteral("Temperature"), temperature());
    QSignalSpy changed(&setting, &SettingSlider::valueChanged);
    setting.slider()->setValue(14);
    QCOMPARE(changed.count(), 1);
    QVERIFY(changed.first().first().toDouble() == 0.7);
    QCOMPARE(setting.field()->text(), QStringLiteral("0.70"));
}

void SettingSliderTest::theFieldGivesWhatIsTyped()
{
    SettingSlider setting(QStringLiteral("Temperature"), temperature());
    setting.setValue(1);
    QSignalSpy changed(&setting, &SettingSlider::valueChanged);
    setting.field()->selectAll();
    QTest::keyClicks(setting.field(), QStringLiteral("0.725"));
    QVERIFY(!changed.isEmpty());
    QVERIFY(changed.last().first().toDouble() == 0.725);
    QVERIFY(setting.value() == 0.725);
}

void SettingSliderTest::theFieldReachesBeyondTheSlider()
{
    SettingSlider setting(QStringLiteral("Temperature"), temperature());
    setting.field()->setValue(4.5);
    QCOMPARE(setting.value(), 4.5);
    QCOMPARE(setting.slider()->value(), setting.slider()->maximum());
}

void SettingSliderTest::aValueBeyondTheRangeIsShownAsItIs()
{
    SettingSlider setting(QStringLiteral("Temperature"), temperature());
    setting.setValue(80);
    QCOMPARE(setting.field()->text(), QStringLiteral("80.00"));
}

void SettingSliderTest::theMinimumCanHaveAName()
{
    SettingSlider setting(QStringLiteral("Top-k"),
                          {ui::countStops(4096), 0, 4096, 0, 1, QStringLiteral("off")});
    QCOMPARE(setting.field()->text(), QStringLiteral("off"));
    setting.setValue(40);
    QCOMPARE(setting.field()->text(), QStringLiteral("40"));
}

void SettingSliderTest::theWheelDoesNothingWithoutFocus()
{
    SettingSlider setting(QStringLiteral("Temperature"), temperature());
    setting.setValue(1);
    setting.show();
    QVERIFY(QTest::qWaitForWindowActive(&setting));
    setting.setFocus();
    const auto turn = [&] {
        QWheelEvent wheel({5, 5}, setting.slider()->mapToGlobal(QPointF(5, 5)), {}, {0, 120},
                          Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(setting.slider(), &wheel);
    };
    turn();
    QCOMPARE(setting.value(), 1.0);
    setting.slider()->setFocus();
    turn();
    QVERIFY(setting.value() > 1.0);
}

QTEST_MAIN(SettingSliderTest)
#include "SettingSliderTest.moc"
