#include "engine/generation/ModelFingerprint.h"

#include "engine/generation/FingerprintCache.h"
#include "engine/io/Sha256.h"
#include "engine/model/ModelFile.h"
#include "tests/engine/generation/SessionTesting.h"
#include "tests/support/ModelWriters.h"

#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <thread>

using namespace engine;
using namespace testing;
namespace fs = std::filesystem;

class ModelFingerprintTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        // Room at the end, so that there are several pieces to read.
        std::string bytes = tests::tinyLlamaGguf();
        bytes.resize(bytes.size() + (std::size_t{3} << 20));
        tests::writeFile(path(), bytes);
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }

    void isTheDigestOfTheFilesBytes()
    {
        const Opened model(path());
        QVERIFY(!model.fingerprint.known());
        const std::string digest = need(model.fingerprint.compute(FingerprintCache(), {}));
        QCOMPARE(digest, Sha256::of(tests::readFile(path())));
        QCOMPARE(model.fingerprint.known().value_or(""), digest);
    }

    void tellsHowFarItIs()
    {
        const Opened model(path());
        std::vector<double> seen;
        need(model.fingerprint.compute(FingerprintCache(), {},
                                       [&](double part) { seen.push_back(part); }));
        QCOMPARE(seen.size(), std::size_t{4});
        QCOMPARE(seen.front(), 0.0);
        QVERIFY(std::is_sorted(seen.begin(), seen.end()) && seen.back() < 1);
    }

    void canBeStoppedAndBegunAgain()
    {
        const Opened model(path());
        std::stop_source stop;
        const auto first = model.fingerprint.compute(cache(), stop.get_token(), [&](double part) {
            if (part > 0.3)
                stop.request_stop();
        });
        QVERIFY(!first);
        QCOMPARE(first.error().code, ErrorCode::Cancelled);
        QVERIFY(!model.fingerprint.known());
        QVERIFY(bool(model.fingerprint.compute(cache(), {})));
    }

    void whoWaitsForAnotherThreadCanBeStoppedToo()
    {
        const Opened model(path());
        std::atomic<bool> begun{false};
        std::atomic<bool> goOn{false};
        std::jthread first([&] {
            (void)model.fingerprint.compute(FingerprintCache(), {}, [&](double) {
                begun = true;
                begun.notify_all();
                goOn.wait(false);
            });
        });
        begun.wait(false);
        std::stop_source stop;
        std::optional<Result<std::string>> second;
        std::jthread waiting([&] {
            second.emplace(model.fingerprint.compute(FingerprintCache(), stop.get_token()));
        });
        stop.request_stop();
        waiting.join();
        QVERIFY(second && !*second);
        QCOMPARE(second->error().code, ErrorCode::Cancelled);
        goOn = true;
        goOn.notify_all();
        first.join();
        QVERIFY(model.fingerprint.known());
    }

    void filesThatWereReadBeforeAreNotReadAgain()
    {
        const std::string digest = need(Opened(path()).fingerprint.compute(cache(), {}));
        int pieces = 0;
        const Opened again(path());
        QCOMPARE(need(again.fingerprint.compute(cache(), {}, [&](double) { ++pieces; })), digest);
        QCOMPARE(pieces, 0);
    }

    void aChangedFileIsReadAgain()
    {
        const std::string digest = need(Opened(path()).fingerprint.compute(cache(), {}));
        std::string bytes = tests::readFile(path());
        bytes.back() ^= 1;
        tests::writeFile(path(), bytes);
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        const std::string other = need(Opened(path()).fingerprint.compute(cache(), {}));
        QVERIFY(other != digest);
        QCOMPARE(other, Sha256::of(bytes));
    }

    void aFileReplacedBehindAnOpenModelIsNotTakenForIt()
    {
        const Opened old(path());
        const std::string before = Sha256::of(tests::readFile(path()));
        std::string bytes = tests::readFile(path());
        bytes.back() ^= 1;
        tests::writeFile(other(), bytes);
        fs::rename(other(), path());
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        // The new file's digest is known by now; the open model is still the old file.
        const std::string after = need(Opened(path()).fingerprint.compute(cache(), {}));
        QCOMPARE(need(old.fingerprint.compute(cache(), {})), before);
        QCOMPARE(need(Opened(path()).fingerprint.compute(cache(), {})), after);
    }

    void aFolderIsKnownByAllItsFiles()
    {
        const fs::path folder = fs::path(m_folder->path().toStdString()) / "copy";
        fs::copy(fs::path(TOKENSCOPE_TEST_DATA "/models/llama-bf16"), folder);
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        const std::string digest = need(Opened(folder).fingerprint.compute(cache(), {}));
        const fs::path shard = folder / "model-00002-of-00002.safetensors";
        std::string bytes = tests::readFile(shard);
        bytes.back() ^= 1;
        tests::writeFile(shard, bytes);
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        QVERIFY(need(Opened(folder).fingerprint.compute(cache(), {})) != digest);
    }

private:
    struct Opened
    {
        explicit Opened(const fs::path& path)
            : file(need(openModel(path))), fingerprint(file.weights, file.path, began)
        {}
        std::int64_t began = ModelFingerprint::now();
        ModelFile file;
        ModelFingerprint fingerprint;
    };

    fs::path path() const { return fs::path(m_folder->path().toStdString()) / "model.gguf"; }
    fs::path other() const { return fs::path(m_folder->path().toStdString()) / "other.gguf"; }
    FingerprintCache cache() const
    {
        return FingerprintCache(fs::path(m_folder->path().toStdString()) / "cache");
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_APPLESS_MAIN(ModelFingerprintTest)
#include "ModelFingerprintTest.moc"
