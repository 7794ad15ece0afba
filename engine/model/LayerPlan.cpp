#include "engine/model/LayerPlan.h"

#include "engine/io/FileError.h"
#include "engine/model/ModelConfig.h"
#include "engine/model/RopeConfig.h"

#include <algorithm>

namespace engine {

namespace {

/// Whether each layer sees a window only; a window of 0 tokens: none of them.
struct Windows
{
    int size = 0;
    std::vector<bool> layers;
};

std::vector<bool> byPeriod(int layers, std::int64_t period)
{
    std::vector<bool> windowed;
    for (int i = 0; i < layers; ++i)
        windowed.push_back(period == 0 || (i + 1) % period != 0);
    return windowed;
}

/// A number says the period, a list whether each layer has a window.
Windows ggufWindows(ConfigFields& fields, const ConfigNames& names, const ModelConfig& config)
{
    Windows windows;
    const std::string_view key = "attention.sliding_window_pattern";
    const std::optional<std::vector<double>> list = fields.numbers(key);
    const std::int64_t period = fields.integer(key).value_or(config.architecture->windowPeriod);
    windows.size = config.architecture->configNames->windowFallback;
    if (fields.has(names.window))
        windows.size = fields.integer(names.window) == 0 ? 0 : fields.size(names.window);
    if (list && list->size() != static_cast<std::size_t>(config.layers)) {
        fields.refuse(ErrorCode::BadFormat, key,
                      "expected a value for each of the " + std::to_string(config.layers) +
                          " layers, found " + std::to_string(list->size()));
    } else if (list) {
        for (const double value : *list)
            windows.layers.push_back(value != 0);
    } else if (period < 0 || (fields.has(key) && !fields.integer(key))) {
        fields.refuse(ErrorCode::BadFormat, key, "expected a period or a list");
    } else {
        windows.layers = byPeriod(config.layers, period);
    }
    return windows;
}

/// Newer files name the kind of each layer.
std::optional<std::vector<bool>> layerTypes(ConfigFields& fields, const ModelConfig& config)
{
    if (!fields.has("layer_types"))
        return std::nullopt;
    const std::vector<std::string_view> types = fields.texts("layer_types");
    std::vector<bool> windowed;
    for (const std::string_view type : types) {
        if (type != "full_attention" && type != "sliding_attention")
            fields.refuse(ErrorCode::UnsupportedFeature, "layer_types",
                          "attention \"" + printable(type) +
                              "\" is not supported (supported: full_attention, "
                              "sliding_attention)");
        windowed.push_back(type == "sliding_attention");
    }
    if (types.size() != static_cast<std::size_t>(config.layers))
        fields.refuse(ErrorCode::BadFormat, "layer_types",
                      "expected one for each of the " + std::to_string(config.layers) +
                          " layers, found " + std::to_string(types.size()));
    return windowed;
}

Windows jsonWindows(ConfigFields& fields, const ConfigNames& names, const ModelConfig& config)
{
    Windows windows;
    const std::optional<std::vector<bool>> types = layerTypes(fields, config);
    const auto& always = config.architecture->windowedTypes;
    const std::optional<std::string_view> modelType = fields.text("model_type");
    const bool byItself = modelType
                              ? std::find(always.begin(), always.end(), *modelType) != always.end()
                              : !always.empty(); // the text part of a larger model
    const bool switchedOn = fields.boolean("use_sliding_window", false);
    if (!fields.boolean("use_sliding_window", byItself)) {
        if (types && !fields.has("use_sliding_window") &&
            std::find(types->begin(), types->end(), true) != types->end())
            fields.refuse(ErrorCode::UnsupportedFeature, "layer_types",
                          "layers with a sliding window are not supported for model_type " +
                              printable(modelType.value_or("")));
        return windows;
    }
    if (!fields.isNull(names.window)) // null: switched off
        windows.size = names.windowFallback > 0   ? fields.size(names.window, names.windowFallback)
                       : fields.has(names.window) ? fields.size(names.window)
                                                  : 0;
    if (types) {
        windows.layers = *types;
    } else if (switchedOn && always.empty()) { // the layers from max_window_layers on
        const std::optional<std::int64_t> first = fields.integer("max_window_layers");
        for (int i = 0; i < config.layers; ++i)
            windows.layers.push_back(i >= first.value_or(28));
    } else {
        const int period = config.architecture->windowPeriod;
        const std::optional<std::int64_t> given = fields.has("sliding_window_pattern")
                                                      ? fields.integer("sliding_window_pattern")
                                                      : fields.integer("_sliding_window_pattern");
        windows.layers = byPeriod(config.layers, std::max<std::int64_t>(0, given.value_or(period)));
    }
    return windows;
}

} // namespace

void planLayers(ConfigFields& fields, const ConfigNames& names, const RopeConfig& rope,
                ModelConfig& config)
{
    config.plan.assign(static_cast<std::size_t>(config.layers), LayerPlan());
    Windows windows =
        fields.isGguf() ? ggufWindows(fields, names, config) : jsonWindows(fields, names, config);
    const WindowedRope kind = config.architecture->windowedRope;
    if (kind != WindowedRope::OwnBase && rope.windowedGiven && rope.windowedTheta != rope.theta)
        fields.refuse(ErrorCode::UnsupportedFeature, "rope_parameters",
                      "a rope_theta of their own of layers with a window is not supported here");
    if (fields.error())
        return;
    if (config.architecture->rotary) {
        config.ropes.push_back(makeRope(rope.theta, rope.rotaryDim, rope.scaling));
        applyRopeFactors(fields, config.ropes.front().frequencies);
        if (rope.scaling.kind == RopeScaling::Kind::LongRope)
            config.shortContext = static_cast<int>(rope.scaling.originalContext);
    }
    if (windows.size == 0)
        return;
    if (config.architecture->rotary && kind != WindowedRope::AsOthers)
        config.ropes.push_back(
            makeRope(kind == WindowedRope::OwnBase ? rope.windowedTheta : rope.theta,
                     rope.rotaryDim, RopeScaling()));
    for (std::size_t i = 0; i < config.plan.size(); ++i) {
        if (!windows.layers[i])
            continue;
        // One as long as the context hides nothing.
        config.plan[i].window = windows.size < config.contextLength ? windows.size : 0;
        config.plan[i].rope = static_cast<int>(config.ropes.size()) - 1;
    }
}

} // namespace engine
