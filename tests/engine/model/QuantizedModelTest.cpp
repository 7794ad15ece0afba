#include "ModelTesting.h"
#include "engine/io/Json.h"
#include "tests/support/ModelWriters.h"

#include <QTemporaryDir>
#include <QtTest/QTest>

#include <cmath>
#include <filesystem>

using namespace engine;
using tests::equalToTheBit;
using tests::forward;
using tests::openTransformer;

namespace {

std::filesystem::path data(const char* name)
{
    return std::filesystem::path(TOKENSCOPE_TEST_DATA) / "quantization" / name;
}

std::vector<TokenId> referenceIds()
{
    const Result<JsonDocument> document = JsonDocument::read(data("mixture.json"));
    std::vector<TokenId> ids;
    document->root()["ids"].forEachElement(
        [&](JsonValue id) { ids.push_back(TokenId{static_cast<std::int32_t>(*id.integer())}); });
    return ids;
}

} // namespace

/// A tiny model that llama.cpp quantized, each matrix to another type, with the exact logits of its
/// weights as llama.cpp expands them; see tests/data/quantization.
class QuantizedModelTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void logitsAreTheExactOnes()
    {
        const Transformer model = openTransformer(data("mixture.gguf"));
        const std::vector<TokenId> ids = referenceIds();
        const auto vocabulary = static_cast<std::size_t>(model.config().vocabularySize);
        const std::string bytes = tests::readFile(data("mixture.logits.f64"));
        std::vector<double> exact(ids.size() * vocabulary);
        QCOMPARE(bytes.size(), exact.size() * sizeof(double));
        std::memcpy(exact.data(), bytes.data(), bytes.size());
        const std::unique_ptr<ForwardState> state = model.newState(1);
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const std::vector<float> found = forward(model, {&ids[i], 1}, *state);
            double differences = 0;
            double size = 0;
            for (std::size_t id = 0; id < vocabulary; ++id) {
                const double expected = exact[i * vocabulary + id];
                differences += std::pow(static_cast<double>(found[id]) - expected, 2);
                size += expected * expected;
            }
            const double off = std::sqrt(differences / size);
            QVERIFY2(off <= 1e-5, qPrintable(QStringLiteral("position %1: %2").arg(i).arg(off)));
        }
    }

    void threadsAndCutsChangeNoBit()
    {
        const Transformer model = openTransformer(data("mixture.gguf"));
        const std::vector<TokenId> ids = tests::someTokens(model, 40);
        const std::vector<float> expected = forward(model, ids, *model.newState(1));
        for (const int threads : {2, 3})
            QVERIFY(equalToTheBit(forward(model, ids, *model.newState(threads)), expected));
        for (const std::size_t piece : {std::size_t{1}, std::size_t{7}}) {
            const std::unique_ptr<ForwardState> state = model.newState(2);
            std::vector<float> last;
            for (std::size_t i = 0; i < ids.size(); i += piece)
                last = forward(model, std::span(ids).subspan(i, std::min(piece, ids.size() - i)),
                               *state);
            QVERIFY(equalToTheBit(last, expected));
        }
    }

    void isDescribedByWhatItHolds()
    {
        const Result<ModelFile> file = openModel(data("mixture.gguf"));
        QVERIFY(file);
        const ModelInfo info = describe(file->path, file->config, file->weights);
        QCOMPARE(info.quantization, std::string("Q4_K_M"));
        QCOMPARE(info.tensorTypes, (std::map<std::string, int>{{"F32", 5},
                                                               {"IQ4_NL", 1},
                                                               {"IQ4_XS", 1},
                                                               {"Q2_K", 1},
                                                               {"Q3_K", 1},
                                                               {"Q4_K", 1},
                                                               {"Q5_0", 1},
                                                               {"Q5_1", 1},
                                                               {"Q5_K", 1},
                                                               {"Q6_K", 1}}));
        // Blocks as the formats have them, by rows and columns of the matrices.
        const std::int64_t bytes = 272 * 210 + 272 * 136     // Q6_K and IQ4_XS, vocabulary
                                   + 64 * 84                 // Q2_K, q
                                   + 32 * 8 * 22 + 32 * 176  // Q5_0, k; Q5_K, v
                                   + 256 * 2 * 24            // Q5_1, attention output
                                   + 256 * 144 + 256 * 110   // Q4_K, gate; Q3_K, up
                                   + 256 * 8 * 18            // IQ4_NL, down
                                   + 4 * (3 * 256 + 2 * 32); // norms
        const std::int64_t parameters =
            2 * 272 * 256 + 64 * 256 + 2 * 32 * 256 + 256 * 64 + 3 * 256 * 256 + 3 * 256 + 2 * 32;
        QCOMPARE(info.parameters, parameters);
        QCOMPARE(info.bitsPerWeight,
                 8 * static_cast<double>(bytes) / static_cast<double>(parameters));
    }

    // Scales that are infinite or no numbers, and any other bytes: logits, or one sentence.
    void survivesAnyBytesAsWeights()
    {
        const QTemporaryDir folder;
        const std::filesystem::path path =
            std::filesystem::path(folder.path().toStdString()) / "damaged.gguf";
        const std::string whole = tests::readFile(data("mixture.gguf"));
        constexpr std::size_t weights = 200000; // at the end of the file, behind the directory
        QVERIFY(whole.size() > weights + 10000);
        for (const int kind : {0, 1, 2, 3}) {
            std::string bytes = whole;
            const std::vector<float> values =
                tests::randomFloats(weights, static_cast<std::uint32_t>(kind), 128);
            for (std::size_t i = 0; i < weights; ++i)
                bytes[bytes.size() - weights + i] = kind == 0   ? '\xFF'
                                                    : kind == 1 ? '\x7C'
                                                                : static_cast<char>(values[i]);
            tests::writeFile(path, bytes);
            const Transformer model = openTransformer(path);
            const std::vector<TokenId> ids = tests::someTokens(model, 5);
            const auto logits = model.forward(ids, *model.newState(2), std::stop_token());
            QVERIFY(logits ? logits->size() == std::size_t{272} : !logits.error().message.empty());
        }
    }
};

QTEST_APPLESS_MAIN(QuantizedModelTest)
#include "QuantizedModelTest.moc"
