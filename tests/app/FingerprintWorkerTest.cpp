#include "app/FingerprintWorker.h"

#include "engine/generation/GenerationSession.h"
#include "engine/generation/LanguageModel.h"
#include "engine/generation/TraceFile.h"

#include <QCryptographicHash>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using app::FingerprintWorker;
using ModelPointer = FingerprintWorker::ModelPointer;

/// Fingerprints in the background, and the traces that wait for one.
class FingerprintWorkerTest : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    static ModelPointer load()
    {
        const auto model = engine::LanguageModel::load(TOKENSCOPE_RESOURCES "/model");
        return model ? *model : nullptr;
    }
    static engine::Run runOf(const ModelPointer& model)
    {
        engine::RunConfig config;
        config.maxNewTokens = 3;
        auto session = engine::GenerationSession::start(
            model, engine::Prompt(std::string("Once upon a time")), config, 1);
        if (!session)
            return {};
        while (!session->stopReason())
            if (!session->step({}))
                break;
        return session->run();
    }
    std::filesystem::path file(const char* name) const
    {
        return m_folder.filePath(QLatin1String(name)).toStdString();
    }

private Q_SLOTS:
    void computesTheDigestOfTheModel()
    {
        const ModelPointer model = load();
        QVERIFY(model);
        FingerprintWorker worker{engine::FingerprintCache()};
        QSignalSpy computed(&worker, &FingerprintWorker::computed);
        worker.compute(model);
        QVERIFY(computed.wait(20000));
        QCOMPARE(computed.first().first().toString().toStdString(), model->fingerprint());
    }

    void aTraceCarriesTheDigest()
    {
        const ModelPointer model = load();
        const engine::Run run = runOf(model);
        QCOMPARE(run.steps.size(), std::size_t(3));
        QVERIFY(run.model.sha256.empty());
        FingerprintWorker worker{engine::FingerprintCache()};
        QSignalSpy saved(&worker, &FingerprintWorker::traceSaved);
        worker.save(run, model, file("run.json"));
        QVERIFY(saved.wait(20000));
        const auto read = engine::readTrace(file("run.json"));
        QVERIFY(read);
        QCOMPARE(read->model.sha256, model->fingerprint());
        QCOMPARE(read->steps.size(), std::size_t(3));
    }

    void whatWasToBeSavedIsThereWhenTheWorkerIsGone()
    {
        const ModelPointer model = load();
        const engine::Run run = runOf(model);
        {
            FingerprintWorker worker{engine::FingerprintCache()};
            worker.compute(model);
            worker.save(run, model, file("first.json"));
            worker.compute(nullptr); // of no interest any more, but the trace waits for it
            worker.save(run, model, file("second.json"));
        }
        for (const char* name : {"first.json", "second.json"}) {
            const auto read = engine::readTrace(file(name));
            QVERIFY2(read, name);
            QCOMPARE(read->model.sha256, model->fingerprint());
        }
    }

    void onlyTheModelAskedForLastIsReported()
    {
        const ModelPointer one = load();
        const ModelPointer other = load();
        FingerprintWorker worker{engine::FingerprintCache()};
        QSignalSpy computed(&worker, &FingerprintWorker::computed);
        worker.compute(one);
        worker.compute(other);
        QTRY_VERIFY_WITH_TIMEOUT(computed.count() >= 1, 20000);
        QTest::qWait(100);
        QCOMPARE(computed.count(), 1);
    }

    void aFolderThatIsNotThereIsAFailure()
    {
        const ModelPointer model = load();
        FingerprintWorker worker{engine::FingerprintCache()};
        QSignalSpy failed(&worker, &FingerprintWorker::traceFailed);
        worker.save(runOf(model), model, file("missing/run.json"));
        QVERIFY(failed.wait(20000));
        const auto error = failed.first().first().value<engine::Error>();
        QVERIFY(error.message.find("missing/run.json") != std::string::npos);
    }
};

QTEST_MAIN(FingerprintWorkerTest)
#include "FingerprintWorkerTest.moc"
