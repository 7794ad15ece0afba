#include "engine/decoding/SettingsCheck.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace engine {

namespace {

std::string shown(double value)
{
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value);
    return std::isnan(value) ? "NaN" : std::string(text, end.ptr);
}

Error outOfRange(const std::string& option, const std::string& expected, const std::string& found)
{
    return {ErrorCode::InvalidArgument, option + ": expected " + expected + ", found " + found};
}

bool isFraction(double value)
{
    return value >= 0 && value <= 1; // false for NaN
}

} // namespace

Result<Done> validate(const SamplingConfig& config)
{
    if (!std::isfinite(config.temperature) || config.temperature < 0)
        return outOfRange("temperature", "a number from 0 (greedy) up", shown(config.temperature));
    if (config.topK < 0)
        return outOfRange("top-k", "a whole number from 0 (off) up", std::to_string(config.topK));
    if (!isFraction(config.topP))
        return outOfRange("top-p", "a number from 0 to 1 (off)", shown(config.topP));
    if (!isFraction(config.minP))
        return outOfRange("min-p", "a number from 0 (off) to 1", shown(config.minP));
    if (!std::isfinite(config.repetitionPenalty) || config.repetitionPenalty <= 0)
        return outOfRange("repetition-penalty", "a number above 0, where 1 is off",
                          shown(config.repetitionPenalty));
    if (std::find(config.order.begin(), config.order.end(), SamplingStage::UnnamedIds) !=
        config.order.end())
        return outOfRange("order", "stages of the chain",
                          std::string(name(SamplingStage::UnnamedIds)) +
                              ", which always comes before them");
    for (auto stage = config.order.begin(); stage != config.order.end(); ++stage)
        if (std::find(config.order.begin(), stage, *stage) != stage)
            return outOfRange("order", "each stage once at most",
                              std::string(name(*stage)) + " twice");
    return Done{};
}

Result<Done> validate(const RunConfig& config)
{
    if (const auto valid = validate(config.sampling); !valid)
        return valid.error();
    if (config.maxNewTokens < 0)
        return outOfRange("max-new-tokens", "a whole number from 0 up",
                          std::to_string(config.maxNewTokens));
    if (config.topCandidates < 1)
        return outOfRange("top", "a whole number from 1 up", std::to_string(config.topCandidates));
    for (const std::string& text : config.stopTexts)
        if (text.empty())
            return outOfRange("stop", "a text of at least one byte", "an empty one");
    return Done{};
}

} // namespace engine
