#include "app/commands/InspectText.h"

#include "app/commands/Command.h"
#include "engine/generation/ModelDescription.h"
#include "engine/tokenizer/Utf8.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <utility>

namespace app {

namespace {

using Json = nlohmann::ordered_json;

// ---------------------------------------------------------------- JSON

Json tokenJson(const engine::TokenPiece& piece)
{
    return {{"id", piece.id.value}, {"text", engine::toValidUtf8(piece.bytes)}};
}

Json textOrNull(const std::string& text)
{
    return text.empty() ? Json(nullptr) : Json(engine::toValidUtf8(text));
}

template <typename T>
void addIfSet(Json& json, const char* key, const std::optional<T>& value)
{
    if (value)
        json[key] = *value;
}

/// By the names of the settings in a trace.
Json samplingJson(const engine::SamplingDefaults& sampling)
{
    if (sampling.isEmpty())
        return nullptr;
    Json json = {{"origin", sampling.origin}};
    if (sampling.rule)
        json["decoding"] = engine::name(*sampling.rule);
    addIfSet(json, "temperature", sampling.temperature);
    addIfSet(json, "top_k", sampling.topK);
    addIfSet(json, "top_p", sampling.topP);
    addIfSet(json, "min_p", sampling.minP);
    addIfSet(json, "repetition_penalty", sampling.repetitionPenalty);
    return json;
}

void addTokenizer(Json& json, const engine::ModelDescription& model)
{
    const auto& tokenizer = model.tokenizer();
    const engine::ModelNotes& notes = model.notes();
    json["tokenizer"] = tokenizer ? Json(tokenizer->kind) : Json(nullptr);
    if (!tokenizer)
        json["tokenizer_missing"] = engine::toValidUtf8(model.tokenizerFault());
    json["special_tokens"] = Json::array();
    if (tokenizer)
        for (const engine::NamedToken& token : tokenizer->specialTokens) {
            Json entry = tokenJson(token.piece);
            entry["role"] = token.role;
            json["special_tokens"].push_back(std::move(entry));
        }
    json["stop_tokens"] = Json::array();
    for (const engine::StopToken& token : notes.stopTokens) {
        Json entry = tokenJson(token.piece);
        entry["origin"] = token.origin;
        json["stop_tokens"].push_back(std::move(entry));
    }
    json["adds_bos"] = tokenizer ? Json(tokenizer->addsBos) : Json(nullptr);
    json["adds_eos"] = tokenizer ? Json(tokenizer->addsEos) : Json(nullptr);
    json["chat_template"] = textOrNull(tokenizer ? tokenizer->chatTemplate : "");
    json["chat_usable"] = notes.chat.usable;
    json["chat_unusable"] = textOrNull(notes.chat.reason);
}

// ---------------------------------------------------------------- text

std::string decimals(const char* format, double value)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), format, value);
    return text.data();
}

/// "4308992 (4.3 million)"
std::string countText(std::int64_t count)
{
    constexpr std::array<std::pair<double, const char*>, 3> units = {
        {{1e12, "trillion"}, {1e9, "billion"}, {1e6, "million"}}};
    std::string text = std::to_string(count);
    for (const auto& [size, name] : units)
        if (static_cast<double>(count) >= size)
            return text + " (" + decimals("%.1f", static_cast<double>(count) / size) + " " + name +
                   ")";
    return text;
}

/// "8617984 (8.6 MB)"
std::string sizeText(std::uint64_t bytes)
{
    constexpr std::array<std::pair<double, const char*>, 3> units = {
        {{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}}};
    const std::string text = std::to_string(bytes) + " bytes";
    for (const auto& [size, name] : units)
        if (static_cast<double>(bytes) >= size)
            return text + " (" + decimals("%.1f", static_cast<double>(bytes) / size) + " " + name +
                   ")";
    return text;
}

std::string tokenText(const engine::TokenPiece& piece)
{
    return std::to_string(piece.id.value) + " " + printable(piece.bytes);
}

std::string chatText(const engine::ChatSupport& chat, bool hasTemplate)
{
    if (!hasTemplate)
        return "none";
    return chat.usable ? "yes (--format json shows it)" : "not usable: " + printable(chat.reason);
}

class Lines
{
public:
    void add(std::string label, const std::string& value)
    {
        constexpr std::size_t width = 20;
        label.resize(std::max(label.size() + 1, width), ' ');
        m_text += label + value + "\n";
    }
    std::string take() { return std::move(m_text); }

private:
    std::string m_text;
};

void addTokenizer(Lines& lines, const engine::ModelDescription& model)
{
    const engine::ModelNotes& notes = model.notes();
    const auto& tokenizer = model.tokenizer();
    if (!tokenizer) {
        lines.add("tokenizer",
                  "none, so the model cannot be run: " + printable(model.tokenizerFault()));
        return;
    }
    lines.add("tokenizer", tokenizer->kind);
    for (const engine::NamedToken& token : tokenizer->specialTokens)
        lines.add("  " + token.role, tokenText(token.piece));
    lines.add("adds BOS", tokenizer->addsBos ? "yes" : "no");
    lines.add("adds EOS", tokenizer->addsEos ? "yes" : "no");
    if (notes.stopTokens.empty())
        lines.add("stop tokens", "none");
    for (std::size_t i = 0; i < notes.stopTokens.size(); ++i)
        lines.add(i == 0 ? "stop tokens" : "",
                  tokenText(notes.stopTokens[i].piece) + " (" + notes.stopTokens[i].origin + ")");
    lines.add("chat template", chatText(notes.chat, !tokenizer->chatTemplate.empty()));
}

void addSampling(Lines& lines, const engine::SamplingDefaults& sampling)
{
    if (sampling.isEmpty()) {
        lines.add("suggested decoding", "none");
        return;
    }
    std::string text;
    const Json values = samplingJson(sampling);
    for (auto value = values.begin(); value != values.end(); ++value) {
        std::string name = value.key();
        std::replace(name.begin(), name.end(), '_', '-');
        if (name == "decoding")
            text += (text.empty() ? "" : ", ") + value->get<std::string>();
        else if (name != "origin")
            text += (text.empty() ? "" : ", ") + name + " " + value->dump();
    }
    lines.add("suggested decoding", text + " (" + sampling.origin + "; not applied by itself)");
}

} // namespace

std::string inspectJson(const engine::ModelDescription& model, const std::string& sha256)
{
    const engine::ModelInfo& info = model.info();
    Json json;
    json["name"] = engine::toValidUtf8(info.name);
    json["architecture"] = info.architecture;
    json["parameters"] = info.parameters;
    json["file_bytes"] = model.notes().fileBytes;
    json["bits_per_weight"] = info.bitsPerWeight;
    json["quantization"] = info.quantization;
    json["tensor_types"] = Json(info.tensorTypes);
    json["layers"] = info.layers;
    json["width"] = info.width;
    json["heads"] = info.heads;
    json["kv_heads"] = info.kvHeads;
    json["context_length"] = info.contextLength;
    json["vocabulary"] = info.vocabularySize;
    addTokenizer(json, model);
    json["sampling_defaults"] = samplingJson(model.notes().sampling);
    json["warnings"] = Json::array();
    for (const std::string& warning : model.notes().warnings)
        json["warnings"].push_back(engine::toValidUtf8(warning));
    json["model_sha256"] = sha256;
    json["tokenizer_sha256"] = textOrNull(model.tokenizer() ? model.tokenizer()->sha256 : "");
    return json.dump(2) + "\n";
}

std::string inspectText(const engine::ModelDescription& model, const std::string& sha256)
{
    const engine::ModelInfo& info = model.info();
    std::string types;
    for (const auto& [type, count] : info.tensorTypes)
        types += (types.empty() ? "" : ", ") + type + " × " + std::to_string(count);
    Lines lines;
    lines.add("name", printable(info.name));
    lines.add("architecture", printable(info.architecture));
    lines.add("parameters", countText(info.parameters));
    lines.add("file size", sizeText(model.notes().fileBytes));
    lines.add("bits per weight", decimals("%.2f", info.bitsPerWeight));
    lines.add("quantization", info.quantization);
    lines.add("tensor types", types);
    lines.add("layers", std::to_string(info.layers));
    lines.add("width", std::to_string(info.width));
    lines.add("heads", std::to_string(info.heads));
    lines.add("key-value heads", std::to_string(info.kvHeads));
    lines.add("context length", std::to_string(info.contextLength));
    lines.add("vocabulary", std::to_string(info.vocabularySize));
    addTokenizer(lines, model);
    addSampling(lines, model.notes().sampling);
    for (const std::string& warning : model.notes().warnings)
        lines.add("warning", printable(warning));
    lines.add("model SHA-256", sha256);
    lines.add("tokenizer SHA-256", model.tokenizer() ? model.tokenizer()->sha256 : "none");
    return lines.take();
}

} // namespace app
