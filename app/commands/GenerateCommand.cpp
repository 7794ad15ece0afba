#include "app/commands/Fingerprints.h"
#include "app/commands/GenerateOptions.h"
#include "app/commands/Interrupt.h"
#include "engine/generation/LanguageModel.h"
#include "engine/generation/RunCheck.h"
#include "engine/generation/RunFingerprint.h"
#include "engine/generation/TraceFile.h"
#include "engine/io/FileWrite.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <cstdio>
#include <functional>
#include <memory>

namespace app {

namespace {

using engine::Run;

/// The run with the digest that a trace carries. Where it is not known yet, computing it reads the
/// whole model, which is done to the end even after a stop: a trace without it would be worthless.
Run withFingerprint(const Run& run, const engine::LanguageModel& model)
{
    Run complete = run;
    complete.model.sha256 = *fingerprintOf(model);
    return complete;
}

/// Writes what a run shows while it goes on, in the format asked for.
class RunPrinter
{
public:
    RunPrinter(std::string format, const engine::LanguageModel& model)
        : m_format(std::move(format)), m_model(model)
    {}

    /// Writes what is new since the call before.
    void operator()(const Run& run)
    {
        if (run.steps.empty())
            begin(run);
        else
            step(run.steps.back(), run);
    }

    void end(const Run& run) const
    {
        if (m_format == "text")
            writeOutput("\n");
        else if (m_format == "jsonl")
            writeLine(engine::traceEndLine(run));
        else
            writeLine(engine::traceJson(withFingerprint(run, m_model)));
        flushOutput();
    }

private:
    void begin(const Run& run) const
    {
        if (m_format == "text") {
            writeOutput(run.context.text.empty() ? contextBytes(run) : run.context.text);
            flushOutput();
        } else if (m_format == "jsonl") {
            writeLine(engine::traceHeaderLine(withFingerprint(run, m_model)));
        }
    }

    void step(const engine::Step& step, const Run& run)
    {
        if (m_format == "text") {
            writeOutput(std::string_view(run.outputBytes).substr(m_written));
            m_written = run.outputBytes.size();
            flushOutput();
        } else if (m_format == "jsonl") {
            writeLine(engine::traceStepLine(step));
        }
    }

    static std::string contextBytes(const Run& run)
    {
        std::string bytes;
        for (const engine::ContextToken& token : run.context.tokens)
            bytes += token.piece.bytes;
        return bytes;
    }

    static void writeLine(const std::string& line)
    {
        writeOutput(line);
        writeOutput("\n");
        flushOutput();
    }

    std::string m_format;
    const engine::LanguageModel& m_model;
    std::size_t m_written = 0;
};

std::string stopSentence(const Run& run)
{
    const std::string count =
        std::to_string(run.steps.size()) + (run.steps.size() == 1 ? " token" : " tokens");
    switch (*run.stop) {
    case engine::StopReason::MaxNewTokens:
        return "stopped after " + count + ": length limit";
    case engine::StopReason::StopToken:
        return "stopped after " + count + ": stop token " +
               run.steps.back().find(run.steps.back().picked)->piece.bytes;
    case engine::StopReason::StopText:
        return "stopped after " + count + ": stop text";
    case engine::StopReason::ContextFull:
        return "stopped after " + count + ": context full (the model reads at most " +
               std::to_string(run.model.contextLength) + " tokens; the prompt has " +
               std::to_string(run.context.tokens.size()) + ")";
    case engine::StopReason::Cancelled:
        return "stopped after " + count + ": cancelled";
    }
    return "";
}

std::string cancelledIn(int run, int runs)
{
    return "cancelled in run " + std::to_string(run) + " of " + std::to_string(runs) +
           "; the runs were not compared";
}

/// Compares each repeat with the first run, value by value, and says what came of it.
int repeatAndCompare(const engine::RunInputs& inputs, const GenerateOptions& options,
                     const Run& first, const std::stop_token& stop)
{
    const auto report = [&options](const std::string& sentence) {
        if (options.format == "text")
            writeOutput(sentence + "\n");
        else
            remark(sentence);
    };
    for (int i = 2; i <= options.runs; ++i) {
        const auto again = engine::runToStop(inputs, stop);
        if (!again)
            return reportError(again.error());
        if (again->stop == engine::StopReason::Cancelled)
            return reportError({engine::ErrorCode::Cancelled, cancelledIn(i, options.runs)});
        const engine::CheckedRun checked = engine::checkedRun(first, *again, inputs.threads);
        if (!checked.same) {
            report("run " + std::to_string(i) + " of " + std::to_string(options.runs) +
                   " came out different from run 1. " + checked.sentence);
            return ExitFailed;
        }
    }
    const engine::ShortDigest fingerprint = engine::fingerprintOf(first).values;
    report(std::to_string(options.runs) + " runs: all came out the same (fingerprint " +
           fingerprint.digits() + ": " + fingerprint.words + ")");
    return ExitDone;
}

int run(const GenerateOptions& options)
{
    const auto config = runConfig(options);
    if (!config)
        return reportUsage(config.error().message);
    const auto prompt = startingPrompt(options);
    if (!prompt)
        return options.promptIds ? reportUsage(prompt.error().message)
                                 : reportError(prompt.error());
    // A run may take hours: that its trace cannot be written is to be known before.
    if (!options.trace.empty())
        if (const auto writable = engine::checkWritable(options.trace); !writable)
            return reportError(writable.error());

    const Interrupt interrupt;
    const auto model = openModel(options.model);
    if (!model)
        return reportError(model.error());
    remarkWarnings(**model);

    RunPrinter printer(options.format, **model);
    const engine::RunInputs inputs{*model, *prompt, *config, options.model.threadCount()};
    const auto done = engine::runToStop(inputs, interrupt.token(), std::ref(printer));
    if (!done)
        return reportError(done.error());
    printer.end(*done);
    remark(stopSentence(*done));
    if (!options.trace.empty())
        if (const auto written = engine::writeTrace(withFingerprint(*done, **model), options.trace);
            !written)
            return reportError(written.error());
    if (options.runs > 1 && done->stop == engine::StopReason::Cancelled)
        return reportError({engine::ErrorCode::Cancelled, cancelledIn(1, options.runs)});
    if (options.runs > 1)
        if (const int status = repeatAndCompare(inputs, options, *done, interrupt.token());
            status != ExitDone)
            return status;
    return finishOutput();
}

} // namespace

void addGenerateCommand(CLI::App& program, ChosenCommand& chosen)
{
    CLI::App* command = program.add_subcommand(
        "generate", "Run the loop without a window and print the text or the trace");
    const auto options = std::make_shared<GenerateOptions>();
    addGenerateOptions(*command, *options);
    command->callback([&chosen, options] { chosen = [options] { return run(*options); }; });
}

} // namespace app
