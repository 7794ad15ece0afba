#include "app/AppController.h"
#include "app/CompareController.h"
#include "app/VerdictController.h"
#include "tests/support/TiedModelFolder.h"
#include "tests/ui/support/DrawnText.h"
#include "ui/Board.h"
#include "ui/ContextPanel.h"
#include "ui/DistributionChart.h"
#include "ui/MainWindow.h"
#include "ui/StepModel.h"
#include "ui/StepPages.h"
#include "ui/TokenStrip.h"
#include "ui/chain/ChainCard.h"
#include "ui/chain/ChainPage.h"
#include "ui/compare/CompareActions.h"
#include "ui/compare/CompareBoard.h"
#include "ui/compare/VerdictDialog.h"
#include "ui/compare/VerdictStrip.h"
#include "ui/explore/NumbersPage.h"
#include "ui/why/DrawPage.h"
#include "ui/why/LedgerView.h"
#include "ui/why/WhyPage.h"

#include <QDir>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QTest>

#include <memory>

using tests::TiedModelFolder;

/// One prompt with a token that is part of a character, a tie, a cut by rank and a cut by mass:
/// whether somebody who sees only the screen can say what the model gave, what each setting removed
/// and how near each was to staying, why this token came, and where, at which stage and by which
/// input a second run parted. TOKENSCOPE_PICTURES names a folder for pictures.
class AnswersTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<TiedModelFolder> m_model;
    std::unique_ptr<ui::MainWindow> m_window;
    std::unique_ptr<app::AppController> m_controller;
    std::unique_ptr<app::CompareController> m_compare;
    std::unique_ptr<app::VerdictController> m_verdict;

    ui::Board& board() { return *m_window->board(); }
    const engine::Step& step() { return *m_window->steps().selectedStep(); }
    QString screen()
    {
        QTest::qWait(30);
        QStringList texts;
        for (const support::DrawnText& text : support::drawnTexts(*m_window))
            if (!text.visible.isEmpty())
                texts << text.text;
        return texts.join(QLatin1Char(' '));
    }
    void look(QWidget* page, const QString& name)
    {
        board().pages()->showPage(page);
        QTest::qWait(60);
        picture(m_window.get(), name);
        QCOMPARE(support::textFaults(*m_window).join(QLatin1Char('\n')), QString());
    }
    static void picture(QWidget* widget, const QString& name)
    {
        const QString folder = qEnvironmentVariable("TOKENSCOPE_PICTURES");
        if (folder.isEmpty())
            return;
        QTest::qWait(60);
        widget->grab().save(QDir(folder).filePath(QStringLiteral("answers-%1.png").arg(name)));
    }
    void explain(int id)
    {
        board().pages()->showPage(board().why());
        board().why()->explain(engine::TokenId{id});
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_model = std::make_unique<TiedModelFolder>();
        QVERIFY(m_model->isValid());
    }
    void init()
    {
        m_window = std::make_unique<ui::MainWindow>();
        m_window->resize(1280, 800);
        m_controller = std::make_unique<app::AppController>(*m_window, 2);
        m_compare = std::make_unique<app::CompareController>(*m_window, m_controller.get(), 2);
        m_verdict = std::make_unique<app::VerdictController>(*m_window, *m_controller, 2);
        engine::SamplingConfig sampling;
        sampling.rule = engine::DecodingRule::Sample;
        sampling.temperature = TiedModelFolder::temperature;
        sampling.topK = TiedModelFolder::topK;
        sampling.topP = TiedModelFolder::topP;
        sampling.seed = 5;
        m_controller->setInitialRun(TiedModelFolder::prompt, sampling, 12);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_controller->openPath(m_model->path());
        QTRY_COMPARE_WITH_TIMEOUT(m_window->steps().stepCount(), 1, 20000);
        QTRY_VERIFY_WITH_TIMEOUT(!m_controller->isBusy(), 20000);
    }
    void cleanup()
    {
        m_verdict.reset();
        m_compare.reset();
        m_controller.reset();
        m_window.reset();
    }

    void theFixtureHasWhatIsAsked()
    {
        const engine::Candidate* bird = step().find(engine::TokenId{TiedModelFolder::bird});
        const engine::Candidate* dog = step().find(engine::TokenId{TiedModelFolder::dog});
        QVERIFY(bird && dog);
        QCOMPARE(bird->logit, dog->logit); // to the bit, on every machine
        QCOMPARE(bird->rank + 1, dog->rank);
        QVERIFY(!bird->removedBy);
        QVERIFY(dog->removedBy == engine::SamplingStage::TopP);
        QVERIFY(
            std::any_of(step().candidates.begin(), step().candidates.end(), [](const auto& one) {
                return one.removedBy == engine::SamplingStage::TopK;
            }));
        // "ë" is two tokens.
        QCOMPARE(m_window->context()->strip()->joins().size(), std::size_t(1));
    }

    void whatTheModelGaveIsOnTheScreen()
    {
        const QString shown = screen();
        QVERIFY(shown.contains(QStringLiteral("PROBABILITY")));
        QVERIFY(shown.contains(QStringLiteral("AXIS FITTED")));
        QVERIFY(shown.contains(QStringLiteral("⟨C3⟩")));
        QVERIFY(shown.contains(QStringLiteral("⟨AB⟩")));
        look(board().pages()->currentPage(), QStringLiteral("candidates"));
        explain(step().candidates.front().piece.id.value);
        QVERIFY(board().why()->ledger()->text().contains(
            QString::number(step().candidates.front().logit, 'f', 2)));
    }

    void whatEachSettingRemovedAndHowNearItWas()
    {
        ui::ChainPage& chain = *board().chain();
        look(&chain, QStringLiteral("chain"));
        QVERIFY(chain.card(engine::SamplingStage::TopK)
                    ->effect()
                    .startsWith(QStringLiteral("4,096 → 12, removes")));
        QVERIFY(chain.card(engine::SamplingStage::TopP)
                    ->effect()
                    .startsWith(QStringLiteral("12 → 5, removes")));
        for (const engine::Candidate& candidate : step().candidates) {
            if (!candidate.removedBy)
                continue;
            explain(candidate.piece.id.value);
            QVERIFY(board().why()->headline()->text().contains(QStringLiteral("would keep it")));
        }
        explain(TiedModelFolder::dog);
        QVERIFY(board().why()->ledger()->text().contains(QStringLiteral("a tie with")));
        QVERIFY(board().why()->headline()->text().contains(QStringLiteral("top-p")));
        look(board().why(), QStringLiteral("why-removed"));
    }

    void whyThisTokenCameWithTheArithmetic()
    {
        explain(step().picked.value);
        const QString u = QString::number(step().draw->u, 'f', 4);
        QVERIFY(board().why()->headline()->text().contains(QStringLiteral("u = ") + u));
        const QString account = board().why()->ledger()->text();
        QVERIFY(account.contains(QStringLiteral("÷ 0.90 =")));
        QVERIFY(account.contains(QStringLiteral("≤ 12")));
        look(board().why(), QStringLiteral("why"));
        look(board().draw(), QStringLiteral("draw"));
        look(board().numbers(), QStringLiteral("numbers"));
    }

    void whereAndWhyASecondRunParted()
    {
        m_window->compareActions().compare->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->compareBoard()->model()->isEmpty(), 20000);
        QTRY_VERIFY_WITH_TIMEOUT(!m_compare->isBusy(), 20000);
        QTRY_VERIFY_WITH_TIMEOUT(m_verdict->strip().text().contains(QStringLiteral("Settings ≠")),
                                 5000);
        QTest::qWait(100);
        const QString reason = m_window->compareBoard()->reasonText();
        QVERIFY(reason.contains(QStringLiteral("step ")));
        QVERIFY(reason.contains(QStringLiteral("same logits")));
        QVERIFY(m_verdict->strip().text().contains(QStringLiteral("first difference: step")));
        picture(m_window.get(), QStringLiteral("compare"));
        QCOMPARE(support::textFaults(*m_window).join(QLatin1Char('\n')), QString());
        m_verdict->strip().button()->click();
        QVERIFY(m_verdict->dialog());
        m_verdict->dialog()->swapButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(
            m_verdict->dialog()->conclusion().startsWith(QStringLiteral("Proved")), 30000);
        picture(m_verdict->dialog(), QStringLiteral("verdict"));
    }
};

QTEST_MAIN(AnswersTest)
#include "AnswersTest.moc"
