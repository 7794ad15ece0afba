#pragma once

#include "engine/api/Error.h"
#include "engine/api/Token.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}
namespace engine {
class LanguageModel;
} // namespace engine

namespace app {

/// Exit status of every command.
enum ExitStatus
{
    ExitDone = 0,
    ExitFailed = 1, ///< the work failed: one line on standard error says why
    ExitUsage = 2,  ///< the words of the call are wrong
};

/// The command that the words of a call chose; set by parsing, called afterwards.
using ChosenCommand = std::function<int()>;

/// Both print "tokenscope: error: …". The first returns ExitFailed, the second ExitUsage, for an
/// option whose value is at fault by itself, whatever the model or file.
int reportError(const engine::Error& error);
int reportUsage(const std::string& message);
/// Progress and remarks: "tokenscope: …" on standard error.
void remark(const std::string& message);

/// Options that all commands working on a model share.
struct ModelOptions
{
    std::string model; ///< empty: the default model
    int threads = 0;   ///< 0: as many as there are physical cores

    int threadCount() const;
};
void addModelOptions(CLI::App& command, ModelOptions& options);
std::filesystem::path modelPath(const ModelOptions& options); ///< as given, or the default model's
engine::Result<std::shared_ptr<const engine::LanguageModel>> openModel(const ModelOptions& options);

/// What is odd in the model's files, on standard error: "tokenscope: warning: …".
void remarkWarnings(const engine::LanguageModel& model);

/// How text becomes ids, for the commands that tokenize.
struct TokenizeOptions
{
    bool addSpecialTokens = false;
    bool noSpecialTokens = false;
    bool parseSpecial = false;
};
void addTokenizeOptions(CLI::App& command, TokenizeOptions& options);
/// Nothing where the call leaves it to the model's own rule.
std::optional<bool> addsSpecialTokens(const TokenizeOptions& options);

/// "5,17,42" to ids; blanks around numbers are allowed. Errors: InvalidArgument, naming the entry.
engine::Result<std::vector<engine::TokenId>> parseIds(const std::string& list,
                                                      const std::string& option);

/// The bytes of a file, or of standard input for "-". Errors: FileNotFound, FileUnreadable.
engine::Result<std::string> readInput(const std::string& path);
std::string inputName(const std::string& path); ///< in messages: the path, or "standard input"

/// Both go on after a failed write (closed pipe, full disk), of which finishOutput then tells.
void writeOutput(std::string_view bytes);
void flushOutput();
/// Flushes standard output and turns a write that failed, now or before, into an error and exit
/// status.
int finishOutput();

/// Bytes as they may go into a table or a terminal: control characters and bytes that make no
/// character are written as escapes ("\n", "\x9b"), so that a token cannot steer the terminal.
std::string printable(std::string_view bytes);
std::string hexBytes(std::string_view bytes); ///< lower case, no separators, as in traces

void addGenerateCommand(CLI::App& program, ChosenCommand& chosen);
void addTokenizeCommand(CLI::App& program, ChosenCommand& chosen);
void addDetokenizeCommand(CLI::App& program, ChosenCommand& chosen);
void addInspectCommand(CLI::App& program, ChosenCommand& chosen);
void addBenchCommand(CLI::App& program, ChosenCommand& chosen);
void addDiffCommand(CLI::App& program, ChosenCommand& chosen);

} // namespace app
