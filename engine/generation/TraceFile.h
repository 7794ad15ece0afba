#pragma once

#include "engine/api/Error.h"
#include "engine/api/Run.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace engine {

/// The trace format, ".tokenscope.json": a run to and from JSON. All numbers are written so that
/// they read back exactly; text is UTF-8 with U+FFFD where bytes make no character, bytes are hex.

std::string traceJson(const Run& run);
/// The three kinds of lines of `--format jsonl`, each without its line end. A step decoded under
/// other settings than those `ofRun` says so; without `ofRun` its settings are taken to be the
/// run's.
std::string traceHeaderLine(const Run& run);
std::string traceStepLine(const Step& step, const SamplingConfig* ofRun = nullptr);
std::string traceEndLine(const Run& run);

/// Reads a trace, or the lines of `--format jsonl`, also where they end early. `name` begins the
/// error messages. Reads only what the format defines; unknown fields are passed over.
/// Errors: BadFormat (not JSON, not a trace, a value of the wrong kind or out of range: names the
/// value), UnsupportedFeature (a newer version).
Result<Run> parseTrace(std::string_view json, const std::string& name);

/// Errors: FileNotFound, FileUnreadable, those of parseTrace.
Result<Run> readTrace(const std::filesystem::path& path);

/// Atomic: writes beside, syncs, renames; after an error the old file is whole. Keeps the
/// permissions of a file that is there, follows a symbolic link, and writes straight to what is no
/// ordinary file.
/// Errors: FileWriteFailed.
Result<Done> writeTrace(const Run& run, const std::filesystem::path& path);

} // namespace engine
