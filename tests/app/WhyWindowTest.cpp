#include "app/AppController.h"
#include "engine/decoding/Philox.h"
#include "engine/generation/GenerationSession.h"
#include "engine/generation/LanguageModel.h"
#include "ui/Board.h"
#include "ui/InspectorPanel.h"
#include "ui/MainWindow.h"
#include "ui/SamplingPanel.h"
#include "ui/SettingSlider.h"
#include "ui/StepModel.h"
#include "ui/StepPages.h"
#include "ui/branches/RunLines.h"
#include "ui/why/DrawCounts.h"
#include "ui/why/DrawPage.h"
#include "ui/why/LedgerView.h"
#include "ui/why/WhyPage.h"
#include "ui/why/WorkedLine.h"

#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

using engine::Candidate;
using engine::SamplingConfig;
using engine::SamplingStage;

/// Why this token: its account, on the bundled model.
class WhyWindowTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<ui::MainWindow> m_window;
    std::unique_ptr<app::AppController> m_controller;

    ui::StepModel& steps() { return m_window->steps(); }
    const engine::Run& run() { return steps().run(); }
    const engine::Step& step() { return *steps().selectedStep(); }
    void settle() { QTRY_VERIFY_WITH_TIMEOUT(!m_window->state().isRunning, 20000); }
    void makeSteps(int count)
    {
        m_controller->makeSteps(count);
        settle();
    }

    static SamplingConfig sampling()
    {
        SamplingConfig config;
        config.rule = engine::DecodingRule::Sample;
        config.temperature = 0.9;
        config.topK = 12;
        config.topP = 0.9;
        config.seed = 11;
        return config;
    }

    static SamplingConfig withSetting(SamplingConfig config, SamplingStage stage, double value)
    {
        if (stage == SamplingStage::TopK)
            config.topK = std::llround(value);
        else if (stage == SamplingStage::TopP)
            config.topP = value;
        else
            config.minP = value;
        return config;
    }

private Q_SLOTS:
    void init()
    {
        m_window = std::make_unique<ui::MainWindow>();
        m_window->resize(1280, 800);
        m_controller = std::make_unique<app::AppController>(*m_window, 2);
        m_controller->setInitialRun(
            QStringLiteral("Once upon a time, there was a little girl named"), sampling(), 18);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_controller->openPath(QStringLiteral(TOKENSCOPE_RESOURCES "/model"));
        QTRY_COMPARE_WITH_TIMEOUT(steps().stepCount(), 1, 20000);
        settle();
    }
    void cleanup()
    {
        m_controller.reset();
        m_window.reset();
    }

    void theAccountOfEveryCandidateEndsInWhatTheDrawUsed()
    {
        makeSteps(12);
        ui::WhyPage* page = m_window->board()->why();
        m_window->board()->pages()->showPage(page);
        for (int index = 0; index < steps().stepCount(); ++index) {
            steps().select(index);
            QVERIFY(page->headline()->text().contains(
                step().keptCount > 1
                    ? QStringLiteral("u = %1").arg(QString::number(step().draw->u, 'f', 4))
                    : QStringLiteral("left nothing else")));
            for (int row = 0; row < page->candidates()->count(); ++row) {
                page->candidates()->setCurrentRow(row);
                const Candidate& candidate = step().candidates[static_cast<std::size_t>(row)];
                const QString account = page->ledger()->text();
                QVERIFY(account.contains(QStringLiteral("temperature 0.90\t%1 ÷ 0.90 = %2")
                                             .arg(QString::number(candidate.logit, 'f', 2),
                                                  QString::number(candidate.logit / 0.9, 'f', 2))));
                if (!candidate.removedBy)
                    continue;
                QVERIFY(account.contains(QStringLiteral("removed")));
                QVERIFY(page->headline()->text().contains(QStringLiteral("would keep it")));
            }
        }
    }

    void holdingTheDrawChangesThePickOnlyWhenAnEdgePassesU()
    {
        makeSteps(4);
        ui::DrawPage* page = m_window->board()->draw();
        m_window->board()->pages()->showPage(page);
        const engine::Step before = step();
        QVERIFY(before.keptCount > 1);
        page->holdButton()->click();
        bool hasChanged = false;
        for (int i = 1; i <= 30; ++i) {
            m_window->inspector()->sampling()->temperature()->field()->setValue(0.9 + 0.1 * i);
            settle();
            const engine::Step& now = *steps().selectedStep();
            QCOMPARE(now.draw->u, before.draw->u);
            // Whose slice holds u, worked out from the probabilities.
            std::vector<Candidate> kept = now.candidates;
            std::stable_sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) {
                return a.finalProbability > b.finalProbability;
            });
            double sum = 0;
            const auto picked = std::find_if(kept.begin(), kept.end(), [&](const auto& candidate) {
                sum += candidate.finalProbability;
                return sum > now.draw->u;
            });
            QVERIFY(picked != kept.end() && picked->piece.id == now.picked);
            const bool changed = now.picked != before.picked;
            hasChanged = hasChanged || changed;
            QVERIFY(page->note()->text().contains(changed ? QStringLiteral("moved an edge past u")
                                                          : QStringLiteral("no edge passed it")));
        }
        QVERIFY(hasChanged);
    }

    void drawingAgainTakesTheNextNumberAndKeepsTheLine()
    {
        makeSteps(9);
        const std::string before = run().outputBytes;
        steps().select(4);
        ui::DrawPage* page = m_window->board()->draw();
        m_window->board()->pages()->showPage(page);
        const engine::TokenId first = step().picked;
        int attempt = 0;
        while (step().picked == first) {
            page->againButton()->click();
            settle();
            QCOMPARE(step().draw->attempt, ++attempt);
            QCOMPARE(step().draw->u, engine::uniform(11, 4, attempt));
            QVERIFY(page->note()->text().contains(
                QStringLiteral("number %1 of seed 11 for step 4").arg(attempt + 1)));
        }
        QCOMPARE(steps().stepCount(), 5);
        QCOMPARE(m_window->board()->lines()->lines().size(), std::size_t{2});
        QCOMPARE(m_window->board()->lines()->lines().back().cause, QStringLiteral("drawn again"));
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(run().outputBytes, before, 20000);
    }

    // Each number lands where drawing again with it would pick.
    void aThousandDrawsAreCountedAsTheyWouldFall()
    {
        makeSteps(4);
        ui::DrawPage* page = m_window->board()->draw();
        m_window->board()->pages()->showPage(page);
        page->manyButton()->click();
        QCOMPARE(page->counts()->draws(), 1000);
        QVERIFY(page->note()->text().contains(QStringLiteral("counts lie within the spread")));
        const auto model = engine::LanguageModel::load(TOKENSCOPE_RESOURCES "/model");
        QVERIFY(bool(model));
        auto session =
            engine::GenerationSession::start(*model, run().context.text, run().settings, 1);
        QVERIFY(bool(session));
        for (int i = 0; i <= steps().selected(); ++i)
            QVERIFY(bool(session->step({})));
        std::map<int, int> picks;
        for (int attempt = 1; attempt <= 1000; ++attempt) {
            QVERIFY(bool(session->redraw(steps().selected(), attempt, {})));
            ++picks[session->run().steps.back().picked.value];
        }
        int total = 0;
        for (const ui::DrawCount& row : page->counts()->rows()) {
            total += row.count;
            if (row.piece)
                QCOMPARE(row.count, picks[row.piece->id.value]);
        }
        QCOMPARE(total, 1000);
    }

    // What a candidate is said to need is tried out, and so is a little less.
    void theWayBackOfARemovedCandidateIsTrue()
    {
        const auto model = engine::LanguageModel::load(TOKENSCOPE_RESOURCES "/model");
        QVERIFY(bool(model));
        SamplingConfig minP = sampling();
        minP.topK = 0;
        minP.topP = 1;
        minP.minP = 0.2;
        SamplingConfig turned = sampling();
        turned.order = {SamplingStage::TopP, SamplingStage::RepetitionPenalty, SamplingStage::MinP,
                        SamplingStage::TopK, SamplingStage::Temperature};
        turned.repetitionPenalty = 1.3;
        turned.minP = 0.1;
        turned.topK = 3;
        int proven[6] = {};
        for (const SamplingConfig& config : {sampling(), minP, turned}) {
            engine::RunConfig runConfig;
            runConfig.sampling = config;
            auto session = engine::GenerationSession::start(
                *model, std::string("Once upon a time, there was"), runConfig, 1);
            QVERIFY(bool(session));
            for (int index = 0; index < 8; ++index) {
                QVERIFY(bool(session->step({})));
                const engine::Step made = session->run().steps.back();
                for (const Candidate& candidate : made.candidates) {
                    const auto back = ui::wayBack(candidate, made);
                    QCOMPARE(back.has_value(), candidate.removedBy.has_value());
                    if (!back)
                        continue;
                    const double unit = std::pow(10.0, -back->decimals);
                    const double short1 = back->stage == SamplingStage::MinP ? back->needed + unit
                                                                             : back->needed - unit;
                    const auto removedWith = [&](double value) {
                        const auto done = session->redecodeFrom(
                            index, withSetting(config, back->stage, value), {});
                        if (!done)
                            qFatal("%s", done.error().message.c_str());
                        return session->run().steps.back().find(candidate.piece.id)->removedBy;
                    };
                    QVERIFY(removedWith(back->needed) != back->stage);
                    QVERIFY(removedWith(short1) == back->stage);
                    ++proven[static_cast<int>(back->stage)];
                }
                QVERIFY(bool(session->redecodeFrom(index, config, {})));
            }
        }
        for (const SamplingStage stage :
             {SamplingStage::TopK, SamplingStage::TopP, SamplingStage::MinP})
            QVERIFY(proven[static_cast<int>(stage)] >= 10);
    }
};

QTEST_MAIN(WhyWindowTest)
#include "WhyWindowTest.moc"
