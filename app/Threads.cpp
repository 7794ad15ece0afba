#include "app/Threads.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sched.h>
#include <set>
#include <string>
#include <thread>

namespace app {

namespace {

/// Two hardware threads of one core list the same siblings, so distinct lists count cores.
int physicalCoresAllowed()
{
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return 0;
    std::set<std::string> cores;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (!CPU_ISSET(cpu, &allowed))
            continue;
        std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(cpu) +
                           "/topology/thread_siblings_list");
        std::string siblings;
        if (!std::getline(file, siblings))
            siblings = std::to_string(cpu);
        cores.insert(siblings);
    }
    return static_cast<int>(cores.size());
}

/// Processors' worth of time that the control group grants; 0 where it sets no limit.
int controlGroupLimit()
{
    std::ifstream file("/sys/fs/cgroup/cpu.max");
    std::string quota;
    double period = 0;
    if (!(file >> quota >> period) || quota == "max" || period <= 0)
        return 0;
    return std::max(1, static_cast<int>(std::lround(std::atof(quota.c_str()) / period)));
}

} // namespace

int defaultThreadCount()
{
    int count = physicalCoresAllowed();
    if (count == 0)
        count = static_cast<int>(std::thread::hardware_concurrency());
    if (const int limit = controlGroupLimit(); limit > 0)
        count = std::min(count, limit);
    return std::max(1, count);
}

} // namespace app
