#include "ui/WindowActions.h"

#include <QMenuBar>
#include <QTest>
#include <QWidget>

using ui::WindowActions;
using ui::WindowState;

namespace {

WindowState ready()
{
    WindowState state;
    state.hasModel = true;
    state.hasRun = true;
    state.canStep = true;
    state.stepCount = 5;
    state.selected = 2;
    return state;
}

/// The enabled ones among those that depend on the state, by a letter each.
QString enabled(const WindowActions& a)
{
    QString letters;
    const auto add = [&](const QAction* action, char letter) {
        if (action->isEnabled())
            letters += QLatin1Char(letter);
    };
    add(a.step, 'S');
    add(a.back, 'B');
    add(a.play, 'P');
    add(a.toEnd, 'E');
    add(a.reset, 'R');
    add(a.stop, 'X');
    add(a.toggleRule, 'G');
    add(a.saveTrace, 'W');
    return letters;
}

} // namespace

class WindowActionsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void actionsFollowTheState_data();
    void actionsFollowTheState();
    void openingIsAlwaysPossible();
    void noKeyIsGivenTwice();
    void everyActionIsInAMenu();
    void playAndPauseAreOneAction();
};

void WindowActionsTest::actionsFollowTheState_data()
{
    QTest::addColumn<WindowState>("state");
    QTest::addColumn<QString>("letters");
    QTest::newRow("nothing open") << WindowState() << QString();

    WindowState state;
    state.hasModel = true;
    QTest::newRow("a model, no run") << state << QStringLiteral("G");
    state.hasRun = true;
    state.canStep = true;
    QTest::newRow("a prompt, no step") << state << QStringLiteral("SPEGW");

    QTest::newRow("in the middle") << ready() << QStringLiteral("SBPERGW");
    state = ready();
    state.selected = 0;
    QTest::newRow("at the first step") << state << QStringLiteral("SPERGW");
    state = ready();
    state.selected = 4;
    QTest::newRow("at the last step") << state << QStringLiteral("SBPERGW");
    state.canStep = false;
    QTest::newRow("stopped, at the last step") << state << QStringLiteral("BRGW");
    state.selected = 1;
    QTest::newRow("stopped, looking back") << state << QStringLiteral("SBPERGW");

    state = ready();
    state.isRunning = true;
    QTest::newRow("running") << state << QStringLiteral("RXG");
    state.isPlaying = true;
    QTest::newRow("playing, step in flight") << state << QStringLiteral("PRXG");
    state.isRunning = false;
    QTest::newRow("playing, between steps") << state << QStringLiteral("PRXG");
    state = ready();
    state.isLoading = true;
    QTest::newRow("loading") << state << QStringLiteral("X");

    state = ready();
    state.hasModel = false;
    state.isTrace = true;
    state.canStep = false;
    QTest::newRow("a trace") << state << QStringLiteral("SBPERW");
    state.selected = 4;
    QTest::newRow("a trace, at its end") << state << QStringLiteral("BRW");
}

void WindowActionsTest::actionsFollowTheState()
{
    QFETCH(WindowState, state);
    QFETCH(QString, letters);
    QWidget window;
    WindowActions actions(&window);
    actions.setTheme(ui::Theme::light());
    actions.setState(ready());
    actions.setState(state);
    QCOMPARE(enabled(actions), letters);
}

void WindowActionsTest::openingIsAlwaysPossible()
{
    QWidget window;
    WindowActions actions(&window);
    for (const bool busy : {false, true}) {
        WindowState state;
        state.isLoading = busy;
        state.isRunning = busy;
        actions.setState(state);
        QVERIFY(actions.openModel->isEnabled());
        QVERIFY(actions.openTrace->isEnabled());
        QVERIFY(actions.quit->isEnabled());
    }
}

void WindowActionsTest::noKeyIsGivenTwice()
{
    QWidget window;
    const WindowActions actions(&window);
    QSet<QString> seen;
    for (const QAction* action : window.actions())
        for (const QKeySequence& key : action->shortcuts()) {
            QVERIFY2(!seen.contains(key.toString()), qPrintable(key.toString()));
            seen.insert(key.toString());
        }
    for (const char* key : {"Space", "Right", "Left", "P", "R", "Home", "End", "Esc", "G", "T",
                            "Ctrl+O", "Ctrl+Shift+O", "Ctrl+S", "Ctrl++", "Ctrl+-", "Ctrl+0", "F1"})
        QVERIFY2(seen.contains(QLatin1String(key)), key);
}

void WindowActionsTest::everyActionIsInAMenu()
{
    QWidget window;
    const WindowActions actions(&window);
    QMenuBar bar;
    actions.fillMenuBar(&bar);
    QCOMPARE(bar.actions().size(), 4);
    QSet<QAction*> inMenus;
    for (QAction* menu : bar.actions())
        for (QAction* action : menu->menu()->actions())
            inMenus.insert(action);
    for (QAction* action : window.actions()) {
        QVERIFY2(inMenus.contains(action), qPrintable(action->text()));
        QVERIFY(!action->toolTip().isEmpty());
    }
}

void WindowActionsTest::playAndPauseAreOneAction()
{
    QWidget window;
    WindowActions actions(&window);
    actions.setTheme(ui::Theme::light());
    WindowState state = ready();
    actions.setState(state);
    QCOMPARE(actions.play->iconText(), QStringLiteral("Play"));
    state.isPlaying = true;
    actions.setState(state);
    QCOMPARE(actions.play->iconText(), QStringLiteral("Pause"));
    state.isPlaying = false;
    actions.setState(state);
    QCOMPARE(actions.play->iconText(), QStringLiteral("Play"));
}

QTEST_MAIN(WindowActionsTest)
#include "WindowActionsTest.moc"
