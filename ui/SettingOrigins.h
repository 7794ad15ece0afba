#pragma once

#include "engine/api/ModelNotes.h"
#include "engine/api/RunConfig.h"
#include "ui/SettingEffect.h"

#include <array>

namespace ui {

enum class Setting
{
    Rule,
    Temperature,
    TopK,
    TopP,
    MinP,
    RepetitionPenalty,
    Order,
    Seed,
    LengthLimit,
};

/// Keeps for every setting who its value is from. At first all are the program's. A value.
class SettingOrigins
{
public:
    SettingOrigin of(Setting setting) const { return m_origins[index(setting)]; }

    /// The settings became `after`: those that differ are from `origin` now.
    void changed(const engine::SamplingConfig& before, const engine::SamplingConfig& after,
                 SettingOrigin origin);
    /// They were set from elsewhere, by the command line or by going back to an earlier branch: of
    /// those that differ, a default counts as the program's, another value as the user's.
    void replaced(const engine::SamplingConfig& before, const engine::SamplingConfig& after);
    /// The user took over what the model's file suggests.
    void suggested(const engine::SamplingDefaults& suggestion);
    /// Another model: what was taken over from the one before is now the user's own.
    void modelChanged();
    void set(Setting setting, SettingOrigin origin) { m_origins[index(setting)] = origin; }

private:
    static std::size_t index(Setting setting) { return static_cast<std::size_t>(setting); }

    std::array<SettingOrigin, 9> m_origins{};
};

} // namespace ui
