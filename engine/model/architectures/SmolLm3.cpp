#include "engine/model/ConfigFields.h"
#include "engine/model/ModelConfig.h"
#include "engine/model/architectures/Details.h"

#include <string>

namespace engine {

/// Layers whose heads do not turn: every fourth in GGUF files, which do not say; config.json may
/// give another interval, or list 1 for each layer that turns and 0 for each that does not.
/// Source: Yang et al. 2025 (arXiv:2501.18795).
void readSmolLm3Details(ConfigFields& fields, ModelConfig& config)
{
    if (fields.boolean("use_sliding_window", false) && !fields.has("layer_types"))
        fields.refuse(ErrorCode::UnsupportedFeature, "use_sliding_window",
                      "a sliding window without layer_types is not supported");
    const int interval = fields.isGguf() ? 4 : fields.size("no_rope_layer_interval", 4);
    const std::optional<std::vector<double>> turning = fields.numbers("no_rope_layers");
    if (turning && turning->size() != config.plan.size()) {
        fields.refuse(ErrorCode::BadFormat, "no_rope_layers",
                      "expected a number for each of the " + std::to_string(config.plan.size()) +
                          " layers, found " + std::to_string(turning->size()));
        return;
    }
    for (std::size_t i = 0; i < config.plan.size(); ++i) {
        const bool turns =
            turning ? (*turning)[i] != 0 : (i + 1) % static_cast<std::size_t>(interval) != 0;
        if (!turns)
            config.plan[i].rope = LayerPlan::noRope;
    }
}

} // namespace engine
