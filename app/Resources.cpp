#include "app/Resources.h"

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace app {

namespace fs = std::filesystem;

namespace {

std::string environment(const char* name, const std::string& otherwise)
{
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0' ? value : otherwise;
}

std::vector<fs::path> dataFolders()
{
    std::vector<fs::path> folders;
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    if (!error)
        folders.push_back(program.parent_path().parent_path() / "share" / "tokenscope");
    folders.push_back(
        fs::path(environment("XDG_DATA_HOME", environment("HOME", "") + "/.local/share")) /
        "tokenscope");
    std::istringstream list(environment("XDG_DATA_DIRS", "/usr/local/share:/usr/share"));
    for (std::string folder; std::getline(list, folder, ':');)
        if (!folder.empty())
            folders.push_back(fs::path(folder) / "tokenscope");
    return folders;
}

} // namespace

fs::path resourcePath(const fs::path& name)
{
    const std::vector<fs::path> folders = dataFolders();
    std::error_code error;
    for (const fs::path& folder : folders)
        if (fs::exists(folder / name, error))
            return folder / name;
    return folders.front() / name;
}

fs::path defaultModelPath()
{
    const std::string named = environment("TOKENSCOPE_MODEL", "");
    return named.empty() ? resourcePath("model") : fs::path(named);
}

fs::path cacheFolder()
{
    const fs::path named = environment("XDG_CACHE_HOME", "");
    if (named.is_absolute()) // others are to be ignored (XDG Base Directory Specification)
        return named / "tokenscope";
    const fs::path home = environment("HOME", "");
    return home.is_absolute() ? home / ".cache" / "tokenscope" : fs::path();
}

} // namespace app
