#include "app/AppController.h"
#include "tests/ui/support/DrawnText.h"
#include "ui/Board.h"
#include "ui/DistributionChart.h"
#include "ui/InspectorPanel.h"
#include "ui/MainWindow.h"
#include "ui/SamplingPanel.h"
#include "ui/StepModel.h"
#include "ui/StepPages.h"
#include "ui/Theme.h"

#include <QDir>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabBar>
#include <QTest>
#include <QToolButton>

#include <memory>

/// That every word of the window can be read at the sizes of a projector, a laptop and a desk.
/// TOKENSCOPE_PICTURES names a folder for pictures of what was measured.
class LayoutTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<ui::MainWindow> m_window;
    std::unique_ptr<app::AppController> m_controller;
    QStringList m_faults;
    ui::Theme m_theme;

    void look(const QString& what)
    {
        QTest::qWait(20);
        const QSize size = m_window->size();
        const QString folder = qEnvironmentVariable("TOKENSCOPE_PICTURES");
        if (!folder.isEmpty())
            m_window->grab().save(QDir(folder).filePath(
                QStringLiteral("%1-%2-%3.png")
                    .arg(what.toLower(),
                         m_theme.isDark ? QStringLiteral("dark") : QStringLiteral("light"))
                    .arg(size.width())));
        for (const QString& fault : support::textFaults(*m_window))
            m_faults << QStringLiteral("%1: %2").arg(what, fault);
    }

private Q_SLOTS:
    void init()
    {
        m_faults.clear();
        m_window = std::make_unique<ui::MainWindow>();
        m_controller = std::make_unique<app::AppController>(*m_window, 1);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void cleanup()
    {
        m_controller.reset();
        m_window.reset();
    }

    void noTextIsCutOffOrOverText_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<bool>("dark");
        for (const QSize size : {QSize(1024, 640), QSize(1280, 800), QSize(1920, 1080)})
            for (const bool dark : {false, true})
                QTest::addRow("%dx%d %s", size.width(), size.height(), dark ? "dark" : "light")
                    << size << dark;
    }

    void noTextIsCutOffOrOverText()
    {
        QFETCH(QSize, size);
        QFETCH(bool, dark);
        m_theme = dark ? ui::Theme::dark() : ui::Theme::light();
        m_window->setTheme(m_theme);
        m_window->resize(size);
        look(QStringLiteral("empty"));

        engine::SamplingConfig sampling;
        sampling.rule = engine::DecodingRule::Sample;
        sampling.temperature = 0.9;
        sampling.topK = 12;
        sampling.topP = 0.9;
        sampling.seed = 11;
        m_controller->setInitialRun(
            QStringLiteral("Once upon a time, there was a little girl named"), sampling, 18);
        m_controller->openPath(QStringLiteral(TOKENSCOPE_RESOURCES "/model"));
        QTRY_COMPARE_WITH_TIMEOUT(m_window->steps().stepCount(), 1, 20000);
        QCOMPARE(m_window->size(), size);
        look(QStringLiteral("first"));
        m_controller->makeSteps(18);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->steps().run().stop.has_value(), 20000);
        ui::StepPages* pages = m_window->board()->pages();
        for (int page = 0; page < pages->tabs()->count(); ++page) {
            pages->tabs()->setCurrentIndex(page);
            look(pages->tabs()->tabText(page));
        }
        pages->tabs()->setCurrentIndex(0);
        for (const ui::BarScale scale :
             {ui::BarScale::Full, ui::BarScale::Logarithmic, ui::BarScale::Linear}) {
            m_window->chart()->setScale(scale);
            look(QStringLiteral("axis%1").arg(static_cast<int>(scale)));
        }
        m_window->inspector()->sampling()->moreButton()->setChecked(true);
        look(QStringLiteral("more"));
        m_window->inspector()->sampling()->greedyButton()->click();
        look(QStringLiteral("greedy"));
        m_window->showError(
            QStringLiteral("broken.gguf: tensor blk.0.attn_q.weight: expected shape "
                           "[2048, 2048], found [2048, 1024]"));
        look(QStringLiteral("error"));
        QVERIFY2(m_faults.isEmpty(), qPrintable(m_faults.join(QLatin1Char('\n'))));
    }
};

QTEST_MAIN(LayoutTest)
#include "LayoutTest.moc"
