#pragma once

namespace app {

/// Worker threads used when none are asked for: the physical cores this process may run on, within
/// the processor share that a container allows it. At least 1.
int defaultThreadCount();

} // namespace app
