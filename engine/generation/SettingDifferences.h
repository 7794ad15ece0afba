#pragma once

#include "engine/api/Run.h"
#include "engine/api/RunChecks.h"
#include "engine/api/RunConfig.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace engine {

/// What a setting acts on.
enum class SettingKind
{
    Chain,   ///< the scores, the candidates kept, and how one of them is picked
    Seed,    ///< only the draw
    Ending,  ///< only where the run stops
    Context, ///< how text becomes the starting ids
};

/// One of the settings that can change the output, by its name on the command line.
struct Setting
{
    std::string_view name;
    SettingKind kind = SettingKind::Chain;
    std::string (*text)(const RunConfig& config); ///< its value, in words
    void (*copy)(const RunConfig& from, RunConfig& to);
};

/// All of them, in the order in which differences are told.
std::span<const Setting> allSettings();

/// Those that differ in what they say.
std::vector<SettingDifference> settingDifferences(const RunConfig& a, const RunConfig& b);
std::vector<SettingDifference> settingDifferences(const RunConfig& a, const RunConfig& b,
                                                  SettingKind kind);

/// The settings of both runs; where they were changed on the way, those of the last step that both
/// have.
std::pair<RunConfig, RunConfig> comparedSettings(const Run& a, const Run& b);

/// Of the names and values of all settings: equal where the settings are.
std::string settingsDigest(const RunConfig& config);

} // namespace engine
