#include "ui/TopBar.h"

#include "ui/WindowActions.h"

#include <QSignalSpy>
#include <QSlider>
#include <QTest>
#include <QToolButton>

using ui::TopBar;
using ui::WindowActions;

namespace {

struct Bar
{
    Bar()
    {
        actions.setTheme(ui::Theme::light());
        window.setStyleSheet(ui::Theme::light().styleSheet());
        bar.setTheme(ui::Theme::light());
        bar.setModelText(QStringLiteral("pocket-stories  ·  vocab 4,096  ·  F16"));
    }
    void setWidth(int width)
    {
        window.resize(width, 100);
        bar.setInspectorButtonVisible(width < 1180);
        bar.resize(width, 52);
        window.show();
        QCoreApplication::processEvents();
    }

    QWidget window;
    WindowActions actions{&window};
    TopBar bar{&actions, &window};
};

} // namespace

class TopBarTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theSliderGivesHalfToTwentyStepsASecond();
    void settingTheSpeedSendsNothing();
    void buttonsAreFacesOfTheActions();
    void playBecomesPause();
    void aNarrowBarKeepsItsIconsInside_data();
    void aNarrowBarKeepsItsIconsInside();
    void aLongModelNameIsCut();
};

void TopBarTest::theSliderGivesHalfToTwentyStepsASecond()
{
    Bar b;
    QSignalSpy changed(&b.bar, &TopBar::speedChanged);
    QCOMPARE(b.bar.speedText(), QStringLiteral("2.0 /s"));
    b.bar.speedSlider()->setValue(b.bar.speedSlider()->minimum());
    QCOMPARE(changed.last().first().toDouble(), 0.5);
    QCOMPARE(b.bar.speedText(), QStringLiteral("0.5 /s"));
    b.bar.speedSlider()->setValue(b.bar.speedSlider()->maximum());
    QCOMPARE(changed.last().first().toDouble(), 20.0);
    QCOMPARE(b.bar.speedText(), QStringLiteral("20.0 /s"));
}

void TopBarTest::settingTheSpeedSendsNothing()
{
    Bar b;
    QSignalSpy changed(&b.bar, &TopBar::speedChanged);
    b.bar.setSpeed(7.25);
    QCOMPARE(changed.count(), 0);
    QCOMPARE(b.bar.speed(), 7.25);
    QCOMPARE(b.bar.speedText(), QStringLiteral("7.25 /s"));
}

void TopBarTest::buttonsAreFacesOfTheActions()
{
    Bar b;
    b.setWidth(1280);
    QSignalSpy stepped(b.actions.step, &QAction::triggered);
    QToolButton* step = b.bar.button(b.actions.step);
    QTest::mouseClick(step, Qt::LeftButton);
    QCOMPARE(stepped.count(), 1);
    b.actions.step->setEnabled(false);
    QVERIFY(!step->isEnabled());
    QCOMPARE(b.bar.button(b.actions.quit), nullptr);
}

void TopBarTest::playBecomesPause()
{
    Bar b;
    b.setWidth(1280);
    QToolButton* play = b.bar.button(b.actions.play);
    QCOMPARE(play->accessibleName(), QStringLiteral("Play"));
    const int width = play->width();
    ui::WindowState state;
    state.isPlaying = true;
    b.actions.setState(state);
    QCoreApplication::processEvents();
    QCOMPARE(play->text(), QStringLiteral("Pause"));
    QCOMPARE(play->accessibleName(), QStringLiteral("Pause"));
    QCOMPARE(play->width(), width);
}

void TopBarTest::aNarrowBarKeepsItsIconsInside_data()
{
    QTest::addColumn<int>("width");
    for (const int width : {1920, 1280, 1100, 1024, 960})
        QTest::addRow("%d", width) << width;
}

void TopBarTest::aNarrowBarKeepsItsIconsInside()
{
    QFETCH(int, width);
    Bar b;
    b.setWidth(width);
    int right = 0;
    for (QToolButton* button : b.bar.findChildren<QToolButton*>()) {
        if (button->isHidden())
            continue;
        QVERIFY(button->geometry().left() >= right);
        right = button->geometry().right();
        QVERIFY2(right < width, qPrintable(button->accessibleName()));
        QVERIFY(button->width() >= button->sizeHint().width());
    }
    const bool hasWords =
        b.bar.button(b.actions.saveTrace)->toolButtonStyle() == Qt::ToolButtonTextBesideIcon;
    QCOMPARE(hasWords, width >= 1280);
}

void TopBarTest::aLongModelNameIsCut()
{
    Bar b;
    const QString name = QStringLiteral("a-very-long-model-name-").repeated(20);
    b.bar.setModelText(name);
    b.setWidth(1280);
    QCOMPARE(b.bar.modelText(), name);
    QVERIFY(b.bar.button(b.actions.toggleTheme)->geometry().right() < 1280);
}

QTEST_MAIN(TopBarTest)
#include "TopBarTest.moc"
