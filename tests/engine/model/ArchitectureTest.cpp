#include "engine/model/Architecture.h"

#include <QtTest/QTest>

using namespace engine;

class ArchitectureTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsEachByTheNamesOfBothFormats()
    {
        for (const std::string_view name : {"gpt2", "llama", "qwen2", "qwen3"}) {
            QVERIFY(findByGgufName(name) != nullptr);
            QCOMPARE(findByGgufName(name)->name, name);
            QCOMPARE(findByModelType(name), findByGgufName(name));
        }
        QCOMPARE(findByModelType("mistral"), findByGgufName("llama"));
    }

    void doesNotFindOthers()
    {
        for (const std::string_view name : {"", "Llama", "llama2", "mistral", "gemma3"})
            QVERIFY(findByGgufName(name) == nullptr);
        QVERIFY(findByModelType("mixtral") == nullptr);
    }

    void listsWhatIsKnown()
    {
        QCOMPARE(knownGgufNames(), std::string("gpt2, llama, qwen2, qwen3"));
        QCOMPARE(knownModelTypes(), std::string("gpt2, llama, mistral, qwen2, qwen3"));
    }
};

QTEST_APPLESS_MAIN(ArchitectureTest)
#include "ArchitectureTest.moc"
