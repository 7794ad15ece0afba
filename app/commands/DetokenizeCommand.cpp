#include "app/commands/Command.h"
#include "engine/generation/LanguageModel.h"
#include "engine/tokenizer/TextAndIds.h"
#include "engine/tokenizer/Utf8.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <nlohmann/json.hpp>

#include <memory>
#include <unistd.h>

namespace app {

namespace {

struct Options
{
    ModelOptions model;
    std::string ids;
    std::string format = "text";
};

int run(const Options& options)
{
    const auto ids = parseIds(options.ids, "--ids");
    if (!ids)
        return reportUsage(ids.error().message);
    const auto model = openModel(options.model);
    if (!model)
        return reportError(model.error());
    remarkWarnings(**model);
    const auto text = engine::token_ids_to_text(*ids, (*model)->tokenizer());
    if (!text)
        return reportError({text.error().code, "--ids: " + text.error().message});
    if (options.format == "json") {
        nlohmann::ordered_json json{{"text", engine::toValidUtf8(*text)},
                                    {"bytes", hexBytes(*text)}};
        writeOutput(json.dump() + "\n");
    } else {
        writeOutput(*text);
        if (isatty(STDOUT_FILENO) != 0)
            writeOutput("\n");
    }
    return finishOutput();
}

} // namespace

void addDetokenizeCommand(CLI::App& program, ChosenCommand& chosen)
{
    CLI::App* command = program.add_subcommand("detokenize", "Token ids to text, byte for byte");
    const auto options = std::make_shared<Options>();
    addModelOptions(*command, options->model);
    command->add_option("--ids", options->ids, "Token ids, such as 5,17,42")->required();
    command->add_option("--format", options->format, "text or json")
        ->check(CLI::IsMember({"text", "json"}))
        ->capture_default_str();
    command->callback([&chosen, options] { chosen = [options] { return run(*options); }; });
}

} // namespace app
