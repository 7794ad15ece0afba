#include "ModelTesting.h"
#include "engine/io/Json.h"
#include "tests/support/ModelWriters.h"

#include <QTemporaryDir>
#include <QtTest/QTest>

#include <algorithm>
#include <cmath>
#include <thread>

using namespace engine;
using tests::equalToTheBit;
using tests::forward;
using tests::modelData;
using tests::openTransformer;
using tests::someTokens;

namespace {

struct Reference
{
    std::vector<TokenId> ids;
    std::vector<std::size_t> positions; ///< into ids
    std::vector<double> logits;         ///< after each of the positions, [positions, vocabulary]
    std::size_t vocabulary = 0;
};

/// The ids and exact logits of tests/data/models; see tests/peers/models.
Reference reference(const std::string& model, const std::string& logitsName)
{
    const Result<JsonDocument> document = JsonDocument::read(modelData("reference.json"));
    Reference result;
    result.vocabulary = static_cast<std::size_t>(*document->root()["vocabulary"].integer());
    const JsonValue entry = document->root()["models"][model];
    entry["ids"].forEachElement([&](JsonValue id) {
        result.ids.push_back(TokenId{static_cast<std::int32_t>(*id.integer())});
    });
    entry["positions"].forEachElement([&](JsonValue position) {
        result.positions.push_back(static_cast<std::size_t>(*position.integer()));
    });
    const std::string bytes = tests::readFile(modelData(logitsName + ".logits.f64"));
    result.logits.resize(bytes.size() / sizeof(double));
    std::memcpy(result.logits.data(), bytes.data(), bytes.size());
    return result;
}

/// Root mean square of the differences beside that of the exact values about their mean.
double distance(std::span<const float> found, std::span<const double> exact)
{
    double mean = 0;
    for (const double value : exact)
        mean += value / static_cast<double>(exact.size());
    double differences = 0;
    double spread = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
        differences += std::pow(static_cast<double>(found[i]) - exact[i], 2);
        spread += std::pow(exact[i] - mean, 2);
    }
    return std::sqrt(differences / spread);
}

/// Those that are there as F32 only; see tests/peers/models.
const std::vector<std::string> newerModels = {"mistral", "qwen3-yarn", "gptneox", "gptneox-serial",
                                              "gemma2",  "gemma3",     "phi3",    "phi3-longrope",
                                              "olmo2",   "olmo3",      "smollm3"};

/// Every committed model in every type and format: path within tests/data/models.
void everyModel()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("logits");
    const auto row = [](const std::string& path, const std::string& model,
                        const std::string& logits) {
        QTest::newRow(path.c_str()) << QString::fromStdString(path) << QString::fromStdString(model)
                                    << QString::fromStdString(logits);
    };
    for (const std::string model : {"llama", "llama-scaled", "gpt2", "qwen2", "qwen3"})
        for (const std::string type : {"f32", "f16", "bf16"})
            for (const std::string ending : {".gguf", ""})
                row(model + "-" + type + ending, model, model);
    for (const std::string& model : newerModels)
        for (const std::string ending : {".gguf", ""})
            row(model + "-f32" + ending, model, model);
    row("llama-q8_0.gguf", "llama", "llama-q8_0");
    row("llama-q4_0.gguf", "llama", "llama-q4_0");
}

std::string fetchPath()
{
    QFETCH(const QString, path);
    return path.toStdString();
}

} // namespace

class TransformerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void logitsAreTheExactOnes_data() { everyModel(); }
    void logitsAreTheExactOnes()
    {
        QFETCH(const QString, model);
        QFETCH(const QString, logits);
        const Transformer transformer = openTransformer(modelData(fetchPath()));
        const Reference exact = reference(model.toStdString(), logits.toStdString());
        QCOMPARE(static_cast<std::size_t>(transformer.config().vocabularySize), exact.vocabulary);
        QCOMPARE(exact.logits.size(), exact.positions.size() * exact.vocabulary);
        QVERIFY(!exact.positions.empty());
        const std::unique_ptr<ForwardState> state = transformer.newState(1);
        for (std::size_t i = 0; i < exact.positions.size(); ++i) {
            const std::size_t read = static_cast<std::size_t>(state->length());
            const std::vector<float> found =
                forward(transformer,
                        std::span(exact.ids).subspan(read, exact.positions[i] + 1 - read), *state);
            const double off = distance(
                found, std::span(exact.logits).subspan(i * exact.vocabulary, exact.vocabulary));
            QVERIFY2(
                off <= 1e-5,
                qPrintable(QStringLiteral("position %1: %2").arg(exact.positions[i]).arg(off)));
        }
    }

    void bothFormatsGiveTheSameLogits_data()
    {
        QTest::addColumn<QString>("path");
        std::vector<std::string> models = newerModels;
        models.insert(models.end(), {"llama", "llama-scaled", "gpt2", "qwen2", "qwen3"});
        for (const std::string& model : models)
            QTest::newRow(model.c_str()) << QString::fromStdString(model + "-f32");
    }
    void bothFormatsGiveTheSameLogits()
    {
        const Transformer gguf = openTransformer(modelData(fetchPath() + ".gguf"));
        const Transformer folder = openTransformer(modelData(fetchPath()));
        const std::vector<TokenId> ids =
            someTokens(gguf, std::min(300, gguf.config().contextLength));
        for (const std::size_t count : {std::size_t{3}, std::size_t{16}, ids.size()}) {
            const std::vector<float> one =
                forward(gguf, std::span(ids).first(count), *gguf.newState(1));
            const std::vector<float> other =
                forward(folder, std::span(ids).first(count), *folder.newState(1));
            for (std::size_t i = 0; i < one.size(); ++i)
                QVERIFY(std::abs(one[i] - other[i]) <= 1e-4F);
        }
    }

    // Longer than the pieces in which a prompt is read and than a chunk of the cache.
    void threadsAndCutsChangeNoBit_data() { everyModel(); }
    void threadsAndCutsChangeNoBit()
    {
        const Transformer model = openTransformer(modelData(fetchPath()));
        const int count = std::min(300, model.config().contextLength);
        const std::vector<TokenId> ids = someTokens(model, count);
        const std::vector<float> expected = forward(model, ids, *model.newState(1));
        for (const int threads : {2, 3})
            QVERIFY(equalToTheBit(forward(model, ids, *model.newState(threads)), expected));
        for (const std::size_t piece : {std::size_t{1}, std::size_t{7}}) {
            const std::unique_ptr<ForwardState> state = model.newState(piece == 7 ? 2 : 1);
            std::vector<float> last;
            for (std::size_t at = 0; at < ids.size(); at += piece)
                last = forward(model, std::span(ids).subspan(at, std::min(piece, ids.size() - at)),
                               *state);
            QCOMPARE(state->length(), count);
            QVERIFY(equalToTheBit(last, expected));
        }
    }

    void goingBackAndOnIsTheSameAsAfresh_data() { everyModel(); }
    void goingBackAndOnIsTheSameAsAfresh()
    {
        const Transformer model = openTransformer(modelData(fetchPath()));
        const std::vector<TokenId> ids = someTokens(model, 40);
        std::vector<TokenId> other = ids;
        std::reverse(other.begin() + 11, other.end());
        const std::unique_ptr<ForwardState> state = model.newState(2);
        forward(model, ids, *state);
        state->truncate(11);
        QCOMPARE(state->length(), 11);
        const std::vector<float> again =
            forward(model, std::span<const TokenId>(other).subspan(11), *state);
        QVERIFY(equalToTheBit(again, forward(model, other, *model.newState(1))));
    }

    void refusesTokensOutsideTheVocabulary()
    {
        const Transformer model = openTransformer(modelData("llama-f32.gguf"));
        const std::unique_ptr<ForwardState> state = model.newState(1);
        for (const int id : {-1, model.config().vocabularySize}) {
            const std::vector<TokenId> ids = {TokenId{1}, TokenId{id}};
            const auto logits = model.forward(ids, *state, std::stop_token());
            QVERIFY(!logits);
            QCOMPARE(logits.error().code, ErrorCode::InvalidArgument);
            QVERIFY(logits.error().message.find(std::to_string(id)) != std::string::npos);
        }
        QCOMPARE(model.forward({}, *state, std::stop_token()).error().code,
                 ErrorCode::InvalidArgument);
        QCOMPARE(state->length(), 0);
    }

    void stopsAtTheEndOfTheContext_data()
    {
        QTest::addColumn<QString>("path");
        QTest::newRow("learned positions") << QStringLiteral("gpt2-f32.gguf");
        QTest::newRow("rotary positions") << QStringLiteral("qwen2-f16.gguf");
    }
    void stopsAtTheEndOfTheContext()
    {
        const Transformer model = openTransformer(modelData(fetchPath()));
        const int context = model.config().contextLength;
        const std::unique_ptr<ForwardState> state = model.newState(1);
        const std::vector<TokenId> whole = someTokens(model, context);
        forward(model, whole, *state);
        QCOMPARE(state->length(), context);
        const std::vector<TokenId> one = {TokenId{1}};
        const auto full = model.forward(one, *state, std::stop_token());
        QVERIFY(!full);
        QCOMPARE(full.error().code, ErrorCode::ContextFull);
        QVERIFY(full.error().message.find(std::to_string(context)) != std::string::npos);
        QCOMPARE(state->length(), context);
        const auto tooLong =
            model.forward(someTokens(model, context + 1), *model.newState(1), std::stop_token());
        QVERIFY(!tooLong);
        QCOMPARE(tooLong.error().code, ErrorCode::ContextFull);
    }

    void leavesTheStateAsItWasWhenCancelled()
    {
        const Transformer model = openTransformer(modelData("llama-f16.gguf"));
        const std::vector<TokenId> ids = someTokens(model, 20);
        const std::unique_ptr<ForwardState> state = model.newState(2);
        forward(model, std::span(ids).first(5), *state);
        std::stop_source source;
        source.request_stop();
        const auto cancelled = model.forward(std::span(ids).subspan(5), *state, source.get_token());
        QVERIFY(!cancelled);
        QCOMPARE(cancelled.error().code, ErrorCode::Cancelled);
        QCOMPARE(state->length(), 5);
        QVERIFY(equalToTheBit(forward(model, std::span(ids).subspan(5), *state),
                              forward(model, ids, *model.newState(1))));
    }

    void saysWhenTheLogitsAreNotFinite_data()
    {
        QTest::addColumn<QString>("tensor");
        for (const char* name : {"token_embd.weight", "blk.0.attn_k.weight", "blk.1.attn_v.weight",
                                 "blk.1.ffn_gate.weight", "output_norm.weight", "output.weight"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void saysWhenTheLogitsAreNotFinite()
    {
        QFETCH(const QString, tensor);
        const QTemporaryDir folder;
        const std::filesystem::path path =
            std::filesystem::path(folder.path().toStdString()) / "nan.gguf";
        tests::GgufWriter writer = tests::tinyLlamaMetadata();
        for (tests::TinyTensor& each : tests::tinyLlamaTensors()) {
            if (each.name == tensor.toStdString())
                each.values[8 % each.values.size()] = std::nanf("");
            writer.tensor(each.name, each.shape, tests::GgufWriter::F32,
                          tests::floatBytes(each.values));
        }
        tests::writeFile(path, writer.bytes());
        const Transformer model = openTransformer(path);
        const std::unique_ptr<ForwardState> state = model.newState(1);
        const std::vector<TokenId> ids = {TokenId{1}, TokenId{1}, TokenId{2}};
        const auto logits = model.forward(ids, *state, std::stop_token());
        QVERIFY(!logits);
        QCOMPARE(logits.error().code, ErrorCode::NotFinite);
        QCOMPARE(state->length(), 0);
    }

    void runsShareOneModelWithoutDisturbingEachOther()
    {
        const Transformer model = openTransformer(modelData("qwen3-bf16"));
        const std::vector<TokenId> ids = someTokens(model, 30);
        const std::vector<float> expected = forward(model, ids, *model.newState(1));
        std::vector<std::vector<float>> found(3);
        {
            std::vector<std::jthread> runs;
            for (std::size_t run = 0; run < found.size(); ++run)
                runs.emplace_back([&, run] {
                    const std::unique_ptr<ForwardState> state = model.newState(2);
                    for (std::size_t at = 0; at < ids.size(); at += run + 1)
                        found[run] = forward(
                            model, std::span(ids).subspan(at, std::min(run + 1, ids.size() - at)),
                            *state);
                });
        }
        for (const std::vector<float>& logits : found)
            QVERIFY(equalToTheBit(logits, expected));
    }
};

QTEST_APPLESS_MAIN(TransformerTest)
#include "TransformerTest.moc"
