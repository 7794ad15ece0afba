#include "engine/generation/SamplingDefaultsFile.h"

#include "engine/io/FileError.h"
#include "engine/io/GgufFile.h"
#include "engine/io/Json.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace engine {

namespace {

/// What may stand for a setting.
struct Range
{
    double least;
    double greatest;
    const char* words;
};

constexpr double largest = std::numeric_limits<double>::max();
constexpr Range temperatureRange{0, largest, "a number from 0 up"};
constexpr Range shareRange{0, 1, "a number from 0 to 1"};
constexpr Range penaltyRange{std::numeric_limits<double>::min(), largest, "a number above 0"};
constexpr Range countRange{0, 0x1p53, "a whole number from 0 up"};

/// A value out of a file, however the file writes it.
struct Found
{
    std::optional<double> number; ///< nothing: it is no number
    std::string shown;            ///< for a message
};

/// A number stored as float32 is meant as the shortest decimal that gives it: 0.95, not
/// 0.949999988079071.
double asWritten(double value)
{
    const auto narrow = static_cast<float>(value);
    if (static_cast<double>(narrow) != value)
        return value;
    std::array<char, 64> text;
    const auto [end, fault] = std::to_chars(text.data(), text.data() + text.size(), narrow);
    double shortest = value;
    if (fault == std::errc())
        std::from_chars(text.data(), end, shortest);
    return shortest;
}

std::string shown(double value)
{
    std::array<char, 64> text;
    const auto [end, fault] = std::to_chars(text.data(), text.data() + text.size(), value);
    return fault == std::errc() ? std::string(text.data(), end) : "a number";
}

/// Takes values that make sense and warns of the others.
class Collector
{
public:
    explicit Collector(std::string file) : m_file(std::move(file)) {}

    std::optional<double> number(const std::string& key, const std::optional<Found>& found,
                                 const Range& range)
    {
        if (!found)
            return std::nullopt;
        const bool fits = found->number && std::isfinite(*found->number) &&
                          *found->number >= range.least && *found->number <= range.greatest;
        if (fits)
            return found->number;
        warn(key, range.words, found->shown);
        return std::nullopt;
    }

    std::optional<std::int64_t> count(const std::string& key, const std::optional<Found>& found)
    {
        const auto value = number(key, found, countRange);
        if (!value)
            return std::nullopt;
        if (std::trunc(*value) == *value)
            return static_cast<std::int64_t>(*value);
        warn(key, countRange.words, found->shown);
        return std::nullopt;
    }

    void warn(const std::string& key, const std::string& expected, const std::string& found)
    {
        m_warnings.push_back(m_file + ": " + key + ": expected " + expected + ", found " + found +
                             "; this setting is not offered");
    }

    std::vector<std::string> takeWarnings() { return std::move(m_warnings); }

private:
    std::string m_file;
    std::vector<std::string> m_warnings;
};

std::optional<Found> inGguf(const GgufFile& file, const std::string& key)
{
    if (file.find(key) == nullptr)
        return std::nullopt;
    const auto value = file.number(key);
    return value ? Found{asWritten(*value), shown(asWritten(*value))}
                 : Found{std::nullopt, "something else"};
}

std::optional<Found> inJson(JsonValue root, const char* key)
{
    const JsonValue value = root[key];
    if (value.isMissing() || value.isNull())
        return std::nullopt;
    if (const auto number = value.number())
        return Found{number, shown(*number)};
    if (const auto text = value.string())
        return Found{std::nullopt, std::string("\"").append(printable(*text)).append("\"")};
    return Found{std::nullopt, "something else"};
}

} // namespace

SuggestedSampling suggestedSampling(const GgufFile& file)
{
    SuggestedSampling result;
    SamplingDefaults& defaults = result.defaults;
    Collector collector(file.path().filename().string());
    const auto number = [&](const char* name, const Range& range) {
        const std::string key = std::string("general.sampling.") + name;
        return collector.number(key, inGguf(file, key), range);
    };
    defaults.temperature = number("temp", temperatureRange);
    const std::string topK = "general.sampling.top_k";
    defaults.topK = collector.count(topK, inGguf(file, topK));
    defaults.topP = number("top_p", shareRange);
    defaults.minP = number("min_p", shareRange);
    defaults.repetitionPenalty = number("penalty_repeat", penaltyRange);
    if (!defaults.isEmpty())
        defaults.origin = "GGUF general.sampling";
    result.warnings = collector.takeWarnings();
    return result;
}

Result<SuggestedSampling> suggestedSampling(const std::filesystem::path& folder)
{
    const char* const name = "generation_config.json";
    SuggestedSampling result;
    std::error_code ignored;
    if (!std::filesystem::exists(folder / name, ignored))
        return result;
    const auto document = JsonDocument::read(folder / name);
    if (!document)
        return document.error();
    const JsonValue root = document->root();
    SamplingDefaults& defaults = result.defaults;
    Collector collector(name);
    const JsonValue samples = root["do_sample"];
    if (const auto value = samples.boolean())
        defaults.rule = *value ? DecodingRule::Sample : DecodingRule::Greedy;
    else if (!samples.isMissing() && !samples.isNull())
        collector.warn("do_sample", "true or false", "something else");
    const auto number = [&](const char* key, const Range& range) {
        return collector.number(key, inJson(root, key), range);
    };
    defaults.temperature = number("temperature", temperatureRange);
    defaults.topK = collector.count("top_k", inJson(root, "top_k"));
    defaults.topP = number("top_p", shareRange);
    defaults.minP = number("min_p", shareRange);
    defaults.repetitionPenalty = number("repetition_penalty", penaltyRange);
    if (!defaults.isEmpty())
        defaults.origin = name;
    result.warnings = collector.takeWarnings();
    return result;
}

} // namespace engine
