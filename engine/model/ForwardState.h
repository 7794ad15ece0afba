#pragma once

#include <cstddef>
#include <memory>

namespace engine {

struct ModelConfig;

/// What one run has read so far: the key and value cache, scratch buffers and worker threads.
/// Made by Transformer::newState. Thread: one owner; not copied.
class ForwardState
{
public:
    ForwardState(const ModelConfig& config, int threads);
    ~ForwardState();
    ForwardState(const ForwardState&) = delete;
    ForwardState& operator=(const ForwardState&) = delete;

    /// Number of tokens read: the position of the next one, 0-based.
    int length() const;

    /// Forgets all but the first `length` tokens; they need not be read again.
    void truncate(int length);

    int threads() const;
    std::size_t cacheBytes() const;

private:
    friend class Transformer;
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace engine
