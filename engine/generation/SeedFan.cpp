#include "engine/generation/SeedFan.h"

#include "engine/generation/StepCompare.h"

#include <utility>

namespace engine {

namespace {

/// Goes on to a stop.
Result<Done> finish(GenerationSession& session, const std::stop_token& stop,
                    const std::function<void(int steps)>& progress)
{
    while (!session.stopReason()) {
        const auto step = session.step(stop);
        if (!step)
            return step.error();
        progress(step->index + 1);
    }
    return Done{};
}

} // namespace

FanPath fanPath(const Run& run)
{
    FanPath path;
    if (run.settings.sampling.rule == DecodingRule::Sample)
        path.seed = run.settings.sampling.seed;
    double sum = 0;
    for (const Step& step : run.steps) {
        path.picks.push_back(pickedPiece(step));
        const Candidate* picked = step.find(step.picked);
        sum += picked != nullptr ? static_cast<double>(picked->logit) - step.logSumExp : 0.0;
        path.logProbability.push_back(sum);
    }
    path.text = run.outputBytes;
    path.stop = run.stop;
    return path;
}

Result<SeedFan> seedFan(const RunInputs& inputs, int count, const std::stop_token& stop,
                        const FanProgress& progress)
{
    SeedFan fan;
    fan.sampling = inputs.config.sampling;
    fan.sampling.rule = DecodingRule::Sample;
    RunConfig config = inputs.config;
    config.sampling.rule = DecodingRule::Greedy;
    auto session = GenerationSession::start(inputs.model, inputs.prompt, config, inputs.threads);
    if (!session)
        return session.error();
    const auto report = [&](int seedsDone) {
        return [&progress, seedsDone](int steps) {
            if (progress)
                progress(seedsDone, steps);
        };
    };
    if (const auto done = finish(*session, stop, report(-1)); !done)
        return done.error();
    fan.greedy = fanPath(session->run());
    for (int i = 0; i < count; ++i) {
        SamplingConfig sampling = fan.sampling;
        sampling.seed += static_cast<std::uint64_t>(i); // past the last comes 0
        auto done = session->redecodeFrom(0, sampling, stop);
        if (done)
            done = finish(*session, stop, report(i));
        if (!done)
            return done.error();
        fan.seeds.push_back(fanPath(session->run()));
    }
    return fan;
}

} // namespace engine
