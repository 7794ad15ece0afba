#pragma once

#include "app/commands/Command.h"
#include "engine/api/Error.h"
#include "engine/api/RunConfig.h"
#include "engine/generation/GenerationSession.h"

#include <optional>
#include <string>
#include <vector>

namespace app {

/// The words of `tokenscope generate` as given; engine values are made from them afterwards.
struct GenerateOptions
{
    ModelOptions model;
    TokenizeOptions tokenize;
    std::optional<std::string> prompt;
    std::string promptFile;
    std::optional<std::string> promptIds;
    engine::RunConfig config;
    std::string decoding = "greedy";
    std::string order;
    int runs = 1;
    std::string trace;
    std::string format = "text";
};

void addGenerateOptions(CLI::App& command, GenerateOptions& options);

/// Settings within their ranges. Errors: InvalidArgument, naming the option and its range.
engine::Result<engine::RunConfig> runConfig(const GenerateOptions& options);

/// The starting context. Errors: those of reading --prompt-file; InvalidArgument for text that is
/// not UTF-8 and for bad ids.
engine::Result<engine::Prompt> startingPrompt(const GenerateOptions& options);

/// "top-k,temperature" to stages. Errors: InvalidArgument, listing the names there are.
engine::Result<std::vector<engine::SamplingStage>> parseOrder(const std::string& names);

} // namespace app
