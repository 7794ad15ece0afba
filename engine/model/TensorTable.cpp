#include "engine/model/TensorTable.h"

#include "engine/io/FileError.h"
#include "engine/io/GgufTensorTypes.h"
#include "engine/io/Json.h"

#include <algorithm>
#include <array>
#include <optional>
#include <system_error>
#include <utility>

namespace engine {

namespace {

std::string_view withoutPrefix(std::string_view name)
{
    constexpr std::array<std::string_view, 3> prefixes = {"model.", "transformer.",
                                                          "language_model."};
    for (std::size_t i = 0; i < prefixes.size(); ++i) {
        if (!name.starts_with(prefixes[i]))
            continue;
        name.remove_prefix(prefixes[i].size());
        i = static_cast<std::size_t>(-1); // from the start: there may be two
    }
    return name;
}

/// The files of a folder, each with the tensors that the index says it holds (none without an
/// index).
using Shards = std::map<std::string, std::vector<std::string>>;

Result<Shards> readIndex(const std::filesystem::path& path)
{
    const Result<JsonDocument> document = JsonDocument::read(path);
    if (!document)
        return document.error();
    const JsonValue map = document->root()["weight_map"];
    Shards shards;
    std::optional<Error> error;
    map.forEachMember([&](std::string_view tensor, JsonValue value) {
        const std::string file(value.string().value_or(""));
        // A plain name: an index must not reach out of its folder.
        if (!error && (file.empty() || std::filesystem::path(file).filename() != file ||
                       file == "." || file == ".."))
            error = fileError(ErrorCode::BadFormat, path,
                              "weight_map: tensor " + printable(tensor) +
                                  ": expected a file name, found \"" + printable(file) + "\"");
        shards[file].emplace_back(tensor);
    });
    if (error)
        return *error;
    if (shards.empty())
        return fileError(ErrorCode::BadFormat, path, "weight_map is missing, empty or no object");
    return shards;
}

Result<Shards> findShards(const std::filesystem::path& folder)
{
    std::error_code status;
    if (std::filesystem::exists(folder / "model.safetensors", status))
        return Shards{{"model.safetensors", {}}};
    const std::filesystem::path index = folder / "model.safetensors.index.json";
    if (std::filesystem::exists(index, status))
        return readIndex(index);
    Shards shards;
    for (const auto& entry : std::filesystem::directory_iterator(folder, status))
        if (entry.path().extension() == ".safetensors")
            shards[entry.path().filename().string()];
    if (shards.size() == 1)
        return shards;
    return fileError(ErrorCode::FileNotFound, folder,
                     shards.empty() ? "no model.safetensors in this folder, nor a "
                                      "model.safetensors.index.json; weights in other formats "
                                      "cannot be read"
                                    : "several .safetensors files, but no "
                                      "model.safetensors.index.json that says how they belong "
                                      "together");
}

} // namespace

TensorTable TensorTable::of(std::shared_ptr<const GgufFile> file)
{
    TensorTable table;
    table.m_mixture = ggufFileType(file->integer("general.file_type").value_or(-1));
    table.m_paths = {file->path()};
    table.m_sources = {{file->path().filename().string(), file->bytes()}};
    for (const std::shared_ptr<const GgufFile>& part : file->otherParts()) {
        for (const NamedTensor& tensor : part->tensors())
            table.m_entries.emplace(tensor.name, Entry{tensor.view, "", table.m_paths.size()});
        table.m_paths.push_back(part->path());
        table.m_sources.push_back({part->path().filename().string(), part->bytes()});
    }
    for (const NamedTensor& tensor : file->tensors()) // those of other parts are there already
        table.m_entries.emplace(tensor.name, Entry{tensor.view, "", 0});
    table.m_owners.push_back(std::move(file));
    return table;
}

Result<TensorTable> TensorTable::ofFolder(const std::filesystem::path& folder,
                                          std::shared_ptr<const MappedFile> config)
{
    const Result<Shards> shards = findShards(folder);
    if (!shards)
        return shards.error();
    TensorTable table;
    table.m_prefixesVary = true;
    table.m_paths = {folder};
    table.m_sources = {{"config.json", config->bytes()}};
    table.m_owners.push_back(std::move(config));
    for (const auto& [name, tensors] : *shards) // in the order of names
        if (auto error = table.addShard(folder / name, tensors))
            return *error;
    return table;
}

std::optional<Error> TensorTable::addShard(const std::filesystem::path& path,
                                           const std::vector<std::string>& expected)
{
    Result<SafetensorsFile> opened = SafetensorsFile::open(path);
    if (!opened)
        return opened.error();
    const auto file = std::make_shared<const SafetensorsFile>(std::move(*opened));
    const std::size_t number = m_paths.size();
    m_paths.push_back(path);
    m_sources.push_back({path.filename().string(), file->bytes()});
    m_owners.push_back(file);
    const auto add = [&](const std::string& name, Entry found) -> std::optional<Error> {
        if (m_entries.emplace(withoutPrefix(name), std::move(found)).second)
            return std::nullopt;
        return fileError(ErrorCode::BadFormat, path,
                         "tensor " + printable(name) +
                             ": another one of this name was read before");
    };
    for (const NamedTensor& tensor : file->tensors())
        if (auto error = add(tensor.name, Entry{tensor.view, "", number}))
            return error;
    for (const auto& [name, type] : file->unsupported())
        if (auto error = add(name, Entry{{}, type, number}))
            return error;
    for (const std::string& name : expected) {
        const Entry* found = entry(name);
        if (found == nullptr || found->file != number)
            return fileError(
                ErrorCode::MissingTensor, path,
                "tensor " + printable(name) +
                    " is missing, though model.safetensors.index.json says it is here");
    }
    return std::nullopt;
}

const TensorTable::Entry* TensorTable::entry(std::string_view name) const
{
    const auto found = m_entries.find(keyOf(name));
    return found == m_entries.end() ? nullptr : &found->second;
}

std::string_view TensorTable::keyOf(std::string_view name) const
{
    return m_prefixesVary ? withoutPrefix(name) : name;
}

std::vector<std::string> TensorTable::namesFrom(std::string_view prefix) const
{
    prefix = keyOf(prefix);
    std::vector<std::string> names;
    for (auto entry = m_entries.lower_bound(prefix);
         entry != m_entries.end() && entry->first.starts_with(prefix); ++entry)
        if (entry->second.unsupportedType.empty())
            names.push_back(entry->first);
    return names;
}

const TensorView* TensorTable::find(std::string_view name) const
{
    const Entry* found = entry(name);
    return found != nullptr && found->unsupportedType.empty() ? &found->view : nullptr;
}

std::string_view TensorTable::unsupportedType(std::string_view name) const
{
    const Entry* found = entry(name);
    return found == nullptr ? std::string_view() : found->unsupportedType;
}

const std::filesystem::path& TensorTable::fileOf(std::string_view name) const
{
    const Entry* found = entry(name);
    return m_paths[found == nullptr ? 0 : found->file];
}

} // namespace engine
