#pragma once

#include "engine/api/Error.h"
#include "engine/api/Run.h"
#include "engine/api/RunConfig.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace engine {

class LanguageModel;

/// Where a run begins: text to be tokenized, or ids as they are.
using Prompt = std::variant<std::string, std::vector<TokenId>>;

/// One run: the caller pulls one Step at a time, so pausing is not calling.
///
/// A step reads the context, gets logits, decodes and appends its pick. The logits of every step
/// are kept (recomputed when memory for them runs out), so that a step can be decoded again under
/// other settings, or another token put in its place, with no model call.
/// Thread: one owner at a time; the owner may move it between threads.
class GenerationSession
{
public:
    /// Tokenizes the prompt; runs nothing yet. A prompt longer than the model's context gives a
    /// session that has already stopped with ContextFull. `threads` is at least 1.
    /// Errors: InvalidArgument (empty context, bad ids, settings out of range), those of encode;
    /// UnsupportedFeature where the chat template of `config.chat` cannot be followed.
    static Result<GenerationSession> start(std::shared_ptr<const LanguageModel> model,
                                           const Prompt& prompt, const RunConfig& config,
                                           int threads);
    GenerationSession(GenerationSession&&) noexcept;
    GenerationSession& operator=(GenerationSession&&) noexcept;
    ~GenerationSession();

    /// Everything so far. Valid until the next call that changes the session.
    const Run& run() const;

    /// Nothing while the run can go on.
    std::optional<StopReason> stopReason() const { return run().stop; }

    /// Makes the next step and appends it to the run. To be called while stopReason() is empty, or
    /// Cancelled to go on after all.
    /// Errors: Cancelled (the session is as it was and can go on), NotFinite; InvalidArgument where
    /// the run has stopped.
    Result<Step> step(const std::stop_token& stop);

    /// Decodes step `index` and those after it again under `sampling`, which also holds for the
    /// steps to come. Steps behind a pick that changed are dropped, since they followed another
    /// token. Forced picks stay forced. No model call while the logits are in memory. `index` may
    /// be the number of steps: then only the steps to come are concerned.
    /// Errors: InvalidArgument; Cancelled while logits were computed again. The run is then as it
    /// was.
    Result<Done> redecodeFrom(int index, const SamplingConfig& sampling,
                              const std::stop_token& stop);

    /// Step `index` as `sampling` would have made it from the same logits; the run stays as it is.
    /// Errors: InvalidArgument (settings out of range, no such step); Cancelled as above.
    Result<Step> decodeUnder(int index, const SamplingConfig& sampling,
                             const std::stop_token& stop);

    /// Puts `token` in the place of the pick of step `index`; steps behind it are dropped if the
    /// pick changes. `token` equal to the rule's choice takes a forcing back.
    /// Errors: InvalidArgument (no such step, id outside the vocabulary); Cancelled as above.
    Result<Done> force(int index, TokenId token, const std::stop_token& stop);

    /// Draws step `index` again with its `attempt`-th further random number, 0 for its own; steps
    /// behind it are dropped if the pick changes, and a forcing is taken back. The attempt stays
    /// when the step is decoded again under the same seed.
    /// Errors: InvalidArgument (no such step; one without a draw; a negative attempt); Cancelled
    /// as above.
    Result<Done> redraw(int index, int attempt, const std::stop_token& stop);

    /// Puts `steps`, as this run once had them, in the place of those made, and goes on under
    /// `sampling`. They are taken as recorded: nothing is decoded, and logits of contexts that both
    /// share stay in memory.
    /// Errors: InvalidArgument (settings out of range; a step that is not in its place, or whose
    /// pick is outside the vocabulary). The run is then as it was.
    Result<Done> adopt(std::vector<Step> steps, const SamplingConfig& sampling);

    /// Records these ids in `Step::watched` of the steps to come, and of those made as far as their
    /// logits are in memory; the others keep what they have. Nothing else of a step changes.
    /// Errors: InvalidArgument (an id outside the vocabulary); Cancelled (some steps are done).
    Result<Done> watch(std::vector<TokenId> ids, const std::stop_token& stop);

    /// What step `index` saw of these ids, in their order, from the logits it was decoded from. The
    /// run does not change.
    /// Errors: InvalidArgument (no such step, an id outside the vocabulary); Cancelled.
    Result<std::vector<Candidate>> lookUp(int index, std::span<const TokenId> ids,
                                          const std::stop_token& stop);

    /// What the model expected where the starting context has its token `position`, from 1: a step
    /// of that token's predecessors with the token as its pick. Nothing was chosen there, so it has
    /// no stages, no draw and no final probabilities. Its index is `position` less the number of
    /// starting tokens, so it is negative. Reads the predecessors again, apart from the run, which
    /// does not change.
    /// Errors: InvalidArgument (no such position; nothing stands before 0), NotFinite; Cancelled.
    Result<Step> promptStep(int position, const std::stop_token& stop);

    /// Drops the steps from `count` on; the tokens before them need not be read again.
    void truncate(int count);

    /// Marks a run that the user ended. step() may go on from it: the mark is lifted again.
    void cancel();

    void setMaxNewTokens(int count); ///< >= 0; lifts or sets a length stop accordingly

    /// Memory for the logits of past steps, 256 MB unless set. Those in use are kept whatever it
    /// is; what does not fit is computed again when needed.
    void setLogitsBudget(std::size_t bytes);

private:
    GenerationSession();
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace engine
