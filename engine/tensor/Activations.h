#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace engine {

/// Intermediate values of several tokens, shape [tokens, width], one padded row for each.
///
/// Rows start on 64-byte boundaries and are padded with zeros to a whole number of `rowGranule`
/// numbers, so that kernels need no special case at the end of a row: what they read there adds
/// nothing. Writers keep to the first `width` numbers. Thread: one owner.
class Activations
{
public:
    static constexpr std::int64_t rowGranule = 32;

    Activations() = default;
    /// All zero.
    Activations(std::int64_t tokens, std::int64_t width);

    std::int64_t tokens() const { return m_tokens; }
    std::int64_t width() const { return m_width; }
    std::int64_t stride() const { return m_stride; }

    std::span<float> row(std::int64_t token)
    {
        return {m_values.get() + token * m_stride, static_cast<std::size_t>(m_width)};
    }
    std::span<const float> row(std::int64_t token) const
    {
        return {m_values.get() + token * m_stride, static_cast<std::size_t>(m_width)};
    }

private:
    struct Free
    {
        void operator()(float* values) const;
    };

    std::int64_t m_tokens = 0;
    std::int64_t m_width = 0;
    std::int64_t m_stride = 0;
    std::unique_ptr<float[], Free> m_values;
};

} // namespace engine
