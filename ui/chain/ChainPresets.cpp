#include "ui/chain/ChainPresets.h"

#include <QCoreApplication>

#include <algorithm>

namespace ui {
namespace {

using engine::SamplingStage;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(ui::ChainPresets)
};

} // namespace

std::vector<MoodPreset> moodPresets()
{
    return {
        {Words::tr("Factual"), 0.2}, {Words::tr("Balanced"), 0.7}, {Words::tr("Creative"), 1.0}};
}

std::vector<OrderPreset> orderPresets()
{
    constexpr auto penalty = SamplingStage::RepetitionPenalty;
    constexpr auto temperature = SamplingStage::Temperature;
    constexpr auto topK = SamplingStage::TopK;
    constexpr auto topP = SamplingStage::TopP;
    constexpr auto minP = SamplingStage::MinP;
    return {
        {QStringLiteral("Hugging Face transformers"),
         {penalty, temperature, topK, topP, minP},
         Words::tr("generation/utils.py, the logits processors of generate()")},
        {QStringLiteral("llama.cpp"),
         {penalty, topK, topP, minP, temperature},
         Words::tr("the default of --samplers; the stages that are not here are left out")},
        {QStringLiteral("vLLM"),
         {penalty, temperature, minP, topK, topP},
         Words::tr("v1/sample/sampler.py: penalties, temperature, min-p, then top-k and top-p")},
        {QStringLiteral("Ollama"),
         {penalty, topK, temperature, topP, minP},
         Words::tr("sample/samplers.go; it has no repetition penalty of its own")},
    };
}

engine::SamplingConfig withMood(engine::SamplingConfig config, const MoodPreset& mood)
{
    config.rule = engine::DecodingRule::Sample;
    config.temperature = mood.temperature;
    return config;
}

double offValue(SamplingStage stage)
{
    return stage == SamplingStage::TopK || stage == SamplingStage::MinP ? 0.0 : 1.0;
}

double usualValue(SamplingStage stage)
{
    switch (stage) {
    case SamplingStage::UnnamedIds:
        return 0;
    case SamplingStage::RepetitionPenalty:
        return 1.1;
    case SamplingStage::Temperature:
        return 0.7;
    case SamplingStage::TopK:
        return 40;
    case SamplingStage::TopP:
        return 0.9;
    case SamplingStage::MinP:
        return 0.05;
    }
    return 0;
}

double valueOf(SamplingStage stage, const engine::SamplingConfig& config)
{
    switch (stage) {
    case SamplingStage::UnnamedIds:
        return 0;
    case SamplingStage::RepetitionPenalty:
        return config.repetitionPenalty;
    case SamplingStage::Temperature:
        return config.temperature;
    case SamplingStage::TopK:
        return static_cast<double>(config.topK);
    case SamplingStage::TopP:
        return config.topP;
    case SamplingStage::MinP:
        return config.minP;
    }
    return 0;
}

bool isStageOn(SamplingStage stage, const engine::SamplingConfig& config)
{
    const bool isIn =
        std::find(config.order.begin(), config.order.end(), stage) != config.order.end();
    return isIn && valueOf(stage, config) != offValue(stage);
}

engine::SamplingConfig withStage(engine::SamplingConfig config, SamplingStage stage, double value)
{
    if (std::find(config.order.begin(), config.order.end(), stage) == config.order.end())
        config.order.push_back(stage);
    switch (stage) {
    case SamplingStage::UnnamedIds:
        break;
    case SamplingStage::RepetitionPenalty:
        config.repetitionPenalty = value;
        break;
    case SamplingStage::Temperature:
        config.temperature = value;
        break;
    case SamplingStage::TopK:
        config.topK = static_cast<std::int64_t>(value);
        break;
    case SamplingStage::TopP:
        config.topP = value;
        break;
    case SamplingStage::MinP:
        config.minP = value;
        break;
    }
    return config;
}

} // namespace ui
