#include "engine/model/ConfigNames.h"

#include "engine/model/Architecture.h"

#include <QtTest/QTest>

using namespace engine;

class ConfigNamesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyFormatHasWhatEveryModelNeeds()
    {
        for (const ConfigNames* names : {&ggufConfig, &llamaConfig, &gpt2Config, &gptNeoXConfig,
                                         &gemma2Config, &gemma3Config, &phi3Config, &smolLm3Config})
            for (const std::string_view name :
                 {names->width, names->layers, names->heads, names->feedForwardWidth,
                  names->contextLength, names->activation})
                QVERIFY(!name.empty());
    }

    void everyArchitectureHasTheEpsilonOfItsNorm()
    {
        for (const std::string_view type : {"gpt2", "llama", "gpt_neox", "qwen2", "qwen3", "gemma2",
                                            "gemma3_text", "phi3", "olmo2", "smollm3"}) {
            const Architecture* architecture = findByModelType(type);
            QVERIFY(architecture != nullptr);
            const ConfigNames& names = *architecture->configNames;
            QVERIFY(!(architecture->norm == NormKind::Rms ? names.rmsNormEpsilon
                                                          : names.layerNormEpsilon)
                         .empty());
        }
    }
};

QTEST_APPLESS_MAIN(ConfigNamesTest)
#include "ConfigNamesTest.moc"
