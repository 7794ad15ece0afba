#include "ui/SettingOrigins.h"

#include <vector>

namespace ui {
namespace {

/// The settings whose values differ.
std::vector<Setting> differing(const engine::SamplingConfig& a, const engine::SamplingConfig& b)
{
    std::vector<Setting> result;
    const auto add = [&result](Setting setting, bool differs) {
        if (differs)
            result.push_back(setting);
    };
    add(Setting::Rule, a.rule != b.rule);
    add(Setting::Temperature, a.temperature != b.temperature);
    add(Setting::TopK, a.topK != b.topK);
    add(Setting::TopP, a.topP != b.topP);
    add(Setting::MinP, a.minP != b.minP);
    add(Setting::RepetitionPenalty, a.repetitionPenalty != b.repetitionPenalty);
    add(Setting::Order, a.order != b.order);
    add(Setting::Seed, a.seed != b.seed);
    return result;
}

} // namespace

void SettingOrigins::changed(const engine::SamplingConfig& before,
                             const engine::SamplingConfig& after, SettingOrigin origin)
{
    for (const Setting setting : differing(before, after))
        set(setting, origin);
}

void SettingOrigins::replaced(const engine::SamplingConfig& before,
                              const engine::SamplingConfig& after)
{
    changed(before, after, SettingOrigin::Program);
    const std::vector<Setting> changedNow = differing(before, after);
    for (const Setting setting : differing(after, engine::SamplingConfig()))
        for (const Setting candidate : changedNow)
            if (candidate == setting)
                set(setting, SettingOrigin::User);
}

void SettingOrigins::suggested(const engine::SamplingDefaults& suggestion)
{
    const auto take = [this](Setting setting, bool isSuggested) {
        if (isSuggested)
            set(setting, SettingOrigin::Model);
    };
    take(Setting::Rule, suggestion.rule.has_value());
    take(Setting::Temperature, suggestion.temperature.has_value());
    take(Setting::TopK, suggestion.topK.has_value());
    take(Setting::TopP, suggestion.topP.has_value());
    take(Setting::MinP, suggestion.minP.has_value());
    take(Setting::RepetitionPenalty, suggestion.repetitionPenalty.has_value());
}

void SettingOrigins::modelChanged()
{
    for (SettingOrigin& origin : m_origins)
        if (origin == SettingOrigin::Model)
            origin = SettingOrigin::User;
}

} // namespace ui
