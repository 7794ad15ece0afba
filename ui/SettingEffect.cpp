#include "ui/SettingEffect.h"

#include "ui/NumberText.h"
#include "ui/chain/ChainPresets.h"

#include <QCoreApplication>

#include <algorithm>

namespace ui {
namespace {

using engine::SamplingStage;

QString tr(const char* text)
{
    return QCoreApplication::translate("SettingEffect", text);
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
    if (!isStageOn(stage, sampling) && stage != SamplingStage::UnnamedIds)
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
