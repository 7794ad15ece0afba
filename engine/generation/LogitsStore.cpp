#include "engine/generation/LogitsStore.h"

#include <iterator>
#include <utility>

namespace engine {

namespace {

std::size_t bytesOf(const StepLogits& logits)
{
    return logits.values.size() * sizeof(float);
}

} // namespace

const StepLogits* LogitsStore::find(int step) const
{
    const auto found = m_steps.find(step);
    return found == m_steps.end() ? nullptr : &found->second;
}

const StepLogits& LogitsStore::put(int step, StepLogits logits)
{
    StepLogits& place = m_steps[step];
    m_bytes += bytesOf(logits) - bytesOf(place);
    place = std::move(logits);
    m_latest = step;
    shrink();
    return place;
}

void LogitsStore::dropFrom(int step)
{
    const auto first = m_steps.lower_bound(step);
    for (auto entry = first; entry != m_steps.end(); ++entry)
        m_bytes -= bytesOf(entry->second);
    m_steps.erase(first, m_steps.end());
}

void LogitsStore::setBudget(std::size_t bytes)
{
    m_budget = bytes;
    shrink();
}

void LogitsStore::shrink()
{
    while (m_bytes > m_budget && m_steps.size() > 1) {
        const auto first = m_steps.begin();
        const auto last = std::prev(m_steps.end());
        const auto farthest = m_latest - first->first >= last->first - m_latest ? first : last;
        m_bytes -= bytesOf(farthest->second);
        m_steps.erase(farthest);
    }
}

} // namespace engine
