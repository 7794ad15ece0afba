#pragma once

#include "app/CommandLine.h"

namespace app {

/// Opens the window and runs it to its end; with `options.screenshot` saves a picture and leaves.
/// Returns the exit status. Without a display: one sentence on standard error and ExitFailed.
int runWindow(int& argc, char** argv, const WindowOptions& options);

} // namespace app
