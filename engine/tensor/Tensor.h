#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// How numbers are stored. Block formats hold `elementsPerBlock` numbers in `bytesPerBlock` bytes;
/// their layouts are drawn in Dequantize.cpp.
enum class DType
{
    F32,
    F16,
    BF16,
    Q8_0,
    Q4_0,
    Q4_1,
    Q5_0,
    Q5_1,
    IQ4_NL,
    Q2_K,
    Q3_K,
    Q4_K,
    Q5_K,
    Q6_K,
    IQ4_XS,
};

constexpr int dtypeCount = 15;

struct DTypeTraits
{
    std::string_view name;
    std::int64_t elementsPerBlock;
    std::int64_t bytesPerBlock;
};

const DTypeTraits& traits(DType type);

/// Outermost dimension first, row-major: a matrix of `rows` rows of `columns` numbers is
/// [rows, columns], and each row is contiguous.
using Shape = std::vector<std::int64_t>;

std::string toString(const Shape& shape); ///< "[2048, 1024]"

/// Product of the dimensions; nothing where one is negative or the product overflows.
std::optional<std::int64_t> elementCount(const Shape& shape);

/// Bytes of a tensor of this type and shape; nothing on overflow or where the innermost dimension
/// is not a whole number of blocks.
std::optional<std::int64_t> byteCount(DType type, const Shape& shape);

/// A typed window on bytes it does not own (usually a memory-mapped file).
struct TensorView
{
    DType type = DType::F32;
    Shape shape;
    std::span<const std::byte> bytes;
};

struct NamedTensor
{
    std::string name; ///< as the file has it
    TensorView view;
};

} // namespace engine
