#pragma once

#include "engine/api/Error.h"
#include "engine/io/GgufFile.h"
#include "engine/io/SafetensorsFile.h"
#include "engine/tensor/Tensor.h"

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// A file that a model was read from, as it lies in memory.
struct SourceFile
{
    std::string name; ///< without its folder
    std::span<const std::byte> bytes;
};

/// The tensors of a model by name, wherever they lie: in a GGUF file or the parts of a split one,
/// or in the safetensors files of a Hugging Face folder. Keeps the mapped files alive. Thread:
/// const once made.
class TensorTable
{
public:
    static TensorTable of(std::shared_ptr<const GgufFile> file);

    /// model.safetensors; else the files that model.safetensors.index.json names; else the one
    /// .safetensors file there is. `config` is the mapped config.json, kept as the first source.
    /// Errors: FileNotFound, BadFormat (index), MissingTensor (a shard lacks what the index says it
    /// has), those of SafetensorsFile.
    static Result<TensorTable> ofFolder(const std::filesystem::path& folder,
                                        std::shared_ptr<const MappedFile> config);

    /// Null where there is none. Hugging Face names are found with and without the prefixes
    /// "model.", "transformer." and "language_model.", since files of all kinds exist.
    const TensorView* find(std::string_view name) const;
    /// The tensors of readable types whose names begin so, in the order of their names; Hugging
    /// Face names without those prefixes.
    std::vector<std::string> namesFrom(std::string_view prefix) const;
    /// `name` as namesFrom() has it.
    std::string_view keyOf(std::string_view name) const;
    /// The name of a type that cannot be read, for a tensor that is there; else empty.
    std::string_view unsupportedType(std::string_view name) const;
    /// The file to name in a message about this tensor.
    const std::filesystem::path& fileOf(std::string_view name) const;

    const std::vector<SourceFile>& sources() const { return m_sources; }
    bool isFolder() const { return m_prefixesVary; }

    /// What the file says that its mixture of types is called ("Q4_K_M"); empty where it does not.
    const std::string& mixture() const { return m_mixture; }

private:
    struct Entry
    {
        TensorView view;
        std::string unsupportedType;
        std::size_t file = 0; ///< into m_paths
    };

    std::optional<Error> addShard(const std::filesystem::path& path,
                                  const std::vector<std::string>& expected);
    const Entry* entry(std::string_view name) const;

    bool m_prefixesVary = false;
    std::map<std::string, Entry, std::less<>> m_entries;
    std::vector<std::filesystem::path> m_paths; ///< first: the folder, or the first part
    std::vector<SourceFile> m_sources;
    std::string m_mixture;
    std::vector<std::shared_ptr<const void>> m_owners;
};

} // namespace engine
