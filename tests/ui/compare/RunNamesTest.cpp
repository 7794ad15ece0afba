#include "ui/compare/RunNames.h"

#include <QTest>

using engine::Run;

namespace {

Run drawn(double temperature, std::uint64_t seed)
{
    Run run;
    run.model.name = "tiny";
    run.model.quantization = "F16";
    run.settings.sampling.rule = engine::DecodingRule::Sample;
    run.settings.sampling.temperature = temperature;
    run.settings.sampling.seed = seed;
    return run;
}

QStringList names(const std::vector<Run>& runs)
{
    std::vector<const Run*> pointers;
    for (const Run& run : runs)
        pointers.push_back(&run);
    return ui::runNames(pointers);
}

} // namespace

class RunNamesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nameWhatDiffers()
    {
        QCOMPARE(names({drawn(0.2, 1), drawn(1.5, 1)}),
                 QStringList({QStringLiteral("T 0.20"), QStringLiteral("T 1.50")}));
        QCOMPARE(names({drawn(1, 1), drawn(1, 2)}),
                 QStringList({QStringLiteral("seed 1"), QStringLiteral("seed 2")}));
        Run other = drawn(1, 1);
        other.model.quantization = "Q4_0";
        QCOMPARE(names({drawn(1, 1), other}),
                 QStringList({QStringLiteral("F16"), QStringLiteral("Q4_0")}));
    }

    void modelsThatSayTheSameAreToldByTheirFiles()
    {
        Run one = drawn(1, 1);
        Run other = drawn(1, 1);
        one.model.path = "/models/first.gguf";
        other.model.path = "/models/second.gguf";
        QCOMPARE(names({one, other}),
                 QStringList({QStringLiteral("first.gguf"), QStringLiteral("second.gguf")}));
        other.model.quantization = "Q4_0"; // that says more than the file's name
        QCOMPARE(names({one, other}), QStringList({QStringLiteral("F16"), QStringLiteral("Q4_0")}));
    }

    void greedyHasNoTemperature()
    {
        Run greedy = drawn(0.7, 3);
        greedy.settings.sampling.rule = engine::DecodingRule::Greedy;
        QCOMPARE(names({greedy, drawn(1, 1)}),
                 QStringList({QStringLiteral("Greedy"), QStringLiteral("Sampled")}));
        QCOMPARE(names({greedy, drawn(0.7, 1), drawn(1.5, 1)}).last(),
                 QStringLiteral("Sampled · T 1.50"));
    }

    void runsThatAreAlikeAreNumbered()
    {
        QCOMPARE(names({drawn(1, 1), drawn(1, 1)}),
                 QStringList({QStringLiteral("Run 1"), QStringLiteral("Run 2")}));
    }
};

QTEST_APPLESS_MAIN(RunNamesTest)
#include "RunNamesTest.moc"
