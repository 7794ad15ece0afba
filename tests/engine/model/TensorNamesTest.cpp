#include "engine/model/TensorNames.h"

#include <QtTest/QTest>

#include <set>

using namespace engine;

class TensorNamesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// Two parts under one name would read one tensor twice. GGUF's gate-and-up is its up.
    void tellsTheTensorsOfALayerApart()
    {
        for (const TensorNames* names : {&ggufNames, &llamaNames, &gpt2Names, &gptNeoXNames,
                                         &gemmaNames, &phi3Names, &olmo2Names}) {
            std::vector<std::string_view> parts = {names->attentionNorm,
                                                   names->qkv,
                                                   names->q,
                                                   names->k,
                                                   names->v,
                                                   names->qNorm,
                                                   names->kNorm,
                                                   names->attentionOutput,
                                                   names->attentionPostNorm,
                                                   names->feedForwardNorm,
                                                   names->gate,
                                                   names->up,
                                                   names->down,
                                                   names->feedForwardPostNorm};
            if (names != &ggufNames)
                parts.push_back(names->gateUp);
            std::erase(parts, std::string_view());
            QCOMPARE(std::set(parts.begin(), parts.end()).size(), parts.size());
            QVERIFY(names->layer.find('#') != std::string_view::npos);
        }
    }

    void namesOneNormAsEachFamilyMeansIt()
    {
        QCOMPARE(llamaNames.feedForwardNorm, std::string_view("post_attention_layernorm"));
        QCOMPARE(gemmaNames.attentionPostNorm, std::string_view("post_attention_layernorm"));
        QCOMPARE(gemmaNames.feedForwardNorm, std::string_view("pre_feedforward_layernorm"));
        QCOMPARE(olmo2Names.attentionPostNorm, std::string_view("post_attention_layernorm"));
        QVERIFY(olmo2Names.attentionNorm.empty() && olmo2Names.feedForwardNorm.empty());
        QCOMPARE(gemmaNames.normOffset, 1.0F);
        QCOMPARE(ggufNames.normOffset, 0.0F);
    }
};

QTEST_APPLESS_MAIN(TensorNamesTest)
#include "TensorNamesTest.moc"
