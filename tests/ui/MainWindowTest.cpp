#include "ui/MainWindow.h"

#include "tests/ui/support/SampleRun.h"
#include "ui/Banner.h"
#include "ui/CandidateTable.h"
#include "ui/ContextPanel.h"
#include "ui/DistributionChart.h"
#include "ui/InspectorPanel.h"
#include "ui/PromptPanel.h"
#include "ui/SamplingPanel.h"
#include "ui/SettingSlider.h"
#include "ui/StatusLine.h"
#include "ui/StepFactsPanel.h"
#include "ui/Timeline.h"
#include "ui/TokenStrip.h"
#include "ui/TopBar.h"
#include "ui/WelcomePage.h"

#include <QAbstractScrollArea>
#include <QAccessible>
#include <QDialog>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
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

class MainWindowTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void beginsByAskingForAModel();
    void aModelOpensTheBoard();
    void oneSpaceIsOneStep();
    void oneLetterKeysDoWhatTheMenuSays_data();
    void oneLetterKeysDoWhatTheMenuSays();
    void enterPressesTheFocusedButton();
    void startGivesTheKeysBackToTheRun();
    void everyFocusableControlHasAName();
    void tabReachesEveryPartOfTheWindow();
    void aStepInFlightTakesNoSecondStep();
    void aLongStepGreysTheButtonsAndOffersStop();
    void focusComesBackAfterALongStep();
    void playTogglesByItsState();
    void clickingAChipLooksAtItsStep();
    void gTogglesTheRuleInThePanel();
    void forcingIsForLiveRunsOnly();
    void aTraceIsReadOnly();
    void aTraceLeavesTheOpenModelReady();
    void errorsAreShownInlineAndLiterally();
    void loadingIsSaidAndEnds();
    void droppingOneFileAsksForIt();
    void otherDropsAreRefused();
    void aFileDroppedOnThePromptGoesToTheWindow();
    void theThemeSwitchesLive();
    void textCanBeMadeLargerAndSmaller();
    void theTableTakesThePlaceOfTheChart();
    void fitsEverySize_data();
    void fitsEverySize();
    void helpListsTheKeys();
};

void MainWindowTest::beginsByAskingForAModel()
{
    MainWindow window;
    window.show();
    QVERIFY(window.welcome()->isVisible());
    QVERIFY(!window.context()->isVisible());
    QCOMPARE(window.welcome()->headline(), QStringLiteral("No model is open"));
    QVERIFY(!window.actions().step->isEnabled());
    QVERIFY(window.actions().openModel->isEnabled());
}

void MainWindowTest::aModelOpensTheBoard()
{
    Window w;
    QVERIFY(!w.window.welcome()->isVisible());
    QVERIFY(w.window.context()->isVisible());
    QVERIFY(w.window.chart()->isVisible());
    QVERIFY(w.window.topBar()->modelText().contains(QStringLiteral("vocab 4,096")));
    QVERIFY(w.window.windowTitle().contains(QStringLiteral("pocket-stories")));
    QCOMPARE(w.window.context()->prompt()->prompt(),
             QStringLiteral("Once upon a time, there was a"));
    QVERIFY(w.window.statusLine()->text().startsWith(QStringLiteral("Step 7 of 7")));
}

void MainWindowTest::oneSpaceIsOneStep()
{
    Window w;
    QSignalSpy step(&w.window, &MainWindow::stepRequested);
    QTest::keyClick(&w.window, Qt::Key_Space);
    QCOMPARE(step.count(), 1);
    QTest::keyClick(&w.window, Qt::Key_Right);
    QCOMPARE(step.count(), 2);
}

void MainWindowTest::oneLetterKeysDoWhatTheMenuSays_data()
{
    QTest::addColumn<int>("key");
    QTest::addColumn<QByteArray>("signal");
    QTest::newRow("space") << int(Qt::Key_Space) << QByteArray(SIGNAL(stepRequested()));
    QTest::newRow("left") << int(Qt::Key_Left) << QByteArray(SIGNAL(backRequested()));
    QTest::newRow("P") << int(Qt::Key_P) << QByteArray(SIGNAL(playToggled(bool)));
    QTest::newRow("R") << int(Qt::Key_R) << QByteArray(SIGNAL(resetRequested()));
    QTest::newRow("Home") << int(Qt::Key_Home) << QByteArray(SIGNAL(resetRequested()));
    QTest::newRow("End") << int(Qt::Key_End) << QByteArray(SIGNAL(stepToEndRequested()));
    QTest::newRow("T") << int(Qt::Key_T) << QByteArray(SIGNAL(themeChanged(bool)));
    QTest::newRow("G") << int(Qt::Key_G)
                       << QByteArray(SIGNAL(samplingChanged(engine::SamplingConfig)));
}

void MainWindowTest::oneLetterKeysDoWhatTheMenuSays()
{
    QFETCH(int, key);
    QFETCH(QByteArray, signal);
    qRegisterMetaType<engine::SamplingConfig>("engine::SamplingConfig");
    Window w;
    QSignalSpy spy(&w.window, signal.constData());
    QVERIFY(spy.isValid());
    QTest::keyClick(&w.window, static_cast<Qt::Key>(key));
    QCOMPARE(spy.count(), 1);
}

void MainWindowTest::enterPressesTheFocusedButton()
{
    Window w;
    QSignalSpy back(&w.window, &MainWindow::backRequested);
    QToolButton* button = w.window.topBar()->button(w.actions().back);
    button->setFocus();
    QTest::keyClick(button, Qt::Key_Return);
    QCOMPARE(back.count(), 1);
    QPushButton* greedy = w.window.inspector()->sampling()->greedyButton();
    greedy->setFocus();
    QTest::keyClick(greedy, Qt::Key_Enter);
    QVERIFY(greedy->isChecked());
}

void MainWindowTest::startGivesTheKeysBackToTheRun()
{
    Window w;
    QSignalSpy submitted(&w.window, &MainWindow::promptSubmitted);
    QSignalSpy step(&w.window, &MainWindow::stepRequested);
    ui::PromptEdit* editor = w.window.context()->prompt()->editor();
    editor->setFocus();
    QTest::keyClicks(editor, QStringLiteral("!"));
    QTest::keyClick(editor, Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(submitted.count(), 1);
    QVERIFY(!editor->hasFocus());
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
    QCOMPARE(step.count(), 1);
}

void MainWindowTest::everyFocusableControlHasAName()
{
    Window w;
    w.window.inspector()->sampling()->moreButton()->setChecked(true);
    w.window.showError(QStringLiteral("an error"));
    int controls = 0;
    for (QWidget* widget : w.window.findChildren<QWidget*>()) {
        // The line edit of a number field and the viewport of a view stand for their parents.
        const auto* view = qobject_cast<QAbstractScrollArea*>(widget->parentWidget());
        const bool isPart = widget->objectName().startsWith(QStringLiteral("qt_")) ||
                            qobject_cast<QAbstractSpinBox*>(widget->parentWidget()) ||
                            (view && view->viewport() == widget);
        if (widget->focusPolicy() == Qt::NoFocus || isPart || widget->isWindow())
            continue;
        QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(widget);
        QVERIFY(accessible);
        const QString name = accessible->text(QAccessible::Name);
        QVERIFY2(!name.trimmed().isEmpty(),
                 qPrintable(QStringLiteral("%1 %2").arg(
                     QLatin1String(widget->metaObject()->className()), widget->objectName())));
        ++controls;
    }
    QVERIFY(controls > 25);
}

void MainWindowTest::tabReachesEveryPartOfTheWindow()
{
    Window w;
    QSet<QWidget*> reached;
    w.window.centralWidget()->setFocus();
    for (int i = 0; i < 80; ++i) {
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        reached.insert(QApplication::focusWidget());
    }
    ui::SamplingPanel* panel = w.window.inspector()->sampling();
    for (QWidget* widget : std::initializer_list<QWidget*>{
             w.window.topBar()->button(w.actions().step), w.window.topBar()->speedSlider(),
             w.window.context()->prompt()->editor(), w.window.context()->strip(),
             panel->temperature()->field(), panel->temperature()->slider(), panel->seedEdit(),
             panel->lengthLimit(), panel->moreButton()})
        QVERIFY2(reached.contains(widget), qPrintable(widget->accessibleName()));
}

void MainWindowTest::aStepInFlightTakesNoSecondStep()
{
    Window w;
    QSignalSpy step(&w.window, &MainWindow::stepRequested);
    w.window.setRunning(true);
    QVERIFY(w.actions().stop->isEnabled());
    QTest::keyClick(&w.window, Qt::Key_Space);
    QCOMPARE(step.count(), 0);
    w.window.setRunning(false);
    QVERIFY(!w.actions().stop->isEnabled());
    QTest::keyClick(&w.window, Qt::Key_Space);
    QCOMPARE(step.count(), 1);
}

void MainWindowTest::aLongStepGreysTheButtonsAndOffersStop()
{
    Window w;
    w.window.setRunning(true);
    QTRY_VERIFY(!w.actions().step->isEnabled());
    QVERIFY(!w.actions().saveTrace->isEnabled());
    QSignalSpy stop(&w.window, &MainWindow::stopRequested);
    QTest::keyClick(&w.window, Qt::Key_Escape);
    QCOMPARE(stop.count(), 1);
    w.window.setRunning(false);
    QVERIFY(w.actions().step->isEnabled());
}

void MainWindowTest::focusComesBackAfterALongStep()
{
    Window w;
    QToolButton* button = w.window.topBar()->button(w.actions().step);
    button->setFocus();
    w.window.setRunning(true);
    QTRY_VERIFY(!button->isEnabled());
    QVERIFY(!button->hasFocus());
    w.window.setRunning(false);
    QVERIFY(button->hasFocus());
}

void MainWindowTest::playTogglesByItsState()
{
    Window w;
    QSignalSpy play(&w.window, &MainWindow::playToggled);
    w.actions().play->trigger();
    QCOMPARE(play.last().first().toBool(), true);
    w.window.setPlaying(true);
    QVERIFY(!w.actions().step->isEnabled());
    w.actions().play->trigger();
    QCOMPARE(play.last().first().toBool(), false);
}

void MainWindowTest::clickingAChipLooksAtItsStep()
{
    Window w;
    QSignalSpy selected(&w.window, &MainWindow::stepSelected);
    ui::TokenStrip* strip = w.window.context()->strip();
    QTest::mouseClick(strip->viewport(), Qt::LeftButton, {}, strip->chipRect(9 + 2).center());
    QCOMPARE(selected.count(), 1);
    QCOMPARE(w.window.steps().selected(), 2);
    QVERIFY(w.window.statusLine()->text().startsWith(QStringLiteral("Step 2 of 7")));
    Q_EMIT w.window.timeline()->stepActivated(5);
    QCOMPARE(w.window.steps().selected(), 5);
}

void MainWindowTest::gTogglesTheRuleInThePanel()
{
    Window w;
    engine::SamplingConfig sent;
    connect(&w.window, &MainWindow::samplingChanged, this,
            [&](const engine::SamplingConfig& config) { sent = config; });
    QTest::keyClick(&w.window, Qt::Key_G);
    QCOMPARE(sent.rule, engine::DecodingRule::Greedy);
    QVERIFY(!w.window.inspector()->sampling()->temperature()->isEnabled());
    QTest::keyClick(&w.window, Qt::Key_G);
    QCOMPARE(sent.rule, engine::DecodingRule::Sample);
}

void MainWindowTest::forcingIsForLiveRunsOnly()
{
    Window w;
    QList<int> forced;
    connect(&w.window, &MainWindow::candidateForced, this,
            [&](engine::TokenId id) { forced << id.value; });
    Q_EMIT w.window.chart()->candidateActivated({5});
    Q_EMIT w.window.table()->candidateActivated({6});
    QCOMPARE(forced, (QList<int>{5, 6}));
    w.window.setPlaying(true);
    Q_EMIT w.window.chart()->candidateActivated({7});
    w.window.setPlaying(false);
    w.window.setTraceMode(true);
    Q_EMIT w.window.chart()->candidateActivated({8});
    QCOMPARE(forced.size(), 2);
}

void MainWindowTest::aTraceIsReadOnly()
{
    MainWindow window;
    engine::Run run = support::sampleRun();
    run.model.name = "<b>recorded</b>";
    window.steps().setRun(run);
    window.setTraceMode(true);
    window.show();
    QVERIFY(window.context()->isVisible());
    QVERIFY(window.topBar()->modelText().startsWith(QStringLiteral("Trace of <b>recorded</b>")));
    QVERIFY(window.context()->prompt()->editor()->isReadOnly());
    QVERIFY(!window.inspector()->sampling()->temperature()->isEnabled());
    QVERIFY(!window.actions().toggleRule->isEnabled());
    QVERIFY(window.actions().back->isEnabled());
    QVERIFY(!window.actions().step->isEnabled());
    window.steps().select(3);
    QVERIFY(window.actions().step->isEnabled());
    QCOMPARE(window.inspector()
                 ->facts()
                 ->text(ui::StepFactsPanel::PickedRank)
                 .section(QLatin1Char('/'), 1)
                 .trimmed(),
             QStringLiteral("4,096"));
}

void MainWindowTest::aTraceLeavesTheOpenModelReady()
{
    Window w;
    engine::Run run = support::sampleRun(4);
    w.window.setModelInfo(run.model, run.tokenizer);
    w.window.steps().setRun(run);
    w.window.setTraceMode(true);
    QVERIFY(!w.window.inspector()->sampling()->temperature()->isEnabled());
    QVERIFY(!w.window.context()->prompt()->editor()->isReadOnly());
    QVERIFY(w.window.context()->prompt()->startButton()->isEnabled());
}

void MainWindowTest::errorsAreShownInlineAndLiterally()
{
    Window w;
    const QString message = QStringLiteral("<img src=x>.gguf: not a GGUF file");
    w.window.showError(message);
    QVERIFY(w.window.banner()->isVisible());
    QCOMPARE(w.window.banner()->text(), message);
    QVERIFY(w.window.context()->isVisible());
    QTest::keyClick(&w.window, Qt::Key_Escape);
    QVERIFY(!w.window.banner()->isVisible());
    w.window.showError(message);
    w.window.clearError();
    QVERIFY(!w.window.banner()->isVisible());
}

void MainWindowTest::loadingIsSaidAndEnds()
{
    MainWindow window;
    window.show();
    window.showLoading(QStringLiteral("a<b>.gguf"));
    QCOMPARE(window.welcome()->headline(), QStringLiteral("Loading a<b>.gguf…"));
    QVERIFY(window.actions().stop->isEnabled());
    window.showError(QStringLiteral("a<b>.gguf: truncated"));
    QCOMPARE(window.welcome()->headline(), QStringLiteral("No model is open"));
    QVERIFY(!window.actions().stop->isEnabled());
    window.showLoading(QStringLiteral("b.gguf"));
    QVERIFY(!window.banner()->isError());
    window.showLoading(QString());
    QVERIFY(!window.banner()->isVisible());
}

namespace {

bool drop(QWidget* target, const QMimeData& data)
{
    QDragEnterEvent enter({20, 20}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    enter.ignore();
    QApplication::sendEvent(target, &enter);
    if (!enter.isAccepted())
        return false;
    QDropEvent dropped(QPointF(20, 20), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(target, &dropped);
    return true;
}

} // namespace

void MainWindowTest::droppingOneFileAsksForIt()
{
    Window w;
    QSignalSpy opened(&w.window, &MainWindow::fileOpenRequested);
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(QStringLiteral("/models/a model.gguf"))});
    QVERIFY(drop(&w.window, data));
    QCOMPARE(opened.count(), 1);
    QCOMPARE(opened.first().first().toString(), QStringLiteral("/models/a model.gguf"));
}

void MainWindowTest::otherDropsAreRefused()
{
    Window w;
    QSignalSpy opened(&w.window, &MainWindow::fileOpenRequested);
    QMimeData two;
    two.setUrls(
        {QUrl::fromLocalFile(QStringLiteral("/a")), QUrl::fromLocalFile(QStringLiteral("/b"))});
    QVERIFY(!drop(&w.window, two));
    QMimeData remote;
    remote.setUrls({QUrl(QStringLiteral("http://example.org/a.gguf"))});
    QVERIFY(!drop(&w.window, remote));
    QMimeData text;
    text.setText(QStringLiteral("words"));
    QVERIFY(!drop(&w.window, text));
    QCOMPARE(opened.count(), 0);
}

void MainWindowTest::aFileDroppedOnThePromptGoesToTheWindow()
{
    Window w;
    QWidget* viewport = w.window.context()->prompt()->editor()->viewport();
    QMimeData file;
    file.setUrls({QUrl::fromLocalFile(QStringLiteral("/models/a.gguf"))});
    QDragEnterEvent enter({5, 5}, Qt::CopyAction, &file, Qt::LeftButton, Qt::NoModifier);
    enter.ignore();
    static_cast<QObject*>(w.window.context()->prompt()->editor())->event(&enter);
    QApplication::sendEvent(viewport, &enter);
    // The editor let it pass, so that the window was asked and took it.
    QVERIFY(enter.isAccepted());
    QVERIFY(!w.window.context()->prompt()->prompt().contains(QStringLiteral("a.gguf")));
}

void MainWindowTest::theThemeSwitchesLive()
{
    Window w;
    const QColor light = w.window.grab().toImage().pixelColor(4, 300);
    QSignalSpy changed(&w.window, &MainWindow::themeChanged);
    QTest::keyClick(&w.window, Qt::Key_T);
    QCOMPARE(changed.last().first().toBool(), true);
    QVERIFY(w.window.theme().isDark);
    QCOMPARE(light, ui::Theme::light().window);
    QCOMPARE(w.window.grab().toImage().pixelColor(4, 300), ui::Theme::dark().window);
    QTest::keyClick(&w.window, Qt::Key_T);
    QCOMPARE(w.window.grab().toImage().pixelColor(4, 300), light);
}

void MainWindowTest::textCanBeMadeLargerAndSmaller()
{
    Window w;
    QSignalSpy changed(&w.window, &MainWindow::textScaleChanged);
    w.actions().largerText->trigger();
    QCOMPARE(changed.last().first().toDouble(), 1.1);
    for (int i = 0; i < 20; ++i)
        w.actions().smallerText->trigger();
    QCOMPARE(w.window.theme().scale, 0.8);
    w.actions().normalText->trigger();
    QCOMPARE(w.window.theme().scale, 1.0);
}

void MainWindowTest::theTableTakesThePlaceOfTheChart()
{
    Window w;
    QTest::keyClick(&w.window, Qt::Key_T, Qt::ControlModifier);
    QVERIFY(w.window.table()->isVisible());
    QVERIFY(!w.window.chart()->isVisible());
    QVERIFY(w.window.table()->model()->rowCount() > 20);
    QTest::keyClick(&w.window, Qt::Key_T, Qt::ControlModifier);
    QVERIFY(w.window.chart()->isVisible());
}

void MainWindowTest::fitsEverySize_data()
{
    QTest::addColumn<QSize>("size");
    QTest::addColumn<double>("scale");
    QTest::newRow("1280x800") << QSize(1280, 800) << 1.0;
    QTest::newRow("1920x1080") << QSize(1920, 1080) << 1.0;
    QTest::newRow("1024x700") << QSize(1024, 700) << 1.0;
    QTest::newRow("960x640") << QSize(960, 640) << 1.0;
    QTest::newRow("large text") << QSize(1920, 1080) << 1.4;
    QTest::newRow("small text") << QSize(1280, 800) << 0.8;
}

void MainWindowTest::fitsEverySize()
{
    QFETCH(QSize, size);
    QFETCH(double, scale);
    Window w;
    ui::Theme theme = ui::Theme::light();
    theme.scale = scale;
    w.window.resize(1920, 1080);
    w.window.setTheme(theme);
    w.window.resize(size);
    QCoreApplication::processEvents();
    QCOMPARE(w.window.size(), size);
    const QRect area = w.window.rect();
    for (QWidget* part : std::initializer_list<QWidget*>{
             w.window.topBar(), w.window.context(), w.window.chart(), w.window.timeline(),
             w.window.inspector(), w.window.statusLine()}) {
        if (!part->isVisible())
            continue;
        const QRect rect(part->mapTo(&w.window, QPoint()), part->size());
        QVERIFY2(area.contains(rect), part->metaObject()->className());
    }
    QVERIFY(w.window.chart()->isVisible());
    QVERIFY(w.window.chart()->width() >= 400);
    QVERIFY(w.window.chart()->height() >= 180);
    QVERIFY(w.window.context()->strip()->height() >= 80);

    // Where the settings have no room they come when asked for.
    w.actions().inspector->setChecked(true);
    QCoreApplication::processEvents();
    QVERIFY(w.window.inspector()->isVisible());
    QCOMPARE(w.window.size(), size);
    const QRect rect(w.window.inspector()->mapTo(&w.window, QPoint()),
                     w.window.inspector()->size());
    QVERIFY(area.contains(rect));
}

void MainWindowTest::helpListsTheKeys()
{
    Window w;
    QTest::keyClick(&w.window, Qt::Key_F1);
    QPointer<QDialog> dialog = w.window.findChild<QDialog*>();
    QVERIFY(dialog);
    QVERIFY(!dialog->isModal());
    bool found = false;
    for (const QLabel* label : dialog->findChildren<QLabel*>())
        found = found || label->text() == QStringLiteral("Space or Right");
    QVERIFY(found);
    dialog->close();
    QTRY_VERIFY(!dialog);
    w.actions().about->trigger();
    dialog = w.window.findChild<QDialog*>();
    QVERIFY(dialog);
    dialog->close();
}

QTEST_MAIN(MainWindowTest)
#include "MainWindowTest.moc"
