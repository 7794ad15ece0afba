#include "app/AppController.h"
#include "ui/Board.h"
#include "ui/MainWindow.h"
#include "ui/StepModel.h"
#include "ui/StepPages.h"
#include "ui/explore/PinChart.h"
#include "ui/explore/TokensPage.h"

#include <QDir>
#include <QLineEdit>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

/// Finding and following tokens, on the bundled model. TOKENSCOPE_PICTURES names a folder for
/// pictures, to be looked at.
class TokensWindowTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<ui::MainWindow> m_window;
    std::unique_ptr<app::AppController> m_controller;

    ui::StepModel& steps() { return m_window->steps(); }
    ui::TokensPage& page() { return *m_window->board()->tokens(); }
    QString cell(int row, int column) { return page().table()->item(row, column)->text(); }
    void settle() { QTRY_VERIFY_WITH_TIMEOUT(!m_controller->isBusy(), 20000); }
    void picture(const QString& name)
    {
        const QString folder = qEnvironmentVariable("TOKENSCOPE_PICTURES");
        if (folder.isEmpty())
            return;
        QTest::qWait(50);
        m_window->grab().save(QDir(folder).filePath(name));
    }
    void pin(const QString& query)
    {
        page().search()->setText(query);
        const int row = static_cast<int>(page().pins().size());
        QTest::mouseClick(page().table()->viewport(), Qt::LeftButton, {},
                          page().table()->visualItemRect(page().table()->item(row, 0)).center());
    }

private Q_SLOTS:
    void init()
    {
        m_window = std::make_unique<ui::MainWindow>();
        m_window->resize(1280, 800);
        m_controller = std::make_unique<app::AppController>(*m_window, 2);
        engine::SamplingConfig sampling;
        sampling.rule = engine::DecodingRule::Sample;
        sampling.topK = 12;
        sampling.seed = 11;
        m_controller->setInitialRun(QStringLiteral("Once upon a time, there was a little"),
                                    sampling, std::nullopt);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_controller->openPath(QStringLiteral(TOKENSCOPE_RESOURCES "/model"));
        QTRY_COMPARE_WITH_TIMEOUT(steps().stepCount(), 1, 20000);
        m_controller->makeSteps(5);
        QTRY_COMPARE_WITH_TIMEOUT(steps().stepCount(), 6, 20000);
        settle();
        m_window->board()->pages()->showPage(&page());
    }
    void cleanup()
    {
        m_controller.reset();
        m_window.reset();
    }

    void anyTokenIsFoundWithItsNumbers()
    {
        page().search()->setText(QStringLiteral(" dog"));
        QVERIFY(page().table()->rowCount() >= 1);
        QCOMPARE(cell(0, 2), QStringLiteral("539"));
        QTRY_VERIFY_WITH_TIMEOUT(cell(0, 3) != QStringLiteral("–"), 20000);
        const QString before = cell(0, 4);
        // Another step, other numbers.
        steps().select(1);
        QTRY_VERIFY_WITH_TIMEOUT(cell(0, 4) != before && cell(0, 4) != QStringLiteral("–"), 20000);
        page().search()->setText(QStringLiteral("539"));
        QCOMPARE(cell(0, 2), QStringLiteral("539"));
        // Far below the twelve that the chain keeps, or one of them with its share.
        QTRY_VERIFY_WITH_TIMEOUT(cell(0, 6) != QStringLiteral("–"), 20000);
        picture(QStringLiteral("tokens-found-light.png"));
    }

    void pinnedTokensAreFollowedThroughStepsAndTraces()
    {
        pin(QStringLiteral(" dog"));
        pin(QStringLiteral(" girl"));
        pin(QStringLiteral(" was"));
        page().search()->clear();
        QCOMPARE(page().pins().size(), std::size_t(3));
        const auto isWhole = [this](std::size_t count) {
            const auto& lines = page().chart()->lines();
            return lines.size() == 3 &&
                   std::all_of(lines.begin(), lines.end(), [count](const ui::PinLine& line) {
                       return line.values.size() == count &&
                              std::all_of(line.values.begin(), line.values.end(),
                                          [](const auto& value) { return value.has_value(); });
                   });
        };
        QTRY_VERIFY_WITH_TIMEOUT(isWhole(6), 20000);
        m_controller->makeSteps(8);
        QTRY_VERIFY_WITH_TIMEOUT(isWhole(14), 20000);
        picture(QStringLiteral("tokens-pinned-light.png"));
        m_window->setTheme(ui::Theme::dark());
        m_window->resize(1024, 640);
        picture(QStringLiteral("tokens-pinned-dark-1024.png"));

        // A trace keeps what was followed.
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("run.json"));
        settle();
        const double last = *page().chart()->lines()[0].values.back();
        Q_EMIT m_window->saveTraceRequested(file);
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(file), 20000);
        QTest::qWait(50);
        m_controller->openPath(file);
        page().setPinned({engine::TokenId{539}, " dog", {}}, true);
        QCOMPARE(page().chart()->lines().size(), std::size_t(1));
        QVERIFY(page().chart()->lines()[0].values.back().has_value());
        QCOMPARE(*page().chart()->lines()[0].values.back(), last);
    }

    void theRunIsTheSameWithPinsAsWithout()
    {
        const engine::Run before = steps().run();
        pin(QStringLiteral(" dog"));
        settle();
        QTRY_VERIFY_WITH_TIMEOUT(!steps().run().steps[0].watched.empty(), 20000);
        QCOMPARE(steps().run().outputBytes, before.outputBytes);
        QCOMPARE(steps().selected(), 5);
        for (std::size_t i = 0; i < before.steps.size(); ++i) {
            QVERIFY(steps().run().steps[i].candidates == before.steps[i].candidates);
            QVERIFY(steps().run().steps[i].draw == before.steps[i].draw);
        }
    }

    void aClickOnTheLinesGoesToTheStep()
    {
        pin(QStringLiteral(" dog"));
        page().search()->clear();
        QTRY_VERIFY_WITH_TIMEOUT(page().chart()->isVisible(), 2000);
        QTest::qWait(20);
        QTest::mouseClick(page().chart(), Qt::LeftButton, {},
                          QPoint(static_cast<int>(page().chart()->xOf(2)), 30));
        QCOMPARE(steps().selected(), 2);
    }
};

QTEST_MAIN(TokensWindowTest)
#include "TokensWindowTest.moc"
