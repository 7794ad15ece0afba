#include "engine/generation/GenerationSession.h"

#include "engine/decoding/SettingsCheck.h"
#include "engine/generation/Fingerprint.h"
#include "engine/generation/LanguageModel.h"
#include "engine/generation/LogitsStore.h"
#include "engine/generation/Redecode.h"
#include "engine/generation/StartingTokens.h"
#include "engine/model/ForwardState.h"
#include "engine/model/Transformer.h"
#include "engine/tokenizer/Tokenizer.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace engine {

namespace {

constexpr std::size_t defaultLogitsBudget = std::size_t{256} << 20;

Error invalidArgument(std::string message)
{
    return {ErrorCode::InvalidArgument, std::move(message)};
}

/// Nothing was chosen where a token was given.
void forgetChoice(Step& step)
{
    step.forced = false;
    step.ruleChoice = step.picked;
    for (Candidate& candidate : step.candidates)
        candidate.finalProbability = 0;
    for (Candidate& candidate : step.watched)
        candidate.finalProbability = 0;
    step.others.finalProbability = 0;
}

} // namespace

struct GenerationSession::Impl
{
    std::shared_ptr<const LanguageModel> model;
    std::unique_ptr<ForwardState> state;
    std::vector<TokenId> read;    ///< the tokens that `state` has read
    std::vector<TokenId> context; ///< the starting context and the picks behind it
    std::size_t startLength = 0;
    Run run;
    LogitsStore logits{defaultLogitsBudget};
    Decoder decoder;
    std::vector<TokenId> watched;
    int threads = 1;
    /// For promptStep(), made when first needed: the run's own would have to read again all that
    /// comes behind.
    std::unique_ptr<ForwardState> promptState;
    std::size_t promptRead = 0; ///< tokens of the starting context that it has read

    std::size_t lengthAt(int step) const { return startLength + static_cast<std::size_t>(step); }

    Result<std::vector<float>> forward(std::size_t length, const std::stop_token& stop);
    Result<std::vector<float>> forwardPrompt(std::size_t length, const std::stop_token& stop);
    Result<Done> checkIds(std::span<const TokenId> ids) const;
    Result<Done> watchAgain(const std::stop_token& stop);
    Result<const StepLogits*> logitsOf(int step, const std::stop_token& stop);
    DecodeRequest request(int step, const StepLogits& values, const SamplingConfig& sampling,
                          std::optional<TokenId> forced) const;
    Result<Step> decodeRecorded(const Step& recorded, std::span<const TokenId> ids,
                                const std::stop_token& stop);
    Result<Step> decodeAgain(int index, const SamplingConfig& sampling,
                             std::optional<TokenId> forced, const std::stop_token& stop,
                             std::optional<int> attempt = std::nullopt);
    void put(Step step);
    void dropSteps(std::size_t count);
    void updateOutcome();
    std::optional<StopReason> stopNow(const std::string& bytes) const;
};

/// The logits after the first `length` tokens of the context; reads only what the state has not
/// read.
Result<std::vector<float>> GenerationSession::Impl::forward(std::size_t length,
                                                            const std::stop_token& stop)
{
    const auto [differs, unused] =
        std::mismatch(read.begin(), read.end(), context.begin(),
                      context.begin() + static_cast<std::ptrdiff_t>(length));
    // At least the last token is read again: its logits are what is asked for.
    const std::size_t kept = std::min(static_cast<std::size_t>(differs - read.begin()), length - 1);
    if (kept < read.size()) {
        state->truncate(static_cast<int>(kept));
        read.resize(kept);
    }
    const auto fresh = std::span<const TokenId>(context).subspan(kept, length - kept);
    auto result = model->transformer().forward(fresh, *state, stop);
    if (result)
        read.insert(read.end(), fresh.begin(), fresh.end());
    return result;
}

/// The logits after the first `length` tokens of the starting context, by a state of its own.
Result<std::vector<float>> GenerationSession::Impl::forwardPrompt(std::size_t length,
                                                                  const std::stop_token& stop)
{
    if (promptState == nullptr)
        promptState = model->transformer().newState(threads);
    const std::size_t kept = std::min(promptRead, length - 1);
    promptState->truncate(static_cast<int>(kept));
    promptRead = kept;
    const auto fresh = std::span<const TokenId>(context).subspan(kept, length - kept);
    auto result = model->transformer().forward(fresh, *promptState, stop);
    if (result)
        promptRead = length;
    return result;
}

Result<Done> GenerationSession::Impl::checkIds(std::span<const TokenId> ids) const
{
    for (const TokenId id : ids)
        if (id.value < 0 || id.value >= run.model.vocabularySize)
            return invalidArgument("token: expected an id from 0 to " +
                                   std::to_string(run.model.vocabularySize - 1) + ", found " +
                                   std::to_string(id.value));
    return Done{};
}

/// Puts what is watched now into the steps whose logits are here.
Result<Done> GenerationSession::Impl::watchAgain(const std::stop_token& stop)
{
    for (Step& step : run.steps) {
        if (stop.stop_requested())
            return Error{ErrorCode::Cancelled, "cancelled"};
        const auto isAsked = [](const Candidate& candidate, TokenId id) {
            return candidate.piece.id == id;
        };
        if (std::equal(step.watched.begin(), step.watched.end(), watched.begin(), watched.end(),
                       isAsked) ||
            logits.find(step.index) == nullptr)
            continue;
        auto again = decodeRecorded(step, watched, stop);
        if (!again)
            return again.error();
        step.watched = std::move(again->watched);
    }
    return Done{};
}

Result<const StepLogits*> GenerationSession::Impl::logitsOf(int step, const std::stop_token& stop)
{
    if (const StepLogits* kept = logits.find(step))
        return kept;
    const auto begin = std::chrono::steady_clock::now();
    auto values = forward(lengthAt(step), stop);
    if (!values)
        return values.error();
    const auto time = std::chrono::duration_cast<std::chrono::microseconds>(
        std::chrono::steady_clock::now() - begin);
    return &logits.put(step, {std::move(*values), time});
}

DecodeRequest GenerationSession::Impl::request(int step, const StepLogits& values,
                                               const SamplingConfig& sampling,
                                               std::optional<TokenId> forced) const
{
    return {.logits = values.values,
            .context = std::span<const TokenId>(context).first(lengthAt(step)),
            .stepIndex = step,
            .sampling = sampling,
            .topCandidates = run.settings.topCandidates,
            .forced = forced,
            .namedIds = model->namedIds(),
            .watched = watched};
}

/// The step as it was made, with these ids watched.
Result<Step> GenerationSession::Impl::decodeRecorded(const Step& recorded,
                                                     std::span<const TokenId> ids,
                                                     const std::stop_token& stop)
{
    const auto values = logitsOf(recorded.index, stop);
    if (!values)
        return values.error();
    const auto forced = recorded.forced ? std::optional(recorded.picked) : std::nullopt;
    DecodeRequest again = request(recorded.index, **values, recorded.sampling, forced);
    again.drawAttempt = recorded.draw ? recorded.draw->attempt : 0;
    again.watched = ids;
    return redecode(recorded, again, decoder, model->tokenizer());
}

/// Without an attempt named, that of the step as it is, as long as the seed is.
Result<Step> GenerationSession::Impl::decodeAgain(int index, const SamplingConfig& sampling,
                                                  std::optional<TokenId> forced,
                                                  const std::stop_token& stop,
                                                  std::optional<int> attempt)
{
    const auto values = logitsOf(index, stop);
    if (!values)
        return values.error();
    const Step& old = run.steps[static_cast<std::size_t>(index)];
    DecodeRequest again = request(index, **values, sampling, forced);
    if (attempt)
        again.drawAttempt = *attempt;
    else if (old.draw && old.sampling.seed == sampling.seed)
        again.drawAttempt = old.draw->attempt;
    return redecode(old, again, decoder, model->tokenizer());
}

/// Appends the next step, or puts one in the place of an earlier one, behind which, if its pick is
/// another, nothing stays.
void GenerationSession::Impl::put(Step step)
{
    const auto index = static_cast<std::size_t>(step.index);
    const TokenId picked = step.picked;
    if (index < run.steps.size()) {
        if (run.steps[index].picked == picked) {
            run.steps[index] = std::move(step);
            return;
        }
        dropSteps(index);
    }
    run.steps.push_back(std::move(step));
    context.push_back(picked);
}

/// Leaves the first `count` steps. The logits that followed the last of them are still those of the
/// next step.
void GenerationSession::Impl::dropSteps(std::size_t count)
{
    run.steps.resize(count);
    context.resize(startLength + count);
    logits.dropFrom(static_cast<int>(count) + 1);
}

void GenerationSession::Impl::updateOutcome()
{
    std::vector<TokenId> ids(context.begin() + static_cast<std::ptrdiff_t>(startLength),
                             context.end());
    // The output goes on where the prompt ended, unless nothing but special tokens came before it.
    const bool atStart = std::all_of(
        run.context.tokens.begin(), run.context.tokens.end(),
        [](const ContextToken& token) { return token.piece.kind == TokenKind::Control; });
    const Tokenizer& tokenizer = model->tokenizer();
    run.outputBytes = tokenizer.decode(ids, atStart);
    run.stop = stopNow(run.outputBytes);
    if (run.stop == StopReason::StopToken) {
        ids.pop_back();
        run.outputBytes = tokenizer.decode(ids, atStart);
    }
    run.output.clear();
    for (const TokenId id : ids)
        run.output.push_back(tokenizer.piece(id));
}

std::optional<StopReason> GenerationSession::Impl::stopNow(const std::string& bytes) const
{
    const std::vector<TokenId>& stopTokens = model->stopTokens();
    if (!run.steps.empty()) {
        const TokenId last = run.steps.back().picked;
        if (!run.settings.ignoreStopTokens &&
            std::find(stopTokens.begin(), stopTokens.end(), last) != stopTokens.end())
            return StopReason::StopToken;
        for (const std::string& text : run.settings.stopTexts)
            if (bytes.find(text) != std::string::npos)
                return StopReason::StopText;
    }
    if (run.steps.size() >= static_cast<std::size_t>(run.settings.maxNewTokens))
        return StopReason::MaxNewTokens;
    if (context.size() > static_cast<std::size_t>(run.model.contextLength))
        return StopReason::ContextFull;
    return std::nullopt;
}

GenerationSession::GenerationSession() : m_impl(std::make_unique<Impl>()) {}
GenerationSession::GenerationSession(GenerationSession&&) noexcept = default;
GenerationSession& GenerationSession::operator=(GenerationSession&&) noexcept = default;
GenerationSession::~GenerationSession() = default;

Result<GenerationSession> GenerationSession::start(std::shared_ptr<const LanguageModel> model,
                                                   const Prompt& prompt, const RunConfig& config,
                                                   int threads)
{
    if (const auto valid = validate(config); !valid)
        return valid.error();
    if (threads < 1)
        return invalidArgument("threads: expected a whole number from 1 up, found " +
                               std::to_string(threads));
    auto starting = startingContext(*model, prompt, config);
    if (!starting)
        return starting.error();
    GenerationSession session;
    Impl& impl = *session.m_impl;
    for (const ContextToken& token : starting->tokens)
        impl.context.push_back(token.piece.id);
    impl.startLength = impl.context.size();
    starting->sha256 = contextDigest(impl.context);
    impl.run.program = "tokenscope " TOKENSCOPE_VERSION;
    impl.run.context = std::move(*starting);
    impl.run.settings = config;
    impl.run.model = model->info();
    impl.run.tokenizer = model->tokenizerInfo();
    impl.state = model->transformer().newState(threads);
    impl.threads = threads;
    impl.model = std::move(model);
    impl.updateOutcome();
    return session;
}

const Run& GenerationSession::run() const
{
    return m_impl->run;
}

Result<Step> GenerationSession::step(const std::stop_token& stop)
{
    Impl& impl = *m_impl;
    if (impl.run.stop && *impl.run.stop != StopReason::Cancelled)
        return invalidArgument("the run has stopped (" + std::string(name(*impl.run.stop)) +
                               "), so there is no next step");
    const int index = static_cast<int>(impl.run.steps.size());
    const auto values = impl.logitsOf(index, stop);
    if (!values)
        return values.error();
    auto step = decodeStep(impl.request(index, **values, impl.run.settings.sampling, std::nullopt),
                           impl.decoder, impl.model->tokenizer());
    if (!step)
        return step.error();
    step->timings.forward = (*values)->forward;
    impl.put(*step);
    impl.updateOutcome();
    return step;
}

Result<Done> GenerationSession::redecodeFrom(int index, const SamplingConfig& sampling,
                                             const std::stop_token& stop)
{
    Impl& impl = *m_impl;
    const int count = static_cast<int>(impl.run.steps.size());
    if (index < 0 || index > count)
        return invalidArgument("step " + std::to_string(index) + ": expected one from 0 to " +
                               std::to_string(count));
    if (const auto valid = validate(sampling); !valid)
        return valid.error();
    // First all the new steps, then the change, so that an error leaves the run as it was.
    std::vector<Step> again;
    for (int i = index; i < count; ++i) {
        const Step& old = impl.run.steps[static_cast<std::size_t>(i)];
        const auto forced = old.forced ? std::optional(old.picked) : std::nullopt;
        auto step = impl.decodeAgain(i, sampling, forced, stop);
        if (!step)
            return step.error();
        const bool parted = step->picked != old.picked;
        again.push_back(std::move(*step));
        if (parted)
            break;
    }
    impl.run.settings.sampling = sampling;
    for (Step& step : again)
        impl.put(std::move(step));
    impl.updateOutcome();
    return Done{};
}

Result<Step> GenerationSession::decodeUnder(int index, const SamplingConfig& sampling,
                                            const std::stop_token& stop)
{
    const int count = static_cast<int>(m_impl->run.steps.size());
    if (index < 0 || index >= count)
        return invalidArgument("step " + std::to_string(index) + ": expected one of the " +
                               std::to_string(count) + " steps made, counted from 0");
    if (const auto valid = validate(sampling); !valid)
        return valid.error();
    return m_impl->decodeAgain(index, sampling, std::nullopt, stop);
}

Result<Done> GenerationSession::force(int index, TokenId token, const std::stop_token& stop)
{
    Impl& impl = *m_impl;
    const int count = static_cast<int>(impl.run.steps.size());
    if (index < 0 || index >= count)
        return invalidArgument("step " + std::to_string(index) + ": expected one of the " +
                               std::to_string(count) + " steps made, counted from 0");
    const Step& old = impl.run.steps[static_cast<std::size_t>(index)];
    const auto forced = token == old.ruleChoice ? std::nullopt : std::optional(token);
    auto step = impl.decodeAgain(index, old.sampling, forced, stop);
    if (!step)
        return step.error();
    impl.put(std::move(*step));
    impl.updateOutcome();
    return Done{};
}

Result<Done> GenerationSession::redraw(int index, int attempt, const std::stop_token& stop)
{
    Impl& impl = *m_impl;
    const int count = static_cast<int>(impl.run.steps.size());
    if (index < 0 || index >= count)
        return invalidArgument("step " + std::to_string(index) + ": expected one of the " +
                               std::to_string(count) + " steps made, counted from 0");
    if (attempt < 0)
        return invalidArgument("attempt: expected a whole number from 0, found " +
                               std::to_string(attempt));
    const Step& old = impl.run.steps[static_cast<std::size_t>(index)];
    if (!old.draw)
        return invalidArgument(
            "step " + std::to_string(index) +
            ": greedy decoding draws nothing, so there is nothing to draw again");
    auto step = impl.decodeAgain(index, old.sampling, std::nullopt, stop, attempt);
    if (!step)
        return step.error();
    impl.put(std::move(*step));
    impl.updateOutcome();
    return Done{};
}

Result<Done> GenerationSession::adopt(std::vector<Step> steps, const SamplingConfig& sampling)
{
    Impl& impl = *m_impl;
    if (const auto valid = validate(sampling); !valid)
        return valid.error();
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const Step& step = steps[i];
        const std::int32_t id = step.picked.value;
        if (step.index != static_cast<int>(i) ||
            step.contextLength != static_cast<int>(impl.startLength + i) || id < 0 ||
            id >= impl.run.model.vocabularySize)
            return invalidArgument("step " + std::to_string(i) + ": it is not one of this run");
    }
    const auto samePick = [](const Step& a, const Step& b) { return a.picked == b.picked; };
    const auto [parted, unused] = std::mismatch(impl.run.steps.begin(), impl.run.steps.end(),
                                                steps.begin(), steps.end(), samePick);
    impl.dropSteps(static_cast<std::size_t>(parted - impl.run.steps.begin()));
    impl.run.steps = std::move(steps);
    for (std::size_t i = impl.context.size() - impl.startLength; i < impl.run.steps.size(); ++i)
        impl.context.push_back(impl.run.steps[i].picked);
    impl.run.settings.sampling = sampling;
    impl.updateOutcome();
    return impl.watchAgain({});
}

Result<Done> GenerationSession::watch(std::vector<TokenId> ids, const std::stop_token& stop)
{
    Impl& impl = *m_impl;
    if (const auto valid = impl.checkIds(ids); !valid)
        return valid.error();
    impl.watched = std::move(ids);
    return impl.watchAgain(stop);
}

Result<std::vector<Candidate>> GenerationSession::lookUp(int index, std::span<const TokenId> ids,
                                                         const std::stop_token& stop)
{
    Impl& impl = *m_impl;
    const int count = static_cast<int>(impl.run.steps.size());
    if (index < 0 || index >= count)
        return invalidArgument("step " + std::to_string(index) + ": expected one of the " +
                               std::to_string(count) + " steps made, counted from 0");
    if (const auto valid = impl.checkIds(ids); !valid)
        return valid.error();
    auto step = impl.decodeRecorded(impl.run.steps[static_cast<std::size_t>(index)], ids, stop);
    if (!step)
        return step.error();
    return std::move(step->watched);
}

Result<Step> GenerationSession::promptStep(int position, const std::stop_token& stop)
{
    Impl& impl = *m_impl;
    const int count = static_cast<int>(impl.startLength);
    if (position < 1 || position >= count)
        return invalidArgument("prompt token " + std::to_string(position) +
                               ": expected one from 1 to " + std::to_string(count - 1) +
                               "; the model expects nothing before the first");
    const auto begin = std::chrono::steady_clock::now();
    auto values = impl.forwardPrompt(static_cast<std::size_t>(position), stop);
    if (!values)
        return values.error();
    const auto time = std::chrono::duration_cast<std::chrono::microseconds>(
        std::chrono::steady_clock::now() - begin);
    const StepLogits logits{std::move(*values), time};
    auto step = decodeStep(impl.request(position - count, logits, SamplingConfig(),
                                        impl.context[static_cast<std::size_t>(position)]),
                           impl.decoder, impl.model->tokenizer());
    if (step) {
        forgetChoice(*step);
        step->timings.forward = time;
    }
    return step;
}

void GenerationSession::truncate(int count)
{
    Impl& impl = *m_impl;
    const auto kept = static_cast<std::size_t>(std::max(count, 0));
    if (kept >= impl.run.steps.size())
        return;
    impl.dropSteps(kept);
    impl.updateOutcome();
}

void GenerationSession::cancel()
{
    if (!m_impl->run.stop)
        m_impl->run.stop = StopReason::Cancelled;
}

void GenerationSession::setMaxNewTokens(int count)
{
    m_impl->run.settings.maxNewTokens = std::max(count, 0);
    m_impl->updateOutcome();
}

void GenerationSession::setLogitsBudget(std::size_t bytes)
{
    m_impl->logits.setBudget(bytes);
}

} // namespace engine
