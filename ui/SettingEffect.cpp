#include "ui/SettingEffect.h"

#include "ui/NumberText.h"

#include <QCoreApplication>

#include <algorithm>

namespace ui {
namespace {

using engine::SamplingStage;

QString tr(const char* text)
{
    return QCoreApplication::translate("SettingEffect", text);
}

bool isOff(SamplingStage stage, const engine::SamplingConfig& sampling)
{
    const auto& order = sampling.order;
    if (std::find(order.begin(), order.end(), stage) == order.end())
        return true;
    switch (stage) {
    case SamplingStage::UnnamedIds:
        return false;
    case SamplingStage::RepetitionPenalty:
        return sampling.repetitionPenalty == 1.0;
    case SamplingStage::Temperature:
        return sampling.temperature == 1.0;
    case SamplingStage::TopK:
        return sampling.topK == 0;
    case SamplingStage::TopP:
        return sampling.topP == 1.0;
    case SamplingStage::MinP:
        return sampling.minP == 0.0;
    }
    return true;
}

} // namespace

QString originText(SettingOrigin origin)
{
    switch (origin) {
    case SettingOrigin::Program:
        return tr("default");
    case SettingOrigin::Model:
        return tr("model's");
    case SettingOrigin::User:
        return tr("you");
    case SettingOrigin::Trace:
        return tr("recorded");
    }
    return {};
}

QString effectText(SamplingStage stage, const engine::SamplingConfig& sampling,
                   const engine::Step* step)
{
    if (isOff(stage, sampling))
        return tr("off");
    if (step == nullptr)
        return {};
    const auto ran =
        std::find_if(step->stages.begin(), step->stages.end(),
                     [stage](const engine::StageTrace& trace) { return trace.stage == stage; });
    if (ran == step->stages.end())
        return step->rule == engine::DecodingRule::Greedy ? tr("not used") : QString();
    switch (stage) {
    case SamplingStage::Temperature:
        return ran->value < 1 ? tr("sharpens") : tr("flattens");
    case SamplingStage::RepetitionPenalty:
        return ran->changed == 0 ? tr("no effect") : tr("changes %1").arg(countText(ran->changed));
    default:
        return ran->before == ran->after ? tr("no effect")
                                         : tr("cuts %1").arg(countText(ran->before - ran->after));
    }
}

QString seedEffectText(const engine::Step* step)
{
    if (step == nullptr)
        return {};
    if (!step->draw)
        return tr("not used");
    return step->keptCount == 1 ? tr("no effect") : tr("draws");
}

} // namespace ui
