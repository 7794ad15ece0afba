#include "app/commands/Command.h"

#include "app/Resources.h"
#include "app/Threads.h"
#include "app/commands/NumberOption.h"
#include "engine/generation/LanguageModel.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <unistd.h>

namespace app {

int reportError(const engine::Error& error)
{
    std::cerr << "tokenscope: error: " << printable(error.message) << '\n';
    return ExitFailed;
}

int reportUsage(const std::string& message)
{
    std::cerr << "tokenscope: error: " << printable(message) << '\n';
    return ExitUsage;
}

void remark(const std::string& message)
{
    std::cerr << "tokenscope: " << printable(message) << '\n';
}

int ModelOptions::threadCount() const
{
    return threads > 0 ? threads : defaultThreadCount();
}

void addModelOptions(CLI::App& command, ModelOptions& options)
{
    command.add_option("--model", options.model,
                       "A .gguf file, a Hugging Face folder, or a .safetensors file inside one "
                       "(default: the bundled model)");
    addNumber(command, "--threads", options.threads, 1, 1024,
              "Worker threads (default: the physical cores)");
}

std::filesystem::path modelPath(const ModelOptions& options)
{
    return options.model.empty() ? defaultModelPath() : std::filesystem::path(options.model);
}

engine::Result<std::shared_ptr<const engine::LanguageModel>> openModel(const ModelOptions& options)
{
    return engine::LanguageModel::load(modelPath(options));
}

void addTokenizeOptions(CLI::App& command, TokenizeOptions& options)
{
    CLI::Option* add = command.add_flag("--add-special-tokens", options.addSpecialTokens,
                                        "Add BOS/EOS whatever the model's own rule says");
    command
        .add_flag("--no-special-tokens", options.noSpecialTokens,
                  "Add no BOS/EOS whatever the model's own rule says")
        ->excludes(add);
    command.add_flag("--parse-special", options.parseSpecial,
                     "Treat text such as <|endoftext|> as the special token");
}

std::optional<bool> addsSpecialTokens(const TokenizeOptions& options)
{
    if (options.addSpecialTokens)
        return true;
    return options.noSpecialTokens ? std::optional<bool>(false) : std::nullopt;
}

engine::Result<std::vector<engine::TokenId>> parseIds(const std::string& list,
                                                      const std::string& option)
{
    std::vector<engine::TokenId> ids;
    if (list.find_first_not_of(" \t\n") == std::string::npos)
        return ids;
    std::size_t begin = 0;
    while (begin <= list.size()) {
        const std::size_t comma = std::min(list.find(',', begin), list.size());
        std::string entry = list.substr(begin, comma - begin);
        const std::size_t first = entry.find_first_not_of(" \t\n");
        const std::size_t last = entry.find_last_not_of(" \t\n");
        entry = first == std::string::npos ? "" : entry.substr(first, last - first + 1);

        std::int32_t value = 0;
        const auto [end, fault] = std::from_chars(entry.data(), entry.data() + entry.size(), value);
        if (fault != std::errc() || end != entry.data() + entry.size() || value < 0)
            return engine::Error{engine::ErrorCode::InvalidArgument,
                                 option + ": \"" + entry +
                                     "\" is not a token id; expected numbers such as 5,17,42"};
        ids.push_back({value});
        begin = comma + 1;
    }
    return ids;
}

std::string inputName(const std::string& path)
{
    return path == "-" ? "standard input" : path;
}

engine::Result<std::string> readInput(const std::string& path)
{
    const auto unreadable = [&path](int fault) {
        const bool absent = fault == ENOENT || fault == ENOTDIR;
        return engine::Error{absent ? engine::ErrorCode::FileNotFound
                                    : engine::ErrorCode::FileUnreadable,
                             inputName(path) + ": cannot be read: " + std::strerror(fault)};
    };
    // Not a stream: those of the standard library tell the end of a file from a failed read by an
    // exception at best.
    const bool isStandardInput = path == "-";
    const int file = isStandardInput ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return unreadable(errno);
    std::string text;
    std::string block(std::size_t{1} << 16, '\0');
    ssize_t got = 0;
    while ((got = ::read(file, block.data(), block.size())) > 0 || (got < 0 && errno == EINTR))
        text.append(block, 0, static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    const int fault = got < 0 ? errno : 0;
    if (!isStandardInput)
        ::close(file);
    if (fault != 0)
        return unreadable(fault);
    return text;
}

namespace {

/// Why the first failed write to standard output failed; the C library keeps only that it did.
int outputFault = 0;

void noteOutput(bool isWritten)
{
    if (!isWritten && outputFault == 0)
        outputFault = errno;
}

} // namespace

void writeOutput(std::string_view bytes)
{
    noteOutput(std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size());
}

void flushOutput()
{
    noteOutput(std::fflush(stdout) == 0);
}

int finishOutput()
{
    flushOutput();
    if (outputFault == 0)
        return ExitDone;
    std::cerr << "tokenscope: error: standard output cannot be written: "
              << std::strerror(outputFault) << '\n';
    return ExitFailed;
}

} // namespace app
