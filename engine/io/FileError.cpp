#include "engine/io/FileError.h"

#include <algorithm>

namespace engine {

Error fileError(ErrorCode code, const std::filesystem::path& path, std::string_view message)
{
    return Error{code, path.string() + ": " + std::string(message)};
}

std::string printable(std::string_view name)
{
    constexpr std::size_t longest = 120;
    std::string text(name.substr(0, longest));
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    return name.size() > longest ? text + "..." : text;
}

} // namespace engine
