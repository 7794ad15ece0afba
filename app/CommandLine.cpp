#include "app/CommandLine.h"

#include "app/commands/Command.h"
#include "app/commands/GenerateOptions.h"
#include "engine/decoding/SettingsCheck.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <cstdio>
#include <filesystem>
#include <iostream>

namespace app {

namespace {

struct WindowWords
{
    std::string decoding = "greedy";
    std::string seed;
    std::string size;
};

void addWindowOptions(CLI::App& program, WindowOptions& window, WindowWords& words)
{
    program.add_option("FILE", window.files, "A model or a trace to open");
    program.add_option("--prompt", window.prompt, "The starting context");
    program.add_option("--decoding", words.decoding, "greedy or sample")
        ->check(CLI::IsMember({"greedy", "sample"}));
    program.add_option("--temperature", window.sampling.temperature, "Divides the logits");
    program.add_option("--top-k", window.sampling.topK, "Keep the K most probable; 0 = off");
    program.add_option("--top-p", window.sampling.topP,
                       "Keep the smallest set reaching P; 1 = off");
    program.add_option("--seed", words.seed, "Fixes every draw");
    program.add_option("--max-new-tokens", window.maxNewTokens, "Length limit")
        ->check(CLI::Range(0, 1000000));
    program.add_option("--steps", window.steps, "Steps to make at once")
        ->check(CLI::Range(0, 1000000));
    program.add_option("--theme", window.theme, "light or dark")
        ->check(CLI::IsMember({"light", "dark"}));
    program.add_option("--size", words.size, "Size of the window, such as 1280x800");
    program.add_option("--screenshot", window.screenshot, "Save a PNG picture of it and leave");
}

/// The rest of the window's words, which need more than a number.
std::optional<std::string> finishWindowOptions(const WindowWords& words, WindowOptions& window)
{
    window.sampling.rule =
        words.decoding == "sample" ? engine::DecodingRule::Sample : engine::DecodingRule::Greedy;
    if (!words.seed.empty()) {
        const auto seed = parseSeed(words.seed, "--seed");
        if (!seed)
            return seed.error().message;
        window.sampling.seed = *seed;
    }
    if (const auto valid = engine::validate(window.sampling); !valid)
        return valid.error().message;
    char end = 0;
    if (!words.size.empty() &&
        (std::sscanf(words.size.c_str(), "%dx%d%c", &window.width, &window.height, &end) != 2 ||
         window.width < 200 || window.height < 200 || window.width > 16384 ||
         window.height > 16384))
        return "--size: \"" + words.size + "\" is not a size such as 1280x800";
    for (const std::string& file : window.files) {
        std::error_code error;
        if (file.rfind("http://", 0) != 0 && file.rfind("https://", 0) != 0 &&
            !std::filesystem::exists(file, error))
            return "\"" + file + "\" is neither a command nor a file; see tokenscope --help";
    }
    return std::nullopt;
}

/// A text that begins with a dash would be read as an option: `--prompt -5` becomes `--prompt=-5`.
std::vector<std::string> joinTextValues(int argc, char** argv)
{
    std::vector<std::string> words;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const bool takesText = word == "--prompt" || word == "--text" || word == "--stop";
        if (takesText && i + 1 < argc && argv[i + 1][0] == '-' && argv[i + 1][1] != '\0')
            words.push_back(word + "=" + argv[++i]);
        else
            words.push_back(word);
    }
    return {words.rbegin(), words.rend()}; // CLI11 takes them last first
}

int reportParseError(const CLI::App& program, const CLI::ParseError& error)
{
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success))
        return program.exit(error, std::cout, std::cerr); // --help and --version
    const CLI::App* command = &program;
    for (const CLI::App* chosen : program.get_subcommands())
        command = chosen;
    return reportUsage(std::string(error.what()) + " (see " +
                       (command == &program ? "" : "tokenscope ") + command->get_name() +
                       " --help)");
}

} // namespace

std::string programVersion()
{
    return "tokenscope " TOKENSCOPE_VERSION;
}

std::optional<int> runCommandLine(int argc, char** argv, WindowOptions& window)
{
    CLI::App program("Steps a language model through text generation, one token at a time.\n"
                     "Without a command, opens the window.",
                     "tokenscope");
    program.set_version_flag("--version", programVersion(), "Print the version and leave");
    program.require_subcommand(0, 1);
    WindowWords words;
    addWindowOptions(program, window, words);
    ChosenCommand chosen;
    addGenerateCommand(program, chosen);
    addTokenizeCommand(program, chosen);
    addDetokenizeCommand(program, chosen);
    addInspectCommand(program, chosen);
    addDiffCommand(program, chosen);
    addBenchCommand(program, chosen);
    try {
        program.parse(joinTextValues(argc, argv));
    } catch (const CLI::ParseError& error) {
        return reportParseError(program, error);
    }
    if (chosen) {
        try {
            return chosen();
        } catch (const std::bad_alloc&) {
            return reportError({engine::ErrorCode::OutOfMemory, "out of memory"});
        }
    }
    if (const auto fault = finishWindowOptions(words, window))
        return reportUsage(*fault);
    return std::nullopt;
}

} // namespace app
