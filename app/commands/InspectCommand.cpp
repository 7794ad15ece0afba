#include "app/commands/Command.h"
#include "engine/generation/LanguageModel.h"
#include "engine/tokenizer/Tokenizer.h"
#include "engine/tokenizer/Utf8.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace app {

namespace {

struct Options
{
    ModelOptions model;
    std::string format = "text";
};

using Json = nlohmann::ordered_json;

Json tokenJson(const engine::TokenPiece& piece)
{
    return {{"id", piece.id.value}, {"text", engine::toValidUtf8(piece.bytes)}};
}

Json stopTokensJson(const engine::LanguageModel& model)
{
    Json list = Json::array();
    for (const engine::TokenId id : model.stopTokens())
        list.push_back(tokenJson(model.tokenizer().piece(id)));
    return list;
}

std::string asJson(const engine::LanguageModel& model, const engine::ModelInfo& info,
                   const engine::TokenizerInfo& tokenizer)
{
    Json json;
    json["name"] = engine::toValidUtf8(info.name);
    json["architecture"] = info.architecture;
    json["parameters"] = info.parameters;
    json["bits_per_weight"] = info.bitsPerWeight;
    json["quantization"] = info.quantization;
    json["tensor_types"] = Json::object();
    for (const auto& [type, count] : info.tensorTypes)
        json["tensor_types"][type] = count;
    json["layers"] = info.layers;
    json["width"] = info.width;
    json["heads"] = info.heads;
    json["kv_heads"] = info.kvHeads;
    json["context_length"] = info.contextLength;
    json["vocabulary"] = info.vocabularySize;
    json["tokenizer"] = tokenizer.kind;
    json["special_tokens"] = Json::array();
    for (const engine::NamedToken& token : tokenizer.specialTokens) {
        Json entry = tokenJson(token.piece);
        entry["role"] = token.role;
        json["special_tokens"].push_back(entry);
    }
    json["stop_tokens"] = stopTokensJson(model);
    json["adds_bos"] = tokenizer.addsBos;
    json["adds_eos"] = tokenizer.addsEos;
    json["chat_template"] = nullptr;
    if (!tokenizer.chatTemplate.empty())
        json["chat_template"] = engine::toValidUtf8(tokenizer.chatTemplate);
    json["warnings"] = tokenizer.warnings;
    json["model_sha256"] = info.sha256;
    json["tokenizer_sha256"] = tokenizer.sha256;
    return json.dump(2) + "\n";
}

std::string bitsText(double bits)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", bits);
    return text;
}

std::string tokenText(const engine::TokenPiece& piece)
{
    return std::to_string(piece.id.value) + " " + printable(piece.bytes);
}

std::string asText(const engine::LanguageModel& model, const engine::ModelInfo& info,
                   const engine::TokenizerInfo& tokenizer)
{
    std::string out;
    const auto line = [&out](std::string label, const std::string& value) {
        label.resize(18, ' ');
        out += label + value + "\n";
    };
    std::string types;
    for (const auto& [type, count] : info.tensorTypes)
        types += (types.empty() ? "" : ", ") + type + " × " + std::to_string(count);
    std::string stops;
    for (const engine::TokenId id : model.stopTokens())
        stops += (stops.empty() ? "" : ", ") + tokenText(model.tokenizer().piece(id));

    line("name", printable(info.name));
    line("architecture", printable(info.architecture));
    line("parameters", std::to_string(info.parameters));
    line("quantization", info.quantization);
    line("bits per weight", bitsText(info.bitsPerWeight));
    line("tensor types", types);
    line("layers", std::to_string(info.layers));
    line("width", std::to_string(info.width));
    line("heads", std::to_string(info.heads));
    line("key-value heads", std::to_string(info.kvHeads));
    line("context length", std::to_string(info.contextLength));
    line("vocabulary", std::to_string(info.vocabularySize));
    line("tokenizer", tokenizer.kind);
    for (const engine::NamedToken& token : tokenizer.specialTokens)
        line("  " + token.role, tokenText(token.piece));
    line("adds BOS", tokenizer.addsBos ? "yes" : "no");
    line("adds EOS", tokenizer.addsEos ? "yes" : "no");
    line("stop tokens", stops.empty() ? "none" : stops);
    line("chat template", tokenizer.chatTemplate.empty() ? "none" : "yes (--format json shows it)");
    for (const std::string& warning : tokenizer.warnings)
        line("warning", printable(warning));
    line("model SHA-256", info.sha256);
    line("tokenizer SHA-256", tokenizer.sha256);
    return out;
}

int run(const Options& options)
{
    const auto model = openModel(options.model);
    if (!model)
        return reportError(model.error());
    (*model)->fingerprint();
    const engine::ModelInfo info = (*model)->info();
    const engine::TokenizerInfo tokenizer = (*model)->tokenizerInfo();
    writeOutput(options.format == "json" ? asJson(**model, info, tokenizer)
                                         : asText(**model, info, tokenizer));
    return finishOutput();
}

} // namespace

void addInspectCommand(CLI::App& program, ChosenCommand& chosen)
{
    CLI::App* command = program.add_subcommand(
        "inspect", "What a model is: architecture, sizes, tokenizer, fingerprints");
    const auto options = std::make_shared<Options>();
    addModelOptions(*command, options->model);
    command->add_option("--format", options->format, "text or json")
        ->check(CLI::IsMember({"text", "json"}))
        ->capture_default_str();
    command->callback([&chosen, options] { chosen = [options] { return run(*options); }; });
}

} // namespace app
