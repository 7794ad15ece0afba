#include "app/commands/Command.h"

#include "app/Resources.h"
#include "app/Threads.h"
#include "engine/generation/LanguageModel.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>

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
    command
        .add_option("--threads", options.threads, "Worker threads (default: the physical cores)")
        ->check(CLI::Range(1, 1024));
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

engine::Result<std::string> readInput(const std::filesystem::path& path)
{
    if (path == "-")
        return std::string(std::istreambuf_iterator<char>(std::cin), {});
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
        return engine::Error{engine::ErrorCode::FileUnreadable,
                             path.string() + ": is a folder, expected a text file"};
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(file), {});
    if (!file.is_open() || file.bad())
        return engine::Error{errno == ENOENT ? engine::ErrorCode::FileNotFound
                                             : engine::ErrorCode::FileUnreadable,
                             path.string() + ": cannot be read: " + std::strerror(errno)};
    return text;
}

bool writeOutput(std::string_view bytes)
{
    return std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size();
}

int finishOutput()
{
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0)
        return ExitDone;
    std::cerr << "tokenscope: error: standard output cannot be written: " << std::strerror(errno)
              << '\n';
    return ExitFailed;
}

} // namespace app
