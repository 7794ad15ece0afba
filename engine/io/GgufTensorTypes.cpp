#include "engine/io/GgufTensorTypes.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace engine {

namespace {

struct StoredType
{
    std::uint32_t number;
    std::string_view name;
    std::optional<DType> type; ///< nothing: known by name only
};

/// The names without a DType are here to be refused by name; some were withdrawn, but files have
/// them.
constexpr std::array storedTypes = {
    StoredType{0, "F32", DType::F32},         StoredType{1, "F16", DType::F16},
    StoredType{2, "Q4_0", DType::Q4_0},       StoredType{3, "Q4_1", DType::Q4_1},
    StoredType{4, "Q4_2", std::nullopt},      StoredType{5, "Q4_3", std::nullopt},
    StoredType{6, "Q5_0", DType::Q5_0},       StoredType{7, "Q5_1", DType::Q5_1},
    StoredType{8, "Q8_0", DType::Q8_0},       StoredType{9, "Q8_1", std::nullopt},
    StoredType{10, "Q2_K", DType::Q2_K},      StoredType{11, "Q3_K", DType::Q3_K},
    StoredType{12, "Q4_K", DType::Q4_K},      StoredType{13, "Q5_K", DType::Q5_K},
    StoredType{14, "Q6_K", DType::Q6_K},      StoredType{15, "Q8_K", std::nullopt},
    StoredType{16, "IQ2_XXS", std::nullopt},  StoredType{17, "IQ2_XS", std::nullopt},
    StoredType{18, "IQ3_XXS", std::nullopt},  StoredType{19, "IQ1_S", std::nullopt},
    StoredType{20, "IQ4_NL", DType::IQ4_NL},  StoredType{21, "IQ3_S", std::nullopt},
    StoredType{22, "IQ2_S", std::nullopt},    StoredType{23, "IQ4_XS", DType::IQ4_XS},
    StoredType{24, "I8", std::nullopt},       StoredType{25, "I16", std::nullopt},
    StoredType{26, "I32", std::nullopt},      StoredType{27, "I64", std::nullopt},
    StoredType{28, "F64", std::nullopt},      StoredType{29, "IQ1_M", std::nullopt},
    StoredType{30, "BF16", DType::BF16},      StoredType{31, "Q4_0_4_4", std::nullopt},
    StoredType{32, "Q4_0_4_8", std::nullopt}, StoredType{33, "Q4_0_8_8", std::nullopt},
    StoredType{34, "TQ1_0", std::nullopt},    StoredType{35, "TQ2_0", std::nullopt},
    StoredType{39, "MXFP4", std::nullopt},    StoredType{40, "NVFP4", std::nullopt},
    StoredType{41, "Q1_0", std::nullopt},     StoredType{42, "Q2_0", std::nullopt},
};

struct FileType
{
    std::int64_t number;
    std::string_view name;
};

constexpr std::array fileTypes = {
    FileType{0, "F32"},     FileType{1, "F16"},     FileType{2, "Q4_0"},    FileType{3, "Q4_1"},
    FileType{7, "Q8_0"},    FileType{8, "Q5_0"},    FileType{9, "Q5_1"},    FileType{10, "Q2_K"},
    FileType{11, "Q3_K_S"}, FileType{12, "Q3_K_M"}, FileType{13, "Q3_K_L"}, FileType{14, "Q4_K_S"},
    FileType{15, "Q4_K_M"}, FileType{16, "Q5_K_S"}, FileType{17, "Q5_K_M"}, FileType{18, "Q6_K"},
    FileType{21, "Q2_K_S"}, FileType{25, "IQ4_NL"}, FileType{30, "IQ4_XS"}, FileType{32, "BF16"},
};

const StoredType* find(std::uint32_t number)
{
    const auto* found =
        std::find_if(storedTypes.begin(), storedTypes.end(),
                     [number](const StoredType& stored) { return stored.number == number; });
    return found == storedTypes.end() ? nullptr : found;
}

} // namespace

std::optional<DType> ggufTensorType(std::uint32_t number)
{
    const StoredType* found = find(number);
    return found == nullptr ? std::nullopt : found->type;
}

std::string unsupportedGgufType(std::uint32_t number)
{
    const StoredType* found = find(number);
    std::string text = "type ";
    text += found == nullptr ? "number " + std::to_string(number) : std::string(found->name);
    text += " is not supported; the same model in a file of Q4_K_M, Q8_0 or F16, say, can be opened"
            " (supported types: ";
    bool first = true;
    for (const StoredType& stored : storedTypes)
        if (stored.type) {
            text += (first ? "" : ", ") + std::string(stored.name);
            first = false;
        }
    return text + ")";
}

std::string ggufFileType(std::int64_t number)
{
    const auto* found =
        std::find_if(fileTypes.begin(), fileTypes.end(),
                     [number](const FileType& file) { return file.number == number; });
    return found == fileTypes.end() ? std::string() : std::string(found->name);
}

} // namespace engine
