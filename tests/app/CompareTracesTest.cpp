#include "app/CompareController.h"
#include "engine/generation/GenerationSession.h"
#include "engine/generation/LanguageModel.h"
#include "engine/generation/StepCompare.h"
#include "engine/generation/TraceFile.h"
#include "tests/ui/support/DrawnText.h"
#include "ui/Banner.h"
#include "ui/ContextText.h"
#include "ui/MainWindow.h"
#include "ui/StatusLine.h"
#include "ui/compare/AlignmentRibbon.h"
#include "ui/compare/CompareBoard.h"
#include "ui/compare/RunPane.h"
#include "ui/compare/SettingChips.h"
#include "ui/compare/UnionChart.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

/// Recorded runs of the bundled model beside each other, opened without it. TOKENSCOPE_PICTURES
/// names a folder for pictures, to be looked at.
class CompareTracesTest : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    std::unique_ptr<ui::MainWindow> m_window;
    std::unique_ptr<app::CompareController> m_compare;
    std::vector<engine::Run> m_runs;
    QStringList m_paths;

    ui::CompareBoard& board() { return *m_window->compareBoard(); }
    int cursor() { return board().model()->cursor(); }
    void key(Qt::Key key) { QTest::keyClick(m_window.get(), key); }
    /// Every word can be read; also a picture.
    void look(const QString& name)
    {
        QTest::qWait(50);
        const QString folder = qEnvironmentVariable("TOKENSCOPE_PICTURES");
        if (!folder.isEmpty())
            m_window->grab().save(QDir(folder).filePath(name));
        const QStringList faults = support::textFaults(*m_window);
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join(QLatin1Char('\n'))));
    }
    void record(const std::shared_ptr<const engine::LanguageModel>& model,
                const engine::SamplingConfig& sampling, const QString& name)
    {
        engine::RunConfig config;
        config.sampling = sampling;
        config.maxNewTokens = 40;
        auto session =
            engine::GenerationSession::start(model, std::string("Once upon a time"), config, 2);
        QVERIFY(session);
        while (!session->stopReason())
            QVERIFY(session->step({}));
        m_paths << m_folder.filePath(name + QStringLiteral(".tokenscope.json"));
        QVERIFY(engine::writeTrace(session->run(), m_paths.last().toStdString()));
        m_runs.push_back(session->run());
    }

private Q_SLOTS:
    void initTestCase()
    {
        const auto model = engine::LanguageModel::load(TOKENSCOPE_RESOURCES "/model");
        QVERIFY(model);
        record(*model, {}, QStringLiteral("greedy"));
        for (const std::uint64_t seed : {42, 7, 11}) {
            engine::SamplingConfig sampling;
            sampling.rule = engine::DecodingRule::Sample;
            sampling.temperature = 0.9;
            sampling.topK = 20;
            sampling.topP = 0.95;
            sampling.seed = seed;
            record(*model, sampling, QStringLiteral("seed%1").arg(seed));
        }
    }

    void init()
    {
        m_window = std::make_unique<ui::MainWindow>();
        m_window->resize(1280, 800);
        m_compare = std::make_unique<app::CompareController>(*m_window);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void cleanup()
    {
        m_compare.reset();
        m_window.reset();
    }

    void twoTracesShowWhereAndWhyTheyPart()
    {
        m_compare->openTraces(m_paths.mid(0, 2));
        QVERIFY(m_window->isComparing() && board().isVisible());
        const auto parted = engine::firstStepWhere(m_runs[0], m_runs[1], engine::picksDiffer);
        QVERIFY(parted);
        const int step = static_cast<int>(*parted);
        const engine::Step& drawn = m_runs[1].steps[*parted];
        QCOMPARE(cursor(), step);
        QCOMPARE(board().reasonText(),
                 QStringLiteral("step %1: same logits; A takes the largest, B’s draw u = %2 picks "
                                "rank %3")
                     .arg(step)
                     .arg(drawn.draw->u, 0, 'f', 3)
                     .arg(drawn.find(drawn.picked)->rank));
        QCOMPARE(board().ribbon()->arrangement().flags().front().words,
                 QStringLiteral("diverges at step %1").arg(step));
        QCOMPARE(board().pane(0)->nameText(), QStringLiteral("greedy"));
        QVERIFY(board().pane(1)->chips()->texts().contains(QStringLiteral("seed 42")));
        for (int run = 0; run < 2; ++run) {
            const QString text = board().pane(run)->text()->toPlainText();
            QVERIFY(text.endsWith(
                QString::fromStdString(m_runs[static_cast<std::size_t>(run)].outputBytes)));
        }
        // One context, so the rows are the same tokens with the same raw probabilities.
        QTest::qWait(20);
        ui::UnionChart* a = board().pane(0)->chart();
        ui::UnionChart* b = board().pane(1)->chart();
        QVERIFY(a->rowCount() >= 10 && a->rowCount() == b->rowCount());
        QVERIFY(b->valueText(0).startsWith(a->valueText(0)));
        look(QStringLiteral("compare-traces-light-1280.png"));
    }

    void theKeysMoveAllRunsTogether()
    {
        m_compare->openTraces(m_paths.mid(0, 2));
        const int begin = cursor();
        key(Qt::Key_Space);
        QCOMPARE(cursor(), begin + 1);
        QVERIFY(m_window->statusLine()->text().startsWith(
            QStringLiteral("Step %1 of 39   ·   2 runs").arg(begin + 1)));
        key(Qt::Key_Left);
        key(Qt::Key_Left);
        QCOMPARE(cursor(), begin - 1);
        key(Qt::Key_End);
        QCOMPARE(cursor(), 39);
        key(Qt::Key_Home);
        QCOMPARE(cursor(), 0);
        m_window->setSpeed(20);
        key(Qt::Key_P);
        QTRY_VERIFY(cursor() >= 3);
        QVERIFY(board().state().isPlaying);
        key(Qt::Key_P);
        QVERIFY(!board().state().isPlaying);
        // The step in view is that of the record.
        QCOMPARE(
            board().pane(1)->entropyText(),
            QStringLiteral("H %1 bit")
                .arg(m_runs[1].steps[static_cast<std::size_t>(cursor())].entropyBits, 0, 'f', 2));
    }

    void fourTracesFit()
    {
        m_window->resize(1024, 640);
        m_compare->openTraces(m_paths);
        QCOMPARE(board().paneCount(), 4);
        QTest::qWait(20);
        const QRect inside = board().rect();
        for (int run = 0; run < 4; ++run) {
            QVERIFY(inside.contains(board().pane(run)->geometry()));
            QVERIFY(board().pane(run)->chart()->rowCount() >= 3);
        }
        // The ribbon has all its rows, and the cards begin below it.
        const ui::AlignmentRibbon* ribbon = board().ribbon();
        QVERIFY(ribbon->viewport()->height() >= ribbon->arrangement().height());
        QVERIFY(ribbon->mapTo(&board(), QPoint(0, ribbon->height())).y() <
                board().pane(0)->mapTo(&board(), QPoint()).y());
        look(QStringLiteral("compare-traces-light-1024.png"));
        m_window->setTheme(ui::Theme::dark());
        look(QStringLiteral("compare-traces-dark-1024.png"));
        m_window->resize(1920, 1080);
        look(QStringLiteral("compare-traces-dark-1920.png"));
    }

    void aTraceBesideItselfIsTheSame()
    {
        m_compare->openTraces({m_paths[1], m_paths[1]});
        QCOMPARE(board().reasonText(), QStringLiteral("the same tokens as A so far"));
        QCOMPARE(board().subtitleText(),
                 QStringLiteral("same prompt · 40 generated tokens in common"));
        QVERIFY(board().ribbon()->arrangement().flags().empty());
    }

    void whatCannotBeComparedIsSaidInOneSentence()
    {
        m_compare->openTraces(m_paths.mid(0, 1));
        QVERIFY(!m_window->isComparing());
        QVERIFY(m_window->banner()->text().contains(QStringLiteral("two to four")));
        const QString broken = m_folder.filePath(QStringLiteral("broken.json"));
        QFile file(broken);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{}");
        file.close();
        m_compare->openTraces({m_paths[0], broken});
        QVERIFY(!m_window->isComparing());
        QVERIFY(m_window->banner()->text().contains(QStringLiteral("broken.json")));
    }
};

QTEST_MAIN(CompareTracesTest)
#include "CompareTracesTest.moc"
