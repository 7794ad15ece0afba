#pragma once

#include "engine/model/ModelConfig.h"
#include "tests/support/ModelWriters.h"

#include <QTemporaryDir>
#include <QtTest/QTest>

#include <string>
#include <vector>

namespace tests {

inline engine::Result<engine::ModelConfig> configFromJson(const std::string& text)
{
    const engine::Result<engine::JsonDocument> document =
        engine::JsonDocument::parse(text, "config.json");
    if (!document)
        return document.error();
    return engine::ModelConfig::read(document->root(), "some/config.json");
}

/// tinyLlamaConfig with more fields, which win over those that are there.
inline std::string configWith(const std::string& fields)
{
    std::string config = tinyLlamaConfig();
    // simdjson gives the first of two equal keys, so the new ones go in front.
    return "{" + fields + ", " + config.substr(1);
}

/// The sizes of tinyLlamaMetadata under the keys of another architecture.
inline GgufWriter metadataOf(const std::string& architecture, std::uint32_t layers = 2)
{
    GgufWriter writer;
    const std::string prefix = architecture + ".";
    writer.text("general.architecture", architecture)
        .text("general.name", "tiny")
        .integer(prefix + "block_count", layers)
        .integer(prefix + "context_length", 32)
        .integer(prefix + "embedding_length", 8)
        .integer(prefix + "feed_forward_length", 12)
        .integer(prefix + "attention.head_count", 2)
        .real(prefix + "attention.layer_norm_rms_epsilon", 1e-5F)
        .real(prefix + "attention.layer_norm_epsilon", 1e-5F);
    return writer;
}

/// Reads a file of this metadata and an embedding.
inline engine::Result<engine::ModelConfig> configFromGguf(GgufWriter writer)
{
    const QTemporaryDir folder;
    const std::vector<float> embedding(16 * 8, 0.5F);
    writer.tensor("token_embd.weight", {16, 8}, GgufWriter::F32, floatBytes(embedding));
    const std::filesystem::path path =
        std::filesystem::path(folder.path().toStdString()) / "test.gguf";
    writeFile(path, writer.bytes());
    const engine::Result<engine::GgufFile> file = engine::GgufFile::open(path);
    if (!file)
        return file.error();
    return engine::ModelConfig::read(*file);
}

/// Fails the test unless the reading was refused with this code and these words.
inline void verifyRefused(const engine::Result<engine::ModelConfig>& read, engine::ErrorCode code,
                          const QString& words)
{
    QVERIFY2(!read, "it was read");
    const QString message = QString::fromStdString(read.error().message);
    QVERIFY2(message.contains(words), qPrintable(message));
    QVERIFY2(message.contains(QStringLiteral("some/config.json")) ||
                 message.contains(QStringLiteral("test.gguf")),
             qPrintable(message));
    QCOMPARE(read.error().code, code);
}

/// One number for each layer of the plan.
inline std::vector<int> windowsOf(const engine::ModelConfig& config)
{
    std::vector<int> windows;
    for (const engine::LayerPlan& layer : config.plan)
        windows.push_back(layer.window);
    return windows;
}

inline std::vector<int> ropesOf(const engine::ModelConfig& config)
{
    std::vector<int> ropes;
    for (const engine::LayerPlan& layer : config.plan)
        ropes.push_back(layer.rope);
    return ropes;
}

} // namespace tests
