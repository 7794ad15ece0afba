#include "../ConfigTesting.h"

using namespace engine;

namespace {

Result<ModelConfig> smolLm3(const std::string& fields)
{
    return tests::configFromJson(
        tests::configWith(R"("model_type": "smollm3", "num_hidden_layers": 4)" + fields));
}

constexpr int none = LayerPlan::noRope;
using Ropes = std::vector<int>;

} // namespace

class SmolLm3Test : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void leavesOutTheTurnOfSomeLayers()
    {
        QCOMPARE(tests::ropesOf(*smolLm3("")), (Ropes{0, 0, 0, none}));
        QCOMPARE(tests::ropesOf(*smolLm3(", \"no_rope_layer_interval\": 2")),
                 (Ropes{0, none, 0, none}));
        QCOMPARE(tests::ropesOf(*smolLm3(", \"no_rope_layers\": [1, 0, 0, 1]")),
                 (Ropes{0, none, none, 0}));
        const Result<ModelConfig> gguf = tests::configFromGguf(tests::metadataOf("smollm3", 5));
        QVERIFY(gguf);
        QCOMPARE(tests::ropesOf(*gguf), (Ropes{0, 0, 0, none, 0}));
    }

    void refusesWhatDoesNotFit()
    {
        tests::verifyRefused(smolLm3(", \"no_rope_layers\": [1, 0]"), ErrorCode::BadFormat,
                             QStringLiteral("each of the 4 layers, found 2"));
        tests::verifyRefused(smolLm3(", \"use_sliding_window\": true, \"sliding_window\": 4"),
                             ErrorCode::UnsupportedFeature, QStringLiteral("use_sliding_window"));
    }
};

QTEST_APPLESS_MAIN(SmolLm3Test)
#include "SmolLm3Test.moc"
