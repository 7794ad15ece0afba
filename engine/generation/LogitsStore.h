#pragma once

#include "engine/api/Step.h"

#include <cstddef>
#include <map>
#include <vector>

namespace engine {

/// The logits of one step, shape [vocabularySize], and the time it took to compute them.
struct StepLogits
{
    std::vector<float> values;
    std::chrono::microseconds forward{0}; ///< as in StepTimings
};

/// The logits of a run's steps, as many as a budget of bytes allows. What does not fit is let go
/// farthest from the step put in last, since a user steps to and fro near where he is.
/// Thread: one owner at a time.
class LogitsStore
{
public:
    explicit LogitsStore(std::size_t budgetBytes) : m_budget(budgetBytes) {}

    /// Null if they are not, or no longer, here. Valid until the next change.
    const StepLogits* find(int step) const;

    /// Puts in the logits of a step, which stay here even if they alone exceed the budget.
    const StepLogits& put(int step, StepLogits logits);

    void dropFrom(int step); ///< lets go those of this step and all behind it
    void setBudget(std::size_t bytes);

private:
    void shrink();

    std::map<int, StepLogits> m_steps;
    std::size_t m_budget;
    std::size_t m_bytes = 0;
    int m_latest = 0;
};

} // namespace engine
