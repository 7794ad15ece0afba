#include "ui/ShortcutGuard.h"

#include "tests/ui/support/SampleRun.h"
#include "ui/ContextPanel.h"
#include "ui/InspectorPanel.h"
#include "ui/MainWindow.h"
#include "ui/PromptPanel.h"
#include "ui/SamplingPanel.h"
#include "ui/SettingSlider.h"
#include "ui/TokenStrip.h"
#include "ui/TopBar.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>

using ui::MainWindow;

namespace {

/// A window on a model that has made `run`.
struct Window
{
    explicit Window(const engine::Run& run = support::sampleRun(8))
    {
        engine::ModelInfo model = run.model;
        model.path = "/models/pocket.gguf";
        window.setModelInfo(model, run.tokenizer);
        window.setSampling(run.settings.sampling);
        window.steps().setRun(run);
        window.setCanStep(!run.stop);
        window.show();
        window.activateWindow();
        (void)QTest::qWaitForWindowActive(&window);
    }
    const ui::WindowActions& actions() const { return window.actions(); }

    MainWindow window;
};

} // namespace

/// Through the real window: what counts is who gets the key in the end.
class ShortcutGuardTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneSpaceIsOneStepWithAButtonFocused();
    void typingAPromptDoesNotStep();
    void typingNumbersDoesNotStep();
    void arrowsBelongToAFocusedSlider();
    void keysWithControlAreNeverKept();
    void aReadOnlyTextKeepsNothing();
};

void ShortcutGuardTest::oneSpaceIsOneStepWithAButtonFocused()
{
    Window w;
    QSignalSpy step(&w.window, &MainWindow::stepRequested);
    QSignalSpy play(&w.window, &MainWindow::playToggled);
    QSignalSpy sampling(&w.window, &MainWindow::samplingChanged);
    int presses = 0;
    for (QWidget* focused :
         {static_cast<QWidget*>(w.window.topBar()->button(w.actions().step)),
          static_cast<QWidget*>(w.window.topBar()->button(w.actions().play)),
          static_cast<QWidget*>(w.window.inspector()->sampling()->greedyButton()),
          static_cast<QWidget*>(w.window.context()->strip()),
          static_cast<QWidget*>(w.window.inspector()->sampling()->topP()->slider())}) {
        focused->setFocus();
        QCOMPARE(QApplication::focusWidget(), focused);
        QTest::keyClick(focused, Qt::Key_Space);
        QCOMPARE(step.count(), ++presses);
    }
    QCOMPARE(play.count(), 0);
    QCOMPARE(sampling.count(), 0);
}

void ShortcutGuardTest::typingAPromptDoesNotStep()
{
    Window w;
    ui::PromptEdit* editor = w.window.context()->prompt()->editor();
    editor->setFocus();
    editor->clear();
    QSignalSpy step(&w.window, &MainWindow::stepRequested);
    QSignalSpy back(&w.window, &MainWindow::backRequested);
    QSignalSpy play(&w.window, &MainWindow::playToggled);
    QSignalSpy reset(&w.window, &MainWindow::resetRequested);
    QSignalSpy theme(&w.window, &MainWindow::themeChanged);
    QSignalSpy rule(&w.window, &MainWindow::samplingChanged);
    QTest::keyClicks(editor, QStringLiteral("p r g t P R G T"));
    for (const Qt::Key key : {Qt::Key_Left, Qt::Key_Right, Qt::Key_Home, Qt::Key_End, Qt::Key_Up})
        QTest::keyClick(editor, key);
    QCOMPARE(editor->toPlainText(), QStringLiteral("p r g t P R G T"));
    for (const QSignalSpy* spy : {&step, &back, &play, &reset, &theme, &rule})
        QCOMPARE(spy->count(), 0);
}

void ShortcutGuardTest::typingNumbersDoesNotStep()
{
    Window w;
    QSignalSpy step(&w.window, &MainWindow::stepRequested);
    QSignalSpy back(&w.window, &MainWindow::backRequested);
    QSignalSpy play(&w.window, &MainWindow::playToggled);
    ui::SamplingPanel* panel = w.window.inspector()->sampling();
    for (QWidget* field : std::initializer_list<QWidget*>{
             panel->temperature()->field(), panel->lengthLimit(), panel->seedEdit()}) {
        field->setFocus();
        QTest::keyClicks(field, QStringLiteral("p 1"));
        QTest::keyClick(field, Qt::Key_Left);
        QTest::keyClick(field, Qt::Key_Home);
    }
    QCOMPARE(step.count() + back.count() + play.count(), 0);
}

void ShortcutGuardTest::arrowsBelongToAFocusedSlider()
{
    Window w;
    QSignalSpy step(&w.window, &MainWindow::stepRequested);
    QSlider* slider = w.window.inspector()->sampling()->temperature()->slider();
    slider->setFocus();
    const int before = slider->value();
    QTest::keyClick(slider, Qt::Key_Right);
    QCOMPARE(slider->value(), before + 1);
    QCOMPARE(step.count(), 0);
    w.window.context()->strip()->setFocus();
    QTest::keyClick(w.window.context()->strip(), Qt::Key_Right);
    QCOMPARE(step.count(), 1);
}

void ShortcutGuardTest::keysWithControlAreNeverKept()
{
    QLineEdit edit;
    QSlider slider;
    const QKeyEvent save(QEvent::ShortcutOverride, Qt::Key_S, Qt::ControlModifier);
    const QKeyEvent letter(QEvent::ShortcutOverride, Qt::Key_S, Qt::NoModifier,
                           QStringLiteral("s"));
    const QKeyEvent capital(QEvent::ShortcutOverride, Qt::Key_S, Qt::ShiftModifier,
                            QStringLiteral("S"));
    const QKeyEvent escape(QEvent::ShortcutOverride, Qt::Key_Escape, Qt::NoModifier,
                           QStringLiteral("\x1B"));
    QVERIFY(!ui::keepsKey(&edit, save));
    QVERIFY(ui::keepsKey(&edit, letter));
    QVERIFY(ui::keepsKey(&edit, capital));
    QVERIFY(!ui::keepsKey(&edit, escape));
    QVERIFY(!ui::keepsKey(&slider, letter));
    const QListWidget list;
    QVERIFY(ui::keepsKey(&list, QKeyEvent(QEvent::ShortcutOverride, Qt::Key_Up, {})));
    QVERIFY(!ui::keepsKey(&list, QKeyEvent(QEvent::ShortcutOverride, Qt::Key_Left, {})));
    QVERIFY(!ui::keepsKey(nullptr, letter));
}

void ShortcutGuardTest::aReadOnlyTextKeepsNothing()
{
    QPlainTextEdit text;
    const QKeyEvent space(QEvent::ShortcutOverride, Qt::Key_Space, Qt::NoModifier,
                          QStringLiteral(" "));
    QVERIFY(ui::keepsKey(&text, space));
    text.setReadOnly(true);
    QVERIFY(!ui::keepsKey(&text, space));
}

QTEST_MAIN(ShortcutGuardTest)
#include "ShortcutGuardTest.moc"
