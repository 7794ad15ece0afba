#include "engine/tensor/Activations.h"

#include <algorithm>
#include <new>

namespace engine {

namespace {
constexpr std::align_val_t rowAlignment{64};
} // namespace

Activations::Activations(std::int64_t tokens, std::int64_t width)
    : m_tokens(tokens), m_width(width), m_stride((width + rowGranule - 1) / rowGranule * rowGranule)
{
    const std::size_t count = static_cast<std::size_t>(tokens * m_stride);
    m_values.reset(static_cast<float*>(::operator new(count * sizeof(float), rowAlignment)));
    std::fill_n(m_values.get(), count, 0.0F);
}

void Activations::Free::operator()(float* values) const
{
    ::operator delete(values, rowAlignment);
}

} // namespace engine
