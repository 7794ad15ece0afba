#include "app/Resources.h"
#include "app/commands/Command.h"
#include "app/commands/Fingerprints.h"
#include "app/commands/InspectText.h"
#include "engine/generation/ModelDescription.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <memory>

namespace app {

namespace {

struct Options
{
    ModelOptions model;
    std::string format = "text";
};

int run(const Options& options)
{
    const auto model = engine::ModelDescription::read(
        options.model.model.empty() ? defaultModelPath()
                                    : std::filesystem::path(options.model.model));
    if (!model)
        return reportError(model.error());
    const auto sha256 = fingerprintOf(*model);
    if (!sha256)
        return reportError(sha256.error());
    writeOutput(options.format == "json" ? inspectJson(*model, *sha256)
                                         : inspectText(*model, *sha256));
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
