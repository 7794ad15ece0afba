#include "engine/generation/SettingDifferences.h"

#include "engine/generation/TraceDiffSentence.h"
#include "engine/generation/TraceNames.h"
#include "engine/io/Sha256.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace engine {

namespace {

std::string exactly(double value)
{
    char text[64];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string onOrOff(bool on)
{
    return on ? "on" : "off";
}

std::string stopTexts(const RunConfig& config)
{
    std::string text;
    for (std::size_t i = 0; i < config.stopTexts.size(); ++i) {
        const bool last = i + 1 == config.stopTexts.size();
        text += (i == 0 ? ""
                 : last ? " and "
                        : ", ") +
                quoted({TokenId{}, config.stopTexts[i], TokenKind::Normal});
    }
    return text.empty() ? "none" : text;
}

using Config = RunConfig;

constexpr std::array settings = {
    Setting{"decoding", SettingKind::Chain,
            [](const Config& c) { return std::string(name(c.sampling.rule)); },
            [](const Config& from, Config& to) { to.sampling.rule = from.sampling.rule; }},
    Setting{name(SamplingStage::RepetitionPenalty), SettingKind::Chain,
            [](const Config& c) { return exactly(c.sampling.repetitionPenalty); },
            [](const Config& from, Config& to) {
                to.sampling.repetitionPenalty = from.sampling.repetitionPenalty;
            }},
    Setting{name(SamplingStage::Temperature), SettingKind::Chain,
            [](const Config& c) { return exactly(c.sampling.temperature); },
            [](const Config& from, Config& to) {
                to.sampling.temperature = from.sampling.temperature;
            }},
    Setting{name(SamplingStage::TopK), SettingKind::Chain,
            [](const Config& c) { return std::to_string(c.sampling.topK); },
            [](const Config& from, Config& to) { to.sampling.topK = from.sampling.topK; }},
    Setting{name(SamplingStage::TopP), SettingKind::Chain,
            [](const Config& c) { return exactly(c.sampling.topP); },
            [](const Config& from, Config& to) { to.sampling.topP = from.sampling.topP; }},
    Setting{name(SamplingStage::MinP), SettingKind::Chain,
            [](const Config& c) { return exactly(c.sampling.minP); },
            [](const Config& from, Config& to) { to.sampling.minP = from.sampling.minP; }},
    Setting{"order", SettingKind::Chain,
            [](const Config& c) { return orderText(c.sampling.order); },
            [](const Config& from, Config& to) { to.sampling.order = from.sampling.order; }},
    Setting{"seed", SettingKind::Seed,
            [](const Config& c) { return std::to_string(c.sampling.seed); },
            [](const Config& from, Config& to) { to.sampling.seed = from.sampling.seed; }},
    Setting{"max-new-tokens", SettingKind::Ending,
            [](const Config& c) { return std::to_string(c.maxNewTokens); },
            [](const Config& from, Config& to) { to.maxNewTokens = from.maxNewTokens; }},
    Setting{"stop", SettingKind::Ending, stopTexts,
            [](const Config& from, Config& to) { to.stopTexts = from.stopTexts; }},
    Setting{"ignore-stop-tokens", SettingKind::Ending,
            [](const Config& c) { return onOrOff(c.ignoreStopTokens); },
            [](const Config& from, Config& to) { to.ignoreStopTokens = from.ignoreStopTokens; }},
    Setting{"add-special-tokens", SettingKind::Context,
            [](const Config& c) {
                return c.addSpecialTokens ? onOrOff(*c.addSpecialTokens)
                                          : std::string("as the model says");
            },
            [](const Config& from, Config& to) { to.addSpecialTokens = from.addSpecialTokens; }},
    Setting{"parse-special", SettingKind::Context,
            [](const Config& c) { return onOrOff(c.parseSpecial); },
            [](const Config& from, Config& to) { to.parseSpecial = from.parseSpecial; }},
    Setting{"chat", SettingKind::Context, [](const Config& c) { return onOrOff(c.chat); },
            [](const Config& from, Config& to) { to.chat = from.chat; }},
};

} // namespace

std::span<const Setting> allSettings()
{
    return settings;
}

std::vector<SettingDifference> settingDifferences(const RunConfig& a, const RunConfig& b)
{
    std::vector<SettingDifference> result;
    for (const Setting& setting : settings)
        if (const std::string x = setting.text(a), y = setting.text(b); x != y)
            result.push_back({std::string(setting.name), x, y});
    return result;
}

std::vector<SettingDifference> settingDifferences(const RunConfig& a, const RunConfig& b,
                                                  SettingKind kind)
{
    RunConfig other = a;
    for (const Setting& setting : settings)
        if (setting.kind == kind)
            setting.copy(b, other);
    return settingDifferences(a, other);
}

std::pair<RunConfig, RunConfig> comparedSettings(const Run& a, const Run& b)
{
    std::pair<RunConfig, RunConfig> result{a.settings, b.settings};
    const std::size_t common = std::min(a.steps.size(), b.steps.size());
    if (common > 0 && a.settings.sampling == b.settings.sampling) {
        result.first.sampling = a.steps[common - 1].sampling;
        result.second.sampling = b.steps[common - 1].sampling;
    }
    return result;
}

std::string settingsDigest(const RunConfig& config)
{
    Sha256 digest;
    for (const Setting& setting : settings)
        digest.addField(setting.name).addField(setting.text(config));
    return digest.hex();
}

} // namespace engine
