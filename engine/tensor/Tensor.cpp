#include "engine/tensor/Tensor.h"

#include <array>

namespace engine {

namespace {

// In the order of DType.
constexpr std::array<DTypeTraits, dtypeCount> dtypeTraits = {{
    {"F32", 1, 4},
    {"F16", 1, 2},
    {"BF16", 1, 2},
    {"Q8_0", 32, 34},
    {"Q4_0", 32, 18},
    {"Q4_1", 32, 20},
    {"Q5_0", 32, 22},
    {"Q5_1", 32, 24},
    {"IQ4_NL", 32, 18},
    {"Q2_K", 256, 84},
    {"Q3_K", 256, 110},
    {"Q4_K", 256, 144},
    {"Q5_K", 256, 176},
    {"Q6_K", 256, 210},
    {"IQ4_XS", 256, 136},
}};

} // namespace

const DTypeTraits& traits(DType type)
{
    return dtypeTraits[static_cast<std::size_t>(type)];
}

std::string toString(const Shape& shape)
{
    std::string text = "[";
    for (std::size_t i = 0; i < shape.size(); ++i)
        text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
    return text + "]";
}

std::optional<std::int64_t> elementCount(const Shape& shape)
{
    std::int64_t count = 1;
    for (const std::int64_t size : shape)
        if (size < 0 || __builtin_mul_overflow(count, size, &count))
            return std::nullopt;
    return count;
}

std::optional<std::int64_t> byteCount(DType type, const Shape& shape)
{
    const DTypeTraits& format = traits(type);
    const std::optional<std::int64_t> elements = elementCount(shape);
    const std::int64_t innermost = shape.empty() ? 1 : shape.back();
    std::int64_t bytes = 0;
    if (!elements || innermost % format.elementsPerBlock != 0 ||
        __builtin_mul_overflow(*elements / format.elementsPerBlock, format.bytesPerBlock, &bytes))
        return std::nullopt;
    return bytes;
}

} // namespace engine
