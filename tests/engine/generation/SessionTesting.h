#pragma once

#include "engine/generation/GenerationSession.h"
#include "engine/generation/LanguageModel.h"
#include "engine/generation/StepCompare.h"
#include "engine/io/Json.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

// What the tests of sessions share: the bundled model, the reference values beside it, and short
// ways to make runs. A step that fails where a test expects none ends the test by an exception,
// which Qt Test reports with its words.

namespace testing {

inline std::filesystem::path modelFolder()
{
    return std::filesystem::path(TOKENSCOPE_RESOURCES) / "model";
}

inline std::shared_ptr<const engine::LanguageModel> bundledModel()
{
    static const auto model = engine::LanguageModel::load(modelFolder());
    if (!model)
        throw std::runtime_error(model.error().message);
    return *model;
}

template <typename T>
T need(engine::Result<T> result)
{
    if (!result)
        throw std::runtime_error(result.error().message);
    return std::move(*result);
}

struct ReferenceItem
{
    std::string prompt;
    std::vector<engine::TokenId> ids;
    struct Top
    {
        engine::TokenId id;
        double probability = 0;
    };
    std::vector<Top> top;
    std::vector<engine::TokenId> greedy;
    std::string greedyText;
};

/// reference.json, written by reference_forward.py beside it: the same model in NumPy, float64.
inline std::vector<ReferenceItem> referenceItems()
{
    const auto document = need(engine::JsonDocument::read(modelFolder() / "reference.json"));
    std::vector<ReferenceItem> items;
    const auto id = [](engine::JsonValue value) {
        return engine::TokenId{static_cast<std::int32_t>(value.integer().value())};
    };
    document.root()["items"].forEachElement([&](engine::JsonValue value) {
        ReferenceItem item;
        item.prompt = value["prompt"].string().value();
        value["ids"].forEachElement([&](engine::JsonValue v) { item.ids.push_back(id(v)); });
        value["top10"].forEachElement([&](engine::JsonValue v) {
            item.top.push_back({id(v["id"]), v["probability"].number().value()});
        });
        value["greedy25"].forEachElement(
            [&](engine::JsonValue v) { item.greedy.push_back(id(v)); });
        item.greedyText = value["greedy25_text"].string().value();
        items.push_back(std::move(item));
    });
    return items;
}

inline engine::GenerationSession start(const engine::Prompt& prompt,
                                       const engine::RunConfig& config = {}, int threads = 1)
{
    return need(engine::GenerationSession::start(bundledModel(), prompt, config, threads));
}

/// Makes `count` steps, or fewer where the run stops.
inline void advance(engine::GenerationSession& session, int count)
{
    for (int i = 0; i < count && !session.stopReason(); ++i)
        need(session.step({}));
}

inline engine::SamplingConfig sampling(std::uint64_t seed, double temperature = 1.0)
{
    engine::SamplingConfig config;
    config.rule = engine::DecodingRule::Sample;
    config.temperature = temperature;
    config.seed = seed;
    return config;
}

inline engine::RunConfig sampled(std::uint64_t seed, double temperature = 1.0)
{
    engine::RunConfig config;
    config.sampling = sampling(seed, temperature);
    return config;
}

inline std::vector<engine::TokenId> picks(const engine::Run& run)
{
    std::vector<engine::TokenId> ids;
    for (const engine::Step& step : run.steps)
        ids.push_back(step.picked);
    return ids;
}

/// Every value of the steps and of what became of the run, but for the timings.
inline bool sameOutcome(const engine::Run& a, const engine::Run& b)
{
    return a.steps.size() == b.steps.size() && a.stop == b.stop && a.output == b.output &&
           a.outputBytes == b.outputBytes && a.context == b.context &&
           !engine::firstStepWhere(a, b, [](const engine::Step& x, const engine::Step& y) {
               return !engine::equalButTimings(x, y);
           });
}

} // namespace testing
