#include "app/commands/GenerateOptions.h"

#include "engine/decoding/SettingsCheck.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <algorithm>
#include <charconv>

namespace app {

namespace {

using engine::Error;
using engine::ErrorCode;
using engine::SamplingStage;

constexpr SamplingStage allStages[] = {SamplingStage::RepetitionPenalty, SamplingStage::Temperature,
                                       SamplingStage::TopK, SamplingStage::TopP,
                                       SamplingStage::MinP};

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
    command.add_option("--temperature", sampling.temperature, "Divides the logits; 0 means greedy")
        ->capture_default_str();
    command.add_option("--top-k", sampling.topK, "Keep the K most probable; 0 = off")
        ->capture_default_str();
    command
        .add_option("--top-p", sampling.topP,
                    "Keep the smallest set whose probability reaches P; 1 = off")
        ->capture_default_str();
    command
        .add_option("--min-p", sampling.minP,
                    "Keep those with at least P times the largest probability; 0 = off")
        ->capture_default_str();
    command
        .add_option("--repetition-penalty", sampling.repetitionPenalty,
                    "Weaken tokens already in the context; 1 = off")
        ->capture_default_str();
    command.add_option("--order", options.order,
                       "Order of the chain (default: "
                       "repetition-penalty,temperature,top-k,top-p,min-p)");
    command.add_option("--seed", options.seed, "Unsigned 64-bit number that fixes every draw")
        ->capture_default_str();
}

void addStopOptions(CLI::App& command, GenerateOptions& options)
{
    command.add_option("--max-new-tokens", options.config.maxNewTokens, "Length limit")
        ->capture_default_str();
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
    command.add_option("--top", options.config.topCandidates, "Candidates recorded for each step")
        ->capture_default_str();
    command
        .add_option("--runs", options.runs,
                    "Repeat the whole call and report whether all came out the same")
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
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

engine::Result<std::uint64_t> parseSeed(const std::string& text, const std::string& option)
{
    std::uint64_t seed = 0;
    const char* const last = text.data() + text.size();
    const auto [end, fault] = std::from_chars(text.data(), last, seed);
    if (fault != std::errc() || end != last || text.empty())
        return Error{ErrorCode::InvalidArgument,
                     option + ": \"" + text + "\" is not a whole number from 0 to 2^64 - 1"};
    return seed;
}

engine::Result<engine::RunConfig> runConfig(const GenerateOptions& options)
{
    engine::RunConfig config = options.config;
    config.sampling.rule =
        options.decoding == "sample" ? engine::DecodingRule::Sample : engine::DecodingRule::Greedy;
    config.addSpecialTokens = addsSpecialTokens(options.tokenize);
    config.parseSpecial = options.tokenize.parseSpecial;
    const auto seed = parseSeed(options.seed, "--seed");
    if (!seed)
        return seed.error();
    config.sampling.seed = *seed;
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
        return engine::Prompt(*options.prompt);
    if (options.promptIds) {
        auto ids = parseIds(*options.promptIds, "--prompt-ids");
        if (!ids)
            return ids.error();
        return engine::Prompt(*ids);
    }
    auto text = readInput(options.promptFile);
    if (!text)
        return text.error();
    return engine::Prompt(*text);
}

} // namespace app
