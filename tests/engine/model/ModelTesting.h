#pragma once

#include "engine/model/ForwardState.h"
#include "engine/model/ModelFile.h"
#include "engine/model/Transformer.h"

#include <QtTest/QTest>

#include <cstring>
#include <filesystem>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace tests {

inline std::filesystem::path modelData(const std::string& name)
{
    return std::filesystem::path(TOKENSCOPE_TEST_DATA) / "models" / name;
}

/// Ends the test program where the model does not open.
inline engine::Transformer openTransformer(const std::filesystem::path& path)
{
    engine::Result<engine::ModelFile> file = engine::openModel(path);
    if (!file)
        qFatal("%s", file.error().message.c_str());
    return engine::Transformer(std::move(file->config), std::move(file->weights));
}

inline std::vector<engine::TokenId> tokens(std::span<const int> ids)
{
    std::vector<engine::TokenId> result;
    for (const int id : ids)
        result.push_back(engine::TokenId{id});
    return result;
}

/// Any ids of the vocabulary, the same every time.
inline std::vector<engine::TokenId> someTokens(const engine::Transformer& model, int count)
{
    std::vector<engine::TokenId> result;
    for (int i = 0; i < count; ++i)
        result.push_back(engine::TokenId{(i * i * 7 + 3 * i + 1) % model.config().vocabularySize});
    return result;
}

/// Ends the test program on an error.
inline std::vector<float> forward(const engine::Transformer& model,
                                  std::span<const engine::TokenId> ids, engine::ForwardState& state)
{
    engine::Result<std::vector<float>> logits = model.forward(ids, state, std::stop_token());
    if (!logits)
        qFatal("%s", logits.error().message.c_str());
    return std::move(*logits);
}

inline bool equalToTheBit(const std::vector<float>& a, const std::vector<float>& b)
{
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

} // namespace tests
