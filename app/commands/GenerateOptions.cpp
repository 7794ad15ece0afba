#include "app/commands/GenerateOptions.h"

#include "app/commands/NumberOption.h"
#include "engine/decoding/SettingsCheck.h"
#include "engine/tokenizer/Utf8.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <algorithm>
#include <limits>

namespace app {

namespace {

using engine::Error;
using engine::ErrorCode;
using engine::SamplingStage;

constexpr int largestInt = std::numeric_limits<int>::max();
constexpr std::int64_t largestInt64 = std::numeric_limits<std::int64_t>::max();
constexpr double largestDouble = std::numeric_limits<double>::max();

constexpr SamplingStage allStages[] = {SamplingStage::RepetitionPenalty, SamplingStage::Temperature,
                                       SamplingStage::TopK, SamplingStage::TopP,
                                       SamplingStage::MinP};

/// A prompt from a text, whose place begins the error message.
engine::Result<engine::Prompt> promptOf(const std::string& text, const std::string& place)
{
    if (const auto offset = engine::firstInvalidByte(text))
        return Error{ErrorCode::InvalidArgument,
                     place + ": expected UTF-8, found a byte that makes no character at offset " +
                         std::to_string(*offset)};
    return engine::Prompt(text);
}

void addPromptOptions(CLI::App& command, GenerateOptions& options)
{
    CLI::Option_group* prompt = command.add_option_group("prompt", "One of the three is required");
    prompt->add_option("--prompt", options.prompt, "The starting context as text");
    prompt->add_option("--prompt-file", options.promptFile,
                       "A file with the starting context; - is standard input");
    prompt->add_option("--prompt-ids", options.promptIds, "The starting context as ids: 5,17,42");
    prompt->require_option(1);
}

void addDecodingOptions(CLI::App& command, GenerateOptions& options)
{
    engine::SamplingConfig& sampling = options.config.sampling;
    command.add_option("--decoding", options.decoding, "The selection rule: greedy or sample")
        ->check(CLI::IsMember({"greedy", "sample"}))
        ->capture_default_str();
    addNumber(command, "--temperature", sampling.temperature, 0.0, largestDouble,
              "Divides the logits; 0 means greedy");
    addNumber(command, "--top-k", sampling.topK, std::int64_t{0}, largestInt64,
              "Keep the K most probable; 0 = off");
    addNumber(command, "--top-p", sampling.topP, 0.0, 1.0,
              "Keep the smallest set whose probability reaches P; 1 = off");
    addNumber(command, "--min-p", sampling.minP, 0.0, 1.0,
              "Keep those with at least P times the largest probability; 0 = off");
    addNumber(command, "--repetition-penalty", sampling.repetitionPenalty, 0.0, largestDouble,
              "Weaken tokens already in the context; 1 = off");
    command.add_option("--order", options.order,
                       "Order of the chain (default: "
                       "repetition-penalty,temperature,top-k,top-p,min-p)");
    addNumber(command, "--seed", sampling.seed, std::uint64_t{0},
              std::numeric_limits<std::uint64_t>::max(),
              "Unsigned 64-bit number that fixes every draw");
}

void addStopOptions(CLI::App& command, GenerateOptions& options)
{
    addNumber(command, "--max-new-tokens", options.config.maxNewTokens, 0, largestInt,
              "Length limit");
    command
        .add_option("--stop", options.config.stopTexts,
                    "End when the generated text contains this (repeatable)")
        ->allow_extra_args(false);
    command.add_flag("--ignore-stop-tokens", options.config.ignoreStopTokens,
                     "Go on past the model's own stop tokens");
}

} // namespace

void addGenerateOptions(CLI::App& command, GenerateOptions& options)
{
    addModelOptions(command, options.model);
    addPromptOptions(command, options);
    addDecodingOptions(command, options);
    addStopOptions(command, options);
    addTokenizeOptions(command, options.tokenize);
    command.add_flag("--chat", options.config.chat,
                     "Wrap the prompt with the model's chat template as one user message");
    addNumber(command, "--top", options.config.topCandidates, 1, largestInt,
              "Candidates recorded for each step");
    addNumber(command, "--runs", options.runs, 1, 1000000,
              "Repeat the whole call and report whether all came out the same");
    command.add_option("--trace", options.trace, "Also write the trace to this file");
    command.add_option("--format", options.format, "text, json or jsonl")
        ->check(CLI::IsMember({"text", "json", "jsonl"}))
        ->capture_default_str();
}

engine::Result<std::vector<SamplingStage>> parseOrder(const std::string& names)
{
    std::vector<SamplingStage> order;
    std::size_t begin = 0;
    while (begin <= names.size()) {
        const std::size_t comma = std::min(names.find(',', begin), names.size());
        const std::string entry = names.substr(begin, comma - begin);
        const auto* const stage = std::find_if(std::begin(allStages), std::end(allStages),
                                               [&](SamplingStage s) { return name(s) == entry; });
        if (stage == std::end(allStages))
            return Error{ErrorCode::InvalidArgument,
                         "--order: \"" + entry +
                             "\" is not a stage; there are repetition-penalty, temperature, top-k, "
                             "top-p, min-p"};
        order.push_back(*stage);
        begin = comma + 1;
    }
    return order;
}

engine::Result<engine::RunConfig> runConfig(const GenerateOptions& options)
{
    engine::RunConfig config = options.config;
    config.sampling.rule =
        options.decoding == "sample" ? engine::DecodingRule::Sample : engine::DecodingRule::Greedy;
    config.addSpecialTokens = addsSpecialTokens(options.tokenize);
    config.parseSpecial = options.tokenize.parseSpecial;
    if (!options.order.empty()) {
        const auto order = parseOrder(options.order);
        if (!order)
            return order.error();
        config.sampling.order = *order;
    }
    if (options.config.chat && options.promptIds)
        return Error{ErrorCode::InvalidArgument,
                     "--chat wraps a text; it cannot go with --prompt-ids"};
    if (const auto valid = engine::validate(config); !valid)
        return valid.error();
    return config;
}

engine::Result<engine::Prompt> startingPrompt(const GenerateOptions& options)
{
    if (options.prompt)
        return promptOf(*options.prompt, "--prompt");
    if (options.promptIds) {
        auto ids = parseIds(*options.promptIds, "--prompt-ids");
        if (!ids)
            return ids.error();
        return engine::Prompt(*ids);
    }
    auto text = readInput(options.promptFile);
    if (!text)
        return text.error();
    return promptOf(*text, inputName(options.promptFile));
}

} // namespace app
