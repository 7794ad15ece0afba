#include "ModelTesting.h"
#include "engine/io/Json.h"

#include <QtTest/QTest>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace engine;

namespace {

/// Ids by falling logit, equal ones by rising id.
std::vector<int> ranking(const std::vector<float>& logits)
{
    std::vector<int> ids(logits.size());
    std::iota(ids.begin(), ids.end(), 0);
    std::stable_sort(ids.begin(), ids.end(), [&](int a, int b) {
        return logits[static_cast<std::size_t>(a)] > logits[static_cast<std::size_t>(b)];
    });
    return ids;
}

std::vector<int> integers(JsonValue list)
{
    std::vector<int> values;
    list.forEachElement(
        [&](JsonValue value) { values.push_back(static_cast<int>(*value.integer())); });
    return values;
}

} // namespace

/// The model that comes with the program against the reference.json beside it, which its own script
/// writes in double precision. Nothing here depends on its size or vocabulary.
class BundledModelTest : public QObject
{
    Q_OBJECT

    const std::filesystem::path m_folder = std::filesystem::path(TOKENSCOPE_RESOURCES) / "model";

private Q_SLOTS:
    void givesTheReferenceProbabilitiesAndContinuations()
    {
        const Transformer model = tests::openTransformer(m_folder);
        const Result<JsonDocument> document = JsonDocument::read(m_folder / "reference.json");
        QVERIFY(document);
        QVERIFY(document->root()["items"].size() > 0);
        document->root()["items"].forEachElement([&](JsonValue item) {
            const std::vector<TokenId> prompt = tests::tokens(integers(item["ids"]));
            const std::unique_ptr<ForwardState> state = model.newState(2);
            std::vector<float> logits = tests::forward(model, prompt, *state);
            const std::vector<int> ranked = ranking(logits);
            const double largest =
                static_cast<double>(logits[static_cast<std::size_t>(ranked.front())]);
            double sum = 0;
            for (const float logit : logits)
                sum += std::exp(static_cast<double>(logit) - largest);
            std::size_t rank = 0;
            item["top10"].forEachElement([&](JsonValue entry) {
                const int id = static_cast<int>(*entry["id"].integer());
                QCOMPARE(ranked[rank++], id);
                const double logit = static_cast<double>(logits[static_cast<std::size_t>(id)]);
                const double probability = std::exp(logit - largest) / sum;
                QVERIFY(std::abs(probability - *entry["probability"].number()) <= 1e-5);
            });
            QCOMPARE(rank, std::size_t{10});
            std::vector<int> continuation;
            for (std::size_t i = 0; i < item["greedy25"].size(); ++i) {
                continuation.push_back(ranking(logits).front());
                const TokenId next{continuation.back()};
                logits = tests::forward(model, {&next, 1}, *state);
            }
            QCOMPARE(continuation, integers(item["greedy25"]));
        });
    }
};

QTEST_APPLESS_MAIN(BundledModelTest)
#include "BundledModelTest.moc"
