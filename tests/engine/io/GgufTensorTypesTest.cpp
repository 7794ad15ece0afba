#include "engine/io/GgufTensorTypes.h"

#include <QtTest/QTest>

#include <set>
#include <utility>

using namespace engine;

class GgufTensorTypesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // ggml_type of the GGUF specification.
    void knowsTheNumberOfEachType_data()
    {
        QTest::addColumn<quint32>("number");
        const auto row = [](const char* name, quint32 number) { QTest::newRow(name) << number; };
        row("F32", 0);
        row("F16", 1);
        row("Q4_0", 2);
        row("Q4_1", 3);
        row("Q5_0", 6);
        row("Q5_1", 7);
        row("Q8_0", 8);
        row("Q2_K", 10);
        row("Q3_K", 11);
        row("Q4_K", 12);
        row("Q5_K", 13);
        row("Q6_K", 14);
        row("IQ4_NL", 20);
        row("IQ4_XS", 23);
        row("BF16", 30);
    }

    void knowsTheNumberOfEachType()
    {
        QFETCH(const quint32, number);
        const std::optional<DType> type = ggufTensorType(number);
        QVERIFY(type);
        QCOMPARE(traits(*type).name, std::string_view(QTest::currentDataTag()));
    }

    void everyTypeHasANumber()
    {
        std::set<DType> found;
        for (std::uint32_t number = 0; number < 100; ++number)
            if (const std::optional<DType> type = ggufTensorType(number))
                QVERIFY(found.insert(*type).second);
        QCOMPARE(std::ssize(found), std::ptrdiff_t{dtypeCount});
    }

    void namesWhatItCannotReadAndWhatItCan()
    {
        QVERIFY(!ggufTensorType(17) && !ggufTensorType(39) && !ggufTensorType(777));
        const std::string known =
            "(supported types: F32, F16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q2_K, Q3_K, Q4_K, Q5_K, "
            "Q6_K, IQ4_NL, IQ4_XS, BF16)";
        for (const auto& [number, name] :
             {std::pair(17U, "IQ2_XS"), std::pair(34U, "TQ1_0"), std::pair(39U, "MXFP4"),
              std::pair(31U, "Q4_0_4_4"), std::pair(777U, "number 777")}) {
            const std::string text = unsupportedGgufType(number);
            QVERIFY2(text.starts_with(std::string("type ") + name + " is not supported; "),
                     text.c_str());
            QVERIFY2(text.ends_with(known), text.c_str());
        }
    }

    // llama_ftype of llama.cpp.
    void namesMixtures()
    {
        QCOMPARE(ggufFileType(0), std::string("F32"));
        QCOMPARE(ggufFileType(1), std::string("F16"));
        QCOMPARE(ggufFileType(15), std::string("Q4_K_M"));
        QCOMPARE(ggufFileType(18), std::string("Q6_K"));
        QCOMPARE(ggufFileType(30), std::string("IQ4_XS"));
        QCOMPARE(ggufFileType(32), std::string("BF16"));
        QCOMPARE(ggufFileType(-1), std::string());
        QCOMPARE(ggufFileType(1024), std::string());
    }
};

QTEST_APPLESS_MAIN(GgufTensorTypesTest)
#include "GgufTensorTypesTest.moc"
