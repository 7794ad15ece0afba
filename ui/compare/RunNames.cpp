#include "ui/compare/RunNames.h"

#include "ui/NumberText.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>
#include <functional>

namespace ui {
namespace {

using engine::Run;
using engine::SamplingStage;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(ui::RunNames)
};

using Fact = std::function<QString(const Run&)>;

bool isGreedy(const Run& run)
{
    return run.settings.sampling.rule == engine::DecodingRule::Greedy;
}

QString fromUtf8(const std::string& text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// A setting that greedy decoding leaves aside, as in PartingText.
Fact ofDrawing(Fact fact)
{
    return
        [fact = std::move(fact)](const Run& run) { return isGreedy(run) ? QString() : fact(run); };
}

/// In the order in which they are looked at.
std::vector<Fact> facts()
{
    const auto stage = [](SamplingStage which, auto value) {
        return ofDrawing([which, value](const Run& run) {
            return stageText(which, static_cast<double>(value(run.settings.sampling)));
        });
    };
    return {
        [](const Run& run) { return fromUtf8(run.model.name); },
        [](const Run& run) { return fromUtf8(run.model.quantization); },
        [](const Run& run) { return isGreedy(run) ? Words::tr("Greedy") : Words::tr("Sampled"); },
        ofDrawing([](const Run& run) {
            return Words::tr("T %1").arg(settingText(run.settings.sampling.temperature));
        }),
        stage(SamplingStage::TopK, [](const auto& sampling) { return sampling.topK; }),
        stage(SamplingStage::TopP, [](const auto& sampling) { return sampling.topP; }),
        stage(SamplingStage::MinP, [](const auto& sampling) { return sampling.minP; }),
        [](const Run& run) {
            return Words::tr("penalty %1")
                .arg(settingText(run.settings.sampling.repetitionPenalty));
        },
        ofDrawing(
            [](const Run& run) { return Words::tr("seed %1").arg(run.settings.sampling.seed); }),
    };
}

} // namespace

QStringList runNames(const std::vector<const Run*>& runs)
{
    constexpr int mostFacts = 2;
    std::vector<QStringList> words(runs.size());
    int used = 0;
    std::vector<Fact> all = facts();
    // Models of which all else that is said is the same are told by their files.
    const bool sameWords = std::all_of(runs.begin(), runs.end(), [&runs](const Run* run) {
        return run->model.name == runs.front()->model.name &&
               run->model.quantization == runs.front()->model.quantization;
    });
    if (sameWords)
        all.insert(all.begin(),
                   [](const Run& run) { return QFileInfo(fromUtf8(run.model.path)).fileName(); });
    for (const Fact& fact : all) {
        QStringList values;
        for (const Run* run : runs)
            values << fact(*run);
        QStringList told = values;
        told.removeAll(QString());
        if (used == mostFacts || told.count(told.value(0)) == told.size())
            continue;
        ++used;
        for (std::size_t i = 0; i < runs.size(); ++i)
            if (const QString& value = values[static_cast<qsizetype>(i)]; !value.isEmpty())
                words[i] << value;
    }
    QStringList names;
    for (std::size_t i = 0; i < runs.size(); ++i)
        names << (words[i].isEmpty() ? Words::tr("Run %1").arg(i + 1)
                                     : words[i].join(QStringLiteral(" · ")));
    return names;
}

} // namespace ui
