#pragma once

#include <string_view>

namespace engine {

/// Names of the hyperparameters that every model has, in one file format. Where a name is empty the
/// format has no such field; where a fallback is 0 the field must be there.
struct ConfigNames
{
    std::string_view vocabularySize;
    std::string_view width;
    std::string_view layers;
    std::string_view heads;
    std::string_view kvHeads;
    std::string_view headDim;
    std::string_view feedForwardWidth;
    std::string_view contextLength;
    std::string_view rmsNormEpsilon;
    std::string_view layerNormEpsilon;
    std::string_view activation;
    std::string_view ropeTheta;
    std::string_view rotaryFraction; ///< of a head that turns; empty: the whole head
    std::string_view window;         ///< tokens that a sliding-window layer sees
    int feedForwardTimesWidth = 0;   ///< where feedForwardWidth is absent
    double ropeThetaFallback = 10000;
    double rotaryFractionFallback = 1;
    // Few files leave these out, those of Gemma 3 above all.
    int vocabularySizeFallback = 0;
    int headsFallback = 0;
    int kvHeadsFallback = 0; ///< 0: as many as heads
    int headDimFallback = 0; ///< 0: width / heads
    int contextLengthFallback = 0;
    int windowFallback = 0; ///< 0: none
    double normEpsilonFallback = 0;
};

/// Of GGUF files, behind the name of the architecture and a dot.
/// Source: the GGUF specification (ggml/docs/gguf.md).
extern const ConfigNames ggufConfig;

// Of config.json, after the architecture that had them first.
extern const ConfigNames llamaConfig;
extern const ConfigNames gpt2Config;
extern const ConfigNames gptNeoXConfig;
extern const ConfigNames gemma2Config;
extern const ConfigNames gemma3Config;
extern const ConfigNames phi3Config;
extern const ConfigNames qwen3Config;
extern const ConfigNames smolLm3Config;

} // namespace engine
