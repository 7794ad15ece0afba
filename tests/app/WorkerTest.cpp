#include "app/GenerationWorker.h"
#include "engine/generation/LanguageModel.h"

#include <QSignalSpy>
#include <QTest>

#include <filesystem>

namespace {

const std::filesystem::path modelFolder = TOKENSCOPE_RESOURCES "/model";

engine::RunConfig config(int maxNewTokens)
{
    engine::RunConfig config;
    config.maxNewTokens = maxNewTokens;
    config.ignoreStopTokens = true;
    return config;
}

} // namespace

/// The worker between window and engine: requests in, values out, on the GUI thread, in order.
class WorkerTest : public QObject
{
    Q_OBJECT

private:
    std::vector<engine::Step> m_steps;

    void collect(app::GenerationWorker& worker)
    {
        m_steps.clear();
        connect(&worker, &app::GenerationWorker::runStarted, this,
                [this](const engine::Run& run) { m_steps = run.steps; });
        connect(&worker, &app::GenerationWorker::stepsReplaced, this,
                [this](int from, const std::vector<engine::Step>& steps) {
                    QVERIFY(from <= static_cast<int>(m_steps.size()));
                    m_steps.resize(static_cast<std::size_t>(from));
                    m_steps.insert(m_steps.end(), steps.begin(), steps.end());
                });
    }

    static void open(app::GenerationWorker& worker)
    {
        QSignalSpy opened(&worker, &app::GenerationWorker::modelOpened);
        worker.openModel(modelFolder);
        QVERIFY(opened.wait(20000));
    }

    std::vector<engine::TokenId> picks() const
    {
        std::vector<engine::TokenId> ids;
        for (const engine::Step& step : m_steps)
            ids.push_back(step.picked);
        return ids;
    }

private Q_SLOTS:
    void stepsArriveInOrderAndMatchARunMadeAtOnce()
    {
        app::GenerationWorker worker(2);
        collect(worker);
        open(worker);
        worker.startRun(std::string("Once upon a time"), config(20));
        for (int i = 0; i < 19; ++i)
            worker.step(1);
        QTRY_COMPARE_WITH_TIMEOUT(m_steps.size(), 20U, 20000);
        for (int i = 0; i < 20; ++i)
            QCOMPARE(m_steps[static_cast<std::size_t>(i)].index, i);
        const std::vector<engine::TokenId> oneByOne = picks();

        worker.restart();
        worker.step(1000);
        QTRY_COMPARE_WITH_TIMEOUT(m_steps.size(), 20U, 20000);
        QTRY_VERIFY_WITH_TIMEOUT(picks() == oneByOne, 20000);
    }

    void cancelStopsWhatIsInFlightAndTheRunGoesOnFromThere()
    {
        app::GenerationWorker worker(1);
        collect(worker);
        open(worker);
        worker.startRun(std::string("Once"), config(400));
        worker.step(10000);
        QTRY_VERIFY_WITH_TIMEOUT(m_steps.size() > 3, 20000);
        worker.cancel();
        QSignalSpy idle(&worker, &app::GenerationWorker::idle);
        worker.setMaxNewTokens(401);
        QVERIFY(idle.wait(20000));
        const std::size_t before = m_steps.size();
        QVERIFY(before <= 400);
        worker.step(1);
        QTRY_COMPARE_WITH_TIMEOUT(m_steps.size(), before + 1, 20000);
    }

    void aNewRunReplacesOneInFlight()
    {
        app::GenerationWorker worker(2);
        collect(worker);
        open(worker);
        QSignalSpy started(&worker, &app::GenerationWorker::runStarted);
        worker.startRun(std::string("Once"), config(400));
        worker.step(10000);
        worker.startRun(std::string("Lily"), config(3));
        worker.step(10000);
        QTRY_VERIFY_WITH_TIMEOUT(!started.isEmpty() && m_steps.size() == 3, 20000);
        QTest::qWait(50);
        QCOMPARE(m_steps.size(), 3U);
    }

    void settingsMovedWhileStepsAreInFlightAreAllHonouredInTheEnd()
    {
        app::GenerationWorker worker(2);
        collect(worker);
        open(worker);
        worker.startRun(std::string("Once upon a time"), config(30));
        worker.step(10);
        engine::SamplingConfig sampling;
        sampling.rule = engine::DecodingRule::Sample;
        for (int i = 0; i < 200; ++i) {
            sampling.temperature = 0.5 + i * 0.005;
            worker.redecodeFrom(0, sampling);
        }
        const double last = sampling.temperature;
        QTRY_VERIFY_WITH_TIMEOUT(!m_steps.empty() && m_steps[0].sampling.temperature == last,
                                 20000);
    }

    void aModelThatFailsToOpenLeavesTheOldOneUsable()
    {
        app::GenerationWorker worker(1);
        collect(worker);
        open(worker);
        worker.startRun(std::string("Once"), config(5));
        QSignalSpy failed(&worker, &app::GenerationWorker::modelFailed);
        worker.openModel("/nonexistent/model.gguf");
        QVERIFY(failed.wait(20000));
        worker.startRun(std::string("Lily"), config(5));
        QTRY_COMPARE_WITH_TIMEOUT(m_steps.size(), 1U, 20000);
        worker.step(4);
        QTRY_COMPARE_WITH_TIMEOUT(m_steps.size(), 5U, 20000);
    }

    void endsCleanlyInTheMiddleOfARun()
    {
        app::GenerationWorker worker(2);
        open(worker);
        worker.startRun(std::string("Once"), config(400));
        worker.step(10000);
        QTest::qWait(30);
    }

    void aRequestWithoutAModelIsAnErrorNotACrash()
    {
        app::GenerationWorker worker(1);
        QSignalSpy failed(&worker, &app::GenerationWorker::runFailed);
        worker.startRun(std::string("Once"), config(5));
        worker.step(1);
        worker.force(0, {1});
        worker.redecodeFrom(0, {});
        QVERIFY(failed.wait(20000));
    }
};

QTEST_GUILESS_MAIN(WorkerTest)
#include "WorkerTest.moc"
