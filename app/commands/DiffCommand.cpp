#include "app/commands/Command.h"
#include "engine/generation/TraceDiff.h"
#include "engine/generation/TraceFile.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <nlohmann/json.hpp>

#include <memory>

namespace app {

namespace {

struct Options
{
    std::string a;
    std::string b;
    std::string format = "text";
};

const char* verdict(bool same)
{
    return same ? "same" : "different";
}

std::string asJson(const engine::TraceDiff& diff)
{
    nlohmann::ordered_json json;
    json["same"] = diff.same;
    json["inputs"] = {{"context", verdict(diff.sameContext)},
                      {"settings", verdict(diff.sameSettings)},
                      {"model", verdict(diff.sameModel)},
                      {"tokenizer", verdict(diff.sameTokenizer)}};
    json["parted"] = nullptr;
    if (diff.parted)
        json["parted"] = {{"step", diff.parted->step}, {"stage", engine::name(diff.parted->stage)}};
    json["sentence"] = diff.sentence;
    return json.dump() + "\n";
}

std::string asText(const engine::TraceDiff& diff)
{
    std::string text;
    text += std::string("context:   ") + verdict(diff.sameContext) + "\n";
    text += std::string("settings:  ") + verdict(diff.sameSettings) + "\n";
    text += std::string("model:     ") + verdict(diff.sameModel) + "\n";
    text += std::string("tokenizer: ") + verdict(diff.sameTokenizer) + "\n";
    if (diff.parted)
        text += "parted at: step " + std::to_string(diff.parted->step) + ", " +
                engine::name(diff.parted->stage) + "\n";
    return text + printable(diff.sentence) + "\n";
}

int run(const Options& options)
{
    const auto a = engine::readTrace(options.a);
    if (!a)
        return reportError(a.error());
    const auto b = engine::readTrace(options.b);
    if (!b)
        return reportError(b.error());
    const engine::TraceDiff diff = engine::diffTraces(*a, *b);
    writeOutput(options.format == "json" ? asJson(diff) : asText(diff));
    return finishOutput();
}

} // namespace

void addDiffCommand(CLI::App& program, ChosenCommand& chosen)
{
    CLI::App* command =
        program.add_subcommand("diff", "Two traces: which inputs differ, and where the runs part");
    const auto options = std::make_shared<Options>();
    command->add_option("A", options->a, "A trace")->required();
    command->add_option("B", options->b, "Another trace")->required();
    command->add_option("--format", options->format, "text or json")
        ->check(CLI::IsMember({"text", "json"}))
        ->capture_default_str();
    command->callback([&chosen, options] { chosen = [options] { return run(*options); }; });
}

} // namespace app
