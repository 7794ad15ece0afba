#include "app/CommandLine.h"

#include "app/commands/Command.h"
#include "app/commands/NumberOption.h"
#include "engine/decoding/SettingsCheck.h"
#include "ui/FileDialogs.h"

#include <QString>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <sstream>

namespace app {

namespace {

struct WindowWords
{
    std::string decoding = "greedy";
    std::string size;
};

void addWindowOptions(CLI::App& program, WindowOptions& window, WindowWords& words)
{
    program.add_option("FILE", window.files, "A model or a trace to open");
    program.add_option("--prompt", window.prompt, "The starting context");
    program.add_option("--decoding", words.decoding, "greedy or sample")
        ->check(CLI::IsMember({"greedy", "sample"}));
    addNumber(program, "--temperature", window.sampling.temperature, 0.0,
              std::numeric_limits<double>::max(), "Divides the logits");
    addNumber(program, "--top-k", window.sampling.topK, std::int64_t{0},
              std::numeric_limits<std::int64_t>::max(), "Keep the K most probable; 0 = off");
    addNumber(program, "--top-p", window.sampling.topP, 0.0, 1.0,
              "Keep the smallest set reaching P; 1 = off");
    addNumber(program, "--seed", window.sampling.seed, std::uint64_t{0},
              std::numeric_limits<std::uint64_t>::max(), "Fixes every draw");
    addNumber<int>(program, "--max-new-tokens", 0, 1000000, "Length limit",
                   [&window](int count) { window.maxNewTokens = count; });
    addNumber(program, "--steps", window.steps, 0, 1000000, "Steps to make at once");
    program.add_option("--theme", window.theme, "light or dark")
        ->check(CLI::IsMember({"light", "dark"}));
    program.add_option("--size", words.size, "Size of the window, such as 1280x800");
    program.add_option("--screenshot", window.screenshot, "Save a PNG picture of it and leave");
}

/// "1280x800"; false where it is not that or a side is out of range.
bool readSize(const std::string& text, WindowOptions& window)
{
    const std::size_t times = text.find('x');
    if (times == std::string::npos)
        return false;
    const auto width = parseNumber(text.substr(0, times), "--size", 200, 16384);
    const auto height = parseNumber(text.substr(times + 1), "--size", 200, 16384);
    if (!width || !height)
        return false;
    window.width = *width;
    window.height = *height;
    return true;
}

/// The rest of the window's words, which need more than a number.
std::optional<std::string> finishWindowOptions(const WindowWords& words, WindowOptions& window)
{
    window.sampling.rule =
        words.decoding == "sample" ? engine::DecodingRule::Sample : engine::DecodingRule::Greedy;
    if (const auto valid = engine::validate(window.sampling); !valid)
        return valid.error().message;
    if (!words.size.empty() && !readSize(words.size, window))
        return "--size: expected a size such as 1280x800, each side from 200 to 16384, found \"" +
               words.size + "\"";
    for (const std::string& file : window.files) {
        std::error_code error;
        if (file.rfind("http://", 0) != 0 && file.rfind("https://", 0) != 0 &&
            !std::filesystem::exists(file, error))
            return "\"" + file + "\" is neither a command nor a file; see tokenscope --help";
    }
    return std::nullopt;
}

/// A trace is a run already: options for a run of one's own would do nothing.
std::optional<std::string> idleRunOption(const CLI::App& program, const WindowOptions& window)
{
    if (window.files.empty() || !std::all_of(window.files.begin(), window.files.end(), isTracePath))
        return std::nullopt;
    for (const char* name : {"--prompt", "--decoding", "--temperature", "--top-k", "--top-p",
                             "--seed", "--max-new-tokens"})
        if (program.get_option(name)->count() > 0)
            return std::string(name) + ": \"" + window.files.front() +
                   "\" is a trace, which has its own; leave the option out, or name a model";
    return std::nullopt;
}

/// Whether any command has an option of this name that takes a value.
bool takesValue(const CLI::App& command, const std::string& name)
{
    const std::vector<const CLI::Option*> options = command.get_options();
    if (std::any_of(options.begin(), options.end(), [&name](const CLI::Option* option) {
            return option->check_name(name) && option->get_items_expected_max() > 0;
        }))
        return true;
    const auto nested = command.get_subcommands([](const CLI::App*) { return true; });
    return std::any_of(nested.begin(), nested.end(),
                       [&name](const CLI::App* one) { return takesValue(*one, name); });
}

/// The words as CLI11 is to read them. A text that begins with a dash would be taken for an option:
/// `--prompt -5` becomes `--prompt=-5`. An empty value after an equals sign would be passed over
/// for the next word: `--trace=` becomes `--trace ''`.
std::vector<std::string> preparedWords(const CLI::App& program, int argc, char** argv)
{
    std::vector<std::string> words;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const bool takesText = word == "--prompt" || word == "--text" || word == "--stop";
        const std::string name = word.substr(0, word.size() - (word.empty() ? 0 : 1));
        if (takesText && i + 1 < argc && argv[i + 1][0] == '-' && argv[i + 1][1] != '\0') {
            words.push_back(word + "=" + argv[++i]);
        } else if (word.size() > 3 && word.starts_with("--") && word.find('=') == name.size() &&
                   takesValue(program, name)) {
            words.push_back(name);
            words.emplace_back();
        } else {
            words.push_back(word);
        }
    }
    return {words.rbegin(), words.rend()}; // CLI11 takes them last first
}

/// The first option given an empty value, which none but texts and lists of ids may have.
std::optional<std::string> emptyOption(const CLI::App& command)
{
    for (const CLI::Option* option : command.get_options()) {
        const std::string name = option->get_name();
        const bool mayBeEmpty = name == "--prompt" || name == "--text" || name == "--stop" ||
                                name == "--prompt-ids" || name == "--ids";
        const auto& values = option->results();
        if (!mayBeEmpty && std::find(values.begin(), values.end(), "") != values.end())
            return name;
    }
    for (const CLI::App* nested : command.get_subcommands([](const CLI::App*) { return true; }))
        if (const auto name = emptyOption(*nested))
            return name;
    return std::nullopt;
}

std::string emptyValue(const std::string& option)
{
    return option + ": expected a value, found an empty one";
}

int reportParseError(const CLI::App& program, const CLI::ParseError& error)
{
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
        std::ostringstream text; // of --help or --version
        program.exit(error, text, text);
        writeOutput(text.str());
        return finishOutput();
    }
    if (const auto option = emptyOption(program))
        return reportUsage(emptyValue(*option));
    const CLI::App* command = &program;
    for (const CLI::App* chosen : program.get_subcommands())
        command = chosen;
    return reportUsage(std::string(error.what()) + " (see " +
                       (command == &program ? "" : "tokenscope ") + command->get_name() +
                       " --help)");
}

} // namespace

bool isTracePath(const std::filesystem::path& path)
{
    std::error_code error;
    const QString name = QString::fromStdString(path.string());
    return (path.extension() == ".json" || path.extension() == ".jsonl") &&
           ui::modelPath(name) == name && // some stand for the folder of a model
           std::filesystem::is_regular_file(path, error);
}

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
        program.parse(preparedWords(program, argc, argv));
    } catch (const CLI::ParseError& error) {
        return reportParseError(program, error);
    }
    if (const auto option = emptyOption(program))
        return reportUsage(emptyValue(*option));
    if (chosen) {
        try {
            return chosen();
        } catch (const std::bad_alloc&) {
            return reportError({engine::ErrorCode::OutOfMemory, "out of memory"});
        }
    }
    if (const auto fault = finishWindowOptions(words, window))
        return reportUsage(*fault);
    if (const auto fault = idleRunOption(program, window))
        return reportUsage(*fault);
    return std::nullopt;
}

} // namespace app
