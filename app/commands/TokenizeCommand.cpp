#include "app/commands/Command.h"
#include "engine/generation/LanguageModel.h"
#include "engine/generation/RenderPrompt.h"
#include "engine/tokenizer/Utf8.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <sstream>

namespace app {

namespace {

struct Options
{
    ModelOptions model;
    TokenizeOptions tokenize;
    bool chat = false;
    std::optional<std::string> text;
    std::string file;
    std::string format = "ids";
};

using Tokens = std::vector<engine::ContextToken>;

std::string asIds(const Tokens& tokens)
{
    std::string line;
    for (const engine::ContextToken& token : tokens)
        line += (line.empty() ? "" : ",") + std::to_string(token.piece.id.value);
    return line + "\n";
}

std::string asTable(const Tokens& tokens)
{
    std::ostringstream out;
    out << "   #       id  origin   bytes             text\n";
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const std::string& bytes = tokens[i].piece.bytes;
        std::string origin(name(tokens[i].origin));
        origin.resize(std::max<std::size_t>(origin.size(), 8), ' ');
        std::string hex = hexBytes(bytes);
        hex.resize(std::max<std::size_t>(hex.size(), 16), ' ');
        out.width(4);
        out << i << ' ';
        out.width(8);
        out << tokens[i].piece.id.value << "  " << origin << ' ' << hex << "  \""
            << printable(bytes) << "\"\n";
    }
    return out.str();
}

/// Characters are Unicode code points; words are stretches between white space, as `wc` counts
/// them.
std::string asJson(const Tokens& tokens, const std::string& text)
{
    nlohmann::ordered_json json;
    json["ids"] = nlohmann::ordered_json::array();
    json["tokens"] = nlohmann::ordered_json::array();
    for (const engine::ContextToken& token : tokens) {
        const std::string& bytes = token.piece.bytes;
        json["ids"].push_back(token.piece.id.value);
        json["tokens"].push_back({{"id", token.piece.id.value},
                                  {"text", engine::toValidUtf8(bytes)},
                                  {"bytes", hexBytes(bytes)},
                                  {"origin", std::string(name(token.origin))}});
    }
    json["characters"] = std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    });
    std::istringstream stream(text);
    std::size_t words = 0;
    for (std::string word; stream >> word;)
        ++words;
    json["words"] = words;
    return json.dump() + "\n";
}

int run(const Options& options)
{
    std::string text;
    if (options.text) {
        text = *options.text;
    } else {
        auto read = readInput(options.file);
        if (!read)
            return reportError(read.error());
        text = *read;
    }
    const auto model = openModel(options.model);
    if (!model)
        return reportError(model.error());
    remarkWarnings(**model);
    engine::RunConfig config;
    config.chat = options.chat;
    config.parseSpecial = options.tokenize.parseSpecial;
    config.addSpecialTokens = addsSpecialTokens(options.tokenize);
    const auto rendering = engine::renderPrompt(**model, text, config);
    if (!rendering)
        return reportError(
            {rendering.error().code, (options.text ? "--text" : inputName(options.file)) + ": " +
                                         rendering.error().message});
    if (options.format == "json")
        writeOutput(asJson(rendering->tokens, rendering->text));
    else if (options.format == "table")
        writeOutput(asTable(rendering->tokens));
    else if (options.format == "text")
        writeOutput(rendering->text);
    else
        writeOutput(asIds(rendering->tokens));
    return finishOutput();
}

} // namespace

void addTokenizeCommand(CLI::App& program, ChosenCommand& chosen)
{
    CLI::App* command = program.add_subcommand("tokenize", "Text to token ids");
    const auto options = std::make_shared<Options>();
    addModelOptions(*command, options->model);
    addTokenizeOptions(*command, options->tokenize);
    CLI::Option_group* input = command->add_option_group("input");
    input->add_option("--text", options->text, "The text");
    input->add_option("--file", options->file, "A file with the text; - is standard input");
    input->require_option(1);
    command->add_flag("--chat", options->chat,
                      "Wrap the text with the model's chat template as one user message");
    command
        ->add_option("--format", options->format,
                     "ids, json, table, or text: the text that is tokenized, which --chat changes")
        ->check(CLI::IsMember({"ids", "json", "table", "text"}))
        ->capture_default_str();
    command->callback([&chosen, options] { chosen = [options] { return run(*options); }; });
}

} // namespace app
