#include "engine/generation/InputCompare.h"

#include <algorithm>

namespace engine {

bool sameIds(const StartingContext& a, const StartingContext& b)
{
    return std::equal(
        a.tokens.begin(), a.tokens.end(), b.tokens.begin(), b.tokens.end(),
        [](const ContextToken& x, const ContextToken& y) { return x.piece.id == y.piece.id; });
}

bool sameModel(const ModelInfo& a, const ModelInfo& b)
{
    if (!a.sha256.empty() && !b.sha256.empty())
        return a.sha256 == b.sha256;
    return a.name == b.name && a.architecture == b.architecture && a.parameters == b.parameters &&
           a.quantization == b.quantization && a.vocabularySize == b.vocabularySize &&
           a.contextLength == b.contextLength;
}

bool sameTokenizer(const TokenizerInfo& a, const TokenizerInfo& b)
{
    if (!a.sha256.empty() && !b.sha256.empty())
        return a.sha256 == b.sha256;
    return a.kind == b.kind && a.vocabularySize == b.vocabularySize;
}

} // namespace engine
