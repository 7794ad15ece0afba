#include "engine/model/Architecture.h"

#include <QtTest/QTest>

using namespace engine;

class ArchitectureTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsEachByTheNamesOfBothFormats()
    {
        for (const std::string_view name :
             {"gpt2", "llama", "qwen2", "qwen3", "gemma2", "gemma3", "phi3", "olmo2", "smollm3"}) {
            QVERIFY(findByGgufName(name) != nullptr);
            QCOMPARE(findByGgufName(name)->name, name);
            QCOMPARE(findByModelType(name), findByGgufName(name));
        }
        QCOMPARE(findByModelType("mistral"), findByGgufName("llama"));
        QCOMPARE(findByModelType("gpt_neox"), findByGgufName("gptneox"));
        QCOMPARE(findByModelType("gemma3_text"), findByGgufName("gemma3"));
        QCOMPARE(findByModelType("olmo3"), findByGgufName("olmo2"));
    }

    void doesNotFindOthers()
    {
        for (const std::string_view name : {"", "Llama", "llama2", "mistral", "gemma3_text"})
            QVERIFY(findByGgufName(name) == nullptr);
        QVERIFY(findByModelType("mixtral") == nullptr);
    }

    void listsWhatIsKnown()
    {
        QCOMPARE(knownGgufNames(), std::string("gpt2, llama, gptneox, qwen2, qwen3, gemma2, "
                                               "gemma3, phi3, olmo2, smollm3"));
        QCOMPARE(knownModelTypes(),
                 std::string("gpt2, llama, mistral, gpt_neox, qwen2, qwen3, gemma2, gemma3_text, "
                             "gemma3, phi3, olmo2, olmo3, smollm3"));
    }
};

QTEST_APPLESS_MAIN(ArchitectureTest)
#include "ArchitectureTest.moc"
