#include "engine/model/ConfigFields.h"
#include "engine/model/ModelConfig.h"
#include "engine/model/architectures/Details.h"

#include <cmath>

namespace engine {

namespace {

/// The bound of a soft-cap; 0: none. A null in config.json switches off what is on by default.
double softCap(ConfigFields& fields, const char* key, double fallback)
{
    if (fields.isNull(key) || fields.number(key) == 0.0)
        return 0;
    return fallback > 0      ? fields.positive(key, fallback)
           : fields.has(key) ? fields.positive(key)
                             : 0;
}

/// Scores are scaled by 1 / sqrt(query_pre_attn_scalar). GGUF files do not carry it: it is the head
/// size in all published models but the largest of each generation, which is told by its layers.
/// Source: google/gemma_pytorch, gemma/config.py.
void readScale(ConfigFields& fields, ModelConfig& config, int layersOfLargest)
{
    double scalar = config.headDim;
    if (!fields.isGguf())
        scalar = fields.positive("query_pre_attn_scalar", 256);
    else if (config.layers == layersOfLargest)
        scalar = static_cast<double>(config.width) / config.heads;
    config.attentionScale = 1 / std::sqrt(scalar);
}

} // namespace

void readGemma2Details(ConfigFields& fields, ModelConfig& config)
{
    readScale(fields, config, 46);
    config.attentionSoftCap = softCap(fields, "attn_logit_softcapping", 50);
    config.logitSoftCap = softCap(fields, "final_logit_softcapping", 30);
}

void readGemma3Details(ConfigFields& fields, ModelConfig& config)
{
    readScale(fields, config, 62);
    config.attentionSoftCap = softCap(fields, "attn_logit_softcapping", 0);
    config.logitSoftCap = softCap(fields, "final_logit_softcapping", 0);
}

} // namespace engine
