#include "engine/model/Architecture.h"

#include "engine/model/architectures/Details.h"

#include <algorithm>
#include <array>

namespace engine {

namespace {

const std::array architectures = {
    // Radford et al. 2019, "Language Models are Unsupervised Multitask Learners".
    Architecture{.name = "gpt2",
                 .modelTypes = {"gpt2"},
                 .norm = NormKind::Layer,
                 .activation = Activation::GeluTanh,
                 .gated = false,
                 .biases = RequiredBiases::All,
                 .rotary = false,
                 .fusedQkv = true,
                 .huggingFaceNames = &gpt2Names,
                 .configNames = &gpt2Config},
    // Touvron et al. 2023 (arXiv:2302.13971, arXiv:2307.09288), Dubey et al. 2024
    // (arXiv:2407.21783); Mistral is Jiang et al. 2023 (arXiv:2310.06825).
    Architecture{.name = "llama",
                 .modelTypes = {"llama", "mistral"},
                 .windowedTypes = {"mistral"},
                 .ggufPairs = RopePairs::Adjacent},
    // Black et al. 2022 (arXiv:2204.06745); Pythia is Biderman et al. 2023 (arXiv:2304.01373).
    Architecture{.name = "gptneox",
                 .modelTypes = {"gpt_neox"},
                 .norm = NormKind::Layer,
                 .activation = Activation::GeluErf,
                 .gated = false,
                 .biases = RequiredBiases::All,
                 .fusedQkv = true,
                 .huggingFaceQkv = QkvOrder::PerHead,
                 .huggingFaceNames = &gptNeoXNames,
                 .configNames = &gptNeoXConfig,
                 .readDetails = readGptNeoXDetails},
    // Yang et al. 2024 (arXiv:2407.10671).
    Architecture{.name = "qwen2", .modelTypes = {"qwen2"}, .biases = RequiredBiases::Qkv},
    // Yang et al. 2025 (arXiv:2505.09388).
    Architecture{.name = "qwen3",
                 .modelTypes = {"qwen3"},
                 .qkNorm = QkNorm::PerHead,
                 .configNames = &qwen3Config},
    // Gemma Team 2024 (arXiv:2408.00118).
    Architecture{.name = "gemma2",
                 .modelTypes = {"gemma2"},
                 .normPlacement = NormPlacement::BeforeAndAfter,
                 .activation = Activation::GeluTanh,
                 .scaledEmbedding = true,
                 .windowPeriod = 2,
                 .windowedTypes = {"gemma2"},
                 .huggingFaceNames = &gemmaNames,
                 .configNames = &gemma2Config,
                 .readDetails = readGemma2Details},
    // Gemma Team 2025 (arXiv:2503.19786).
    Architecture{.name = "gemma3",
                 .modelTypes = {"gemma3_text", "gemma3"},
                 .normPlacement = NormPlacement::BeforeAndAfter,
                 .activation = Activation::GeluTanh,
                 .qkNorm = QkNorm::PerHead,
                 .scaledEmbedding = true,
                 .windowPeriod = 6,
                 .windowedTypes = {"gemma3_text", "gemma3"},
                 .windowedRope = WindowedRope::OwnBase,
                 .huggingFaceNames = &gemmaNames,
                 .configNames = &gemma3Config,
                 .readDetails = readGemma3Details},
    // Abdin et al. 2024 (arXiv:2404.14219).
    Architecture{.name = "phi3",
                 .modelTypes = {"phi3"},
                 .fusedQkv = true,
                 .fusedGateUp = true,
                 .windowedTypes = {"phi3"},
                 .huggingFaceNames = &phi3Names,
                 .configNames = &phi3Config},
    // OLMo Team 2025 (arXiv:2501.00656); Olmo 3 adds layers with a window.
    Architecture{.name = "olmo2",
                 .modelTypes = {"olmo2", "olmo3"},
                 .normPlacement = NormPlacement::After,
                 .qkNorm = QkNorm::FullWidth,
                 .windowPeriod = 4,
                 .windowedTypes = {"olmo3"},
                 .windowedRope = WindowedRope::Unscaled,
                 .huggingFaceNames = &olmo2Names},
    // Bakouch et al. 2025, "SmolLM3: smol, multilingual, long-context reasoner".
    Architecture{.name = "smollm3",
                 .modelTypes = {"smollm3"},
                 .ggufPairs = RopePairs::Adjacent,
                 .configNames = &smolLm3Config,
                 .readDetails = readSmolLm3Details},
};

} // namespace

const Architecture* findByGgufName(std::string_view name)
{
    const auto* found =
        std::find_if(architectures.begin(), architectures.end(),
                     [&](const Architecture& architecture) { return architecture.name == name; });
    return found == architectures.end() ? nullptr : found;
}

const Architecture* findByModelType(std::string_view modelType)
{
    for (const Architecture& architecture : architectures)
        if (std::count(architecture.modelTypes.begin(), architecture.modelTypes.end(), modelType))
            return &architecture;
    return nullptr;
}

std::string knownGgufNames()
{
    std::string names;
    for (const Architecture& architecture : architectures)
        names += (names.empty() ? "" : ", ") + std::string(architecture.name);
    return names;
}

std::string knownModelTypes()
{
    std::string names;
    for (const Architecture& architecture : architectures)
        for (const std::string_view type : architecture.modelTypes)
            names += (names.empty() ? "" : ", ") + std::string(type);
    return names;
}

} // namespace engine
