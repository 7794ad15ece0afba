#include "app/commands/Command.h"
#include "app/commands/Interrupt.h"
#include "app/commands/NumberOption.h"
#include "engine/generation/Benchmark.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>

namespace app {

namespace {

struct Options
{
    ModelOptions model;
    engine::BenchmarkOptions benchmark;
    std::string format = "text";
};

std::string asJson(const engine::Benchmark& result)
{
    nlohmann::ordered_json json;
    json["model"] = result.model;
    json["threads"] = result.threads;
    json["kernels"] = result.kernels;
    json["prompt_tokens_per_second"] = engine::median(result.promptTokensPerSecond);
    json["decode_tokens_per_second"] = engine::median(result.decodeTokensPerSecond);
    json["decode_all"] = result.decodeTokensPerSecond;
    json["prompt_all"] = result.promptTokensPerSecond;
    json["load_milliseconds"] = result.loadMilliseconds;
    json["first_logits_milliseconds"] = result.firstLogitsMilliseconds;
    json["peak_resident_bytes"] = result.peakResidentBytes;
    json["weight_bytes_per_token"] = result.weightBytesPerToken;
    return json.dump(2) + "\n";
}

std::string fixed(double value)
{
    char text[64];
    std::snprintf(text, sizeof text, "%.1f", value);
    return text;
}

/// "4310.2 tokens/s (4204.8 to 4391.0)": the median and the range.
std::string rateText(const std::vector<double>& rates)
{
    const auto [least, most] = std::minmax_element(rates.begin(), rates.end());
    return fixed(engine::median(rates)) + " tokens/s (" + fixed(*least) + " to " + fixed(*most) +
           ")";
}

std::string asText(const Options& options, const engine::Benchmark& result)
{
    std::string out;
    const auto line = [&out](std::string label, const std::string& value) {
        label.resize(20, ' ');
        out += label + value + "\n";
    };
    const auto megabytes = [](std::int64_t bytes) {
        return fixed(static_cast<double>(bytes) / 1e6) + " MB";
    };
    line("model", printable(result.model));
    line("threads", std::to_string(result.threads));
    line("kernels", result.kernels);
    line("prompt of " + std::to_string(options.benchmark.promptTokens),
         rateText(result.promptTokensPerSecond));
    line("decode of " + std::to_string(options.benchmark.newTokens),
         rateText(result.decodeTokensPerSecond));
    line("load", fixed(result.loadMilliseconds) + " ms");
    line("to first logits", fixed(result.firstLogitsMilliseconds) + " ms");
    line("peak memory", megabytes(result.peakResidentBytes));
    line("weights per token", megabytes(result.weightBytesPerToken));
    return out;
}

int run(const Options& options)
{
    const std::filesystem::path path = modelPath(options.model);
    engine::BenchmarkOptions benchmark = options.benchmark;
    benchmark.threads = options.model.threadCount();
    const Interrupt interrupt;
    const auto result = engine::benchmark(path, benchmark, interrupt.token());
    if (!result)
        return reportError(result.error());
    writeOutput(options.format == "json" ? asJson(*result) : asText(options, *result));
    return finishOutput();
}

} // namespace

void addBenchCommand(CLI::App& program, ChosenCommand& chosen)
{
    CLI::App* command = program.add_subcommand(
        "bench", "How fast a model is here: prompt, decoding, loading, memory");
    const auto options = std::make_shared<Options>();
    addModelOptions(*command, options->model);
    addNumber(*command, "--prompt-tokens", options->benchmark.promptTokens, 1, 1000000,
              "Tokens read in one piece");
    addNumber(*command, "--new-tokens", options->benchmark.newTokens, 1, 1000000,
              "Tokens read one by one, as in generation");
    addNumber(*command, "--repeat", options->benchmark.repeat, 1, 1000000,
              "Times that both are measured");
    command->add_option("--format", options->format, "text or json")
        ->check(CLI::IsMember({"text", "json"}))
        ->capture_default_str();
    command->callback([&chosen, options] { chosen = [options] { return run(*options); }; });
}

} // namespace app
