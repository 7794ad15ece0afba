#include "engine/generation/RunCheck.h"

#include "engine/generation/NearTie.h"
#include "engine/generation/RunFingerprint.h"
#include "engine/generation/TraceDiff.h"

#include <optional>
#include <utility>

namespace engine {

Prompt promptOf(const Run& run)
{
    if (!run.context.text.empty())
        return run.context.text;
    std::vector<TokenId> ids;
    for (const ContextToken& token : run.context.tokens)
        ids.push_back(token.piece.id);
    return ids;
}

Result<Run> runToStop(const RunInputs& inputs, const std::stop_token& stop, const RunWatcher& watch)
{
    auto session =
        GenerationSession::start(inputs.model, inputs.prompt, inputs.config, inputs.threads);
    if (!session)
        return session.error();
    if (watch)
        watch(session->run());
    while (!session->stopReason()) {
        const auto step = session->step(stop);
        if (!step && step.error().code == ErrorCode::Cancelled) {
            session->cancel();
            break;
        }
        if (!step)
            return step.error();
        if (watch)
            watch(session->run());
    }
    return session->run();
}

CheckedRun checkedRun(const Run& first, const Run& run, int threads)
{
    CheckedRun result;
    result.fingerprint = fingerprintOf(run);
    result.threads = threads;
    result.stepCount = static_cast<int>(run.steps.size());
    result.stop = run.stop;
    result.partsAt = firstDifference(fingerprintOf(first), result.fingerprint);
    const TraceDiff diff = diffTraces(first, run);
    result.same = diff.same;
    if (!diff.same)
        result.sentence = diff.sentence;
    return result;
}

Result<RunCheck> checkRuns(const RunInputs& inputs, int count, const std::stop_token& stop,
                           const CheckProgress& progress)
{
    RunCheck check;
    std::optional<Run> first;
    for (int i = 0; i < count; ++i) {
        RunInputs again = inputs;
        if (i > 0)
            again.threads = 1 + (i - 1) % inputs.threads;
        auto run = runToStop(again, stop, [&](const Run& current) {
            if (progress)
                progress(i, static_cast<int>(current.steps.size()));
        });
        if (!run)
            return run.error();
        if (run->stop == StopReason::Cancelled)
            return Error{ErrorCode::Cancelled, "the check was cancelled"};
        if (!first)
            first = std::move(*run);
        check.runs.push_back(i == 0 ? checkedRun(*first, *first, again.threads)
                                    : checkedRun(*first, *run, again.threads));
    }
    if (first)
        check.closeCalls = closeCalls(*first);
    return check;
}

} // namespace engine
