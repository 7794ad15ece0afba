#include "engine/generation/InputSwap.h"

#include "engine/generation/SettingDifferences.h"
#include "engine/generation/TraceDiff.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace engine {

namespace {

bool hasEnded(const Run& run)
{
    return run.stop && *run.stop != StopReason::Cancelled;
}

int agreeingSteps(const Run& a, const Run& b)
{
    std::size_t at = 0;
    while (at < a.steps.size() && at < b.steps.size() && a.steps[at].picked == b.steps[at].picked)
        ++at;
    return static_cast<int>(at);
}

bool isLike(const Run& again, const Run& run)
{
    return agreeingSteps(again, run) == static_cast<int>(run.steps.size()) &&
           (!hasEnded(run) || again.steps.size() == run.steps.size());
}

/// What stands in for one run while an input is exchanged.
struct Ingredients
{
    const Run* context = nullptr;
    RunConfig settings;
    std::shared_ptr<const LanguageModel> model;
};

class Swapper
{
public:
    Swapper(const RepeatableRun& a, const RepeatableRun& b, int threads,
            const std::stop_token& stop, const SwapProgress& progress)
        : m_a(a), m_b(b), m_threads(threads), m_stop(stop), m_progress(progress),
          m_diff(diffTraces(a.run, b.run)), m_byText(!m_diff.sameTokenizer)
    {
        plan();
    }

    Result<SwapGrid> run()
    {
        if (const auto fault = outcomeOf(ingredientsOf(m_a), m_grid.a))
            return *fault;
        if (const auto fault = outcomeOf(ingredientsOf(m_b), m_grid.b))
            return *fault;
        for (InputSwap& swap : m_grid.swaps) {
            if (const auto fault = outcomeOf(exchanged(m_a, m_b, swap), swap.aWithB))
                return *fault;
            if (const auto fault = outcomeOf(exchanged(m_b, m_a, swap), swap.bWithA))
                return *fault;
        }
        return m_grid;
    }

private:
    /// Settings that act on ids do nothing where the ids are given.
    bool isExchanged(const Setting& setting) const
    {
        return m_byText || setting.kind != SettingKind::Context;
    }

    void plan()
    {
        const auto add = [this](RunInput input, std::string setting = {}) {
            m_grid.swaps.push_back({input, std::move(setting), {}, {}});
        };
        const bool otherContext =
            m_byText ? m_a.run.context.text != m_b.run.context.text : !m_diff.sameContext;
        if (otherContext)
            add(RunInput::Context);
        std::vector<std::string> settings;
        for (const Setting& setting : allSettings())
            if (isExchanged(setting) &&
                setting.text(m_a.run.settings) != setting.text(m_b.run.settings))
                settings.emplace_back(setting.name);
        if (!settings.empty())
            add(RunInput::Settings);
        if (settings.size() > 1)
            for (const std::string& setting : settings)
                add(RunInput::Settings, setting);
        if (!m_diff.sameModel || m_byText)
            add(RunInput::Model);
        m_runs = 2 + 2 * static_cast<int>(m_grid.swaps.size());
    }

    static Ingredients ingredientsOf(const RepeatableRun& run)
    {
        return {&run.run, run.run.settings, run.model};
    }

    Ingredients exchanged(const RepeatableRun& own, const RepeatableRun& other,
                          const InputSwap& swap) const
    {
        Ingredients result = ingredientsOf(own);
        switch (swap.input) {
        case RunInput::Context:
            result.context = &other.run;
            break;
        case RunInput::Settings:
            for (const Setting& setting : allSettings())
                if (isExchanged(setting) && (swap.setting.empty() || setting.name == swap.setting))
                    setting.copy(other.run.settings, result.settings);
            break;
        case RunInput::Model:
        case RunInput::Tokenizer:
            result.model = other.model;
            break;
        }
        return result;
    }

    Prompt promptFrom(const Run& run) const
    {
        if (m_byText)
            return run.context.text;
        std::vector<TokenId> ids;
        for (const ContextToken& token : run.context.tokens)
            ids.push_back(token.piece.id);
        return ids;
    }

    /// Why `ingredients` make no run, as far as it can be told before trying.
    std::string faultOf(const Ingredients& ingredients) const
    {
        if (ingredients.model == nullptr)
            return "the model is not open";
        if (m_byText && ingredients.context->context.text.empty())
            return "the context was given as ids, which another tokenizer reads otherwise";
        return "";
    }

    /// Fills `outcome`; an error only where all of the swapping ends.
    std::optional<Error> outcomeOf(const Ingredients& ingredients, SwapOutcome& outcome)
    {
        outcome.fault = faultOf(ingredients);
        if (outcome.fault.empty()) {
            RunConfig config = ingredients.settings;
            if (!m_byText)
                config.chat = config.parseSpecial = false;
            const auto longest =
                static_cast<int>(std::max(m_a.run.steps.size(), m_b.run.steps.size()));
            config.maxNewTokens = std::min(config.maxNewTokens, longest);
            const auto again = runToStop(
                {ingredients.model, promptFrom(*ingredients.context), config, m_threads}, m_stop);
            if (!again)
                outcome.fault = again.error().message;
            else if (again->stop == StopReason::Cancelled)
                return Error{ErrorCode::Cancelled, "the swapping was cancelled"};
            else
                compare(*again, outcome);
        }
        if (m_progress)
            m_progress(++m_done, m_runs);
        return std::nullopt;
    }

    void compare(const Run& again, SwapOutcome& outcome) const
    {
        outcome.likeA = isLike(again, m_a.run);
        outcome.likeB = isLike(again, m_b.run);
        outcome.asA = agreeingSteps(again, m_a.run);
        outcome.asB = agreeingSteps(again, m_b.run);
        outcome.text = again.outputBytes;
    }

    const RepeatableRun& m_a;
    const RepeatableRun& m_b;
    const int m_threads;
    const std::stop_token& m_stop;
    const SwapProgress& m_progress;
    const TraceDiff m_diff;
    const bool m_byText; ///< else the context is given as its ids
    SwapGrid m_grid;
    int m_done = 0;
    int m_runs = 0;
};

} // namespace

Result<SwapGrid> swapInputs(const RepeatableRun& a, const RepeatableRun& b, int threads,
                            const std::stop_token& stop, const SwapProgress& progress)
{
    return Swapper(a, b, threads, stop, progress).run();
}

} // namespace engine
