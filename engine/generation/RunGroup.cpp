#include "engine/generation/RunGroup.h"

#include "engine/generation/Alignment.h"
#include "engine/generation/InputCompare.h"
#include "engine/generation/LanguageModel.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace engine {

namespace {

/// Of each member. They step near each other, so few logits are asked for again.
constexpr std::size_t logitsBudget = std::size_t{64} << 20;

int stepsOf(const Run& run)
{
    return static_cast<int>(run.steps.size());
}

} // namespace

Result<RunGroup> RunGroup::start(const Prompt& prompt, std::vector<GroupMember> members,
                                 int threads)
{
    if (members.empty())
        return Error{ErrorCode::InvalidArgument, "a group of runs: expected at least one"};
    RunGroup group;
    group.m_prompt = prompt;
    group.m_threads = threads;
    for (const GroupMember& input : members)
        if (auto done = group.set(group.count(), input); !done)
            return done.error();
    return group;
}

Result<GenerationSession> RunGroup::begin(const GroupMember& input) const
{
    auto session = GenerationSession::start(input.model, m_prompt, input.config, m_threads);
    if (session)
        session->setLogitsBudget(logitsBudget);
    return session;
}

int RunGroup::longest() const
{
    int most = 0;
    for (const Member& member : m_members)
        most = std::max(most, stepsOf(member.session.run()));
    return most;
}

bool RunGroup::canGoOn() const
{
    return std::any_of(m_members.begin(), m_members.end(),
                       [](const Member& member) { return !member.session.stopReason(); });
}

RunComparison RunGroup::comparison() const
{
    std::vector<const Run*> runs;
    for (const Member& member : m_members)
        runs.push_back(&member.session.run());
    RunComparison found = alignRuns(runs);
    // What is said of two models may be the same while their weights are not.
    for (std::size_t i = 0; i < m_members.size(); ++i)
        if (auto& parting = found.runs[i].parting)
            parting->sameModel = m_members[i].input.model == m_members[0].input.model;
    return found;
}

Result<Done> RunGroup::step(const std::stop_token& stop)
{
    const bool someAreBehind =
        std::any_of(m_members.begin(), m_members.end(), [this](const Member& member) {
            return !member.session.stopReason() && stepsOf(member.session.run()) < longest();
        });
    return advanceTo(longest() + (someAreBehind ? 0 : 1), stop);
}

Result<Done> RunGroup::advanceTo(int steps, const std::stop_token& stop)
{
    bool wasMade = true;
    while (wasMade) {
        wasMade = false;
        // The one that is furthest behind first, so that all arrive together.
        int least = steps;
        for (const Member& member : m_members)
            if (!member.session.stopReason())
                least = std::min(least, stepsOf(member.session.run()));
        for (Member& member : m_members) {
            if (member.session.stopReason() || stepsOf(member.session.run()) > least ||
                least >= steps)
                continue;
            if (auto made = member.session.step(stop); !made)
                return made.error();
            wasMade = true;
        }
    }
    return Done{};
}

void RunGroup::restart()
{
    for (Member& member : m_members)
        member.session.truncate(0);
}

/// The same run under other decoding settings, as far as its picks stay the same.
Result<Done> RunGroup::redecode(int member, const GroupMember& input)
{
    Member& changed = at(member);
    changed.session.setMaxNewTokens(input.config.maxNewTokens);
    auto done = changed.session.redecodeFrom(0, input.config.sampling, {});
    if (done)
        changed.input = input;
    else
        changed.session.setMaxNewTokens(changed.input.config.maxNewTokens);
    return done;
}

Result<Done> RunGroup::set(int member, const GroupMember& input)
{
    if (member < count()) {
        RunConfig other = at(member).input.config;
        other.sampling = input.config.sampling;
        other.maxNewTokens = input.config.maxNewTokens;
        if (input.model == at(member).input.model && other == input.config)
            return redecode(member, input);
    }
    auto session = begin(input);
    if (!session)
        return session.error();
    Member made{input, std::move(*session), std::nullopt};
    if (member < count())
        at(member) = std::move(made);
    else
        m_members.push_back(std::move(made));
    return Done{};
}

void RunGroup::remove(int member)
{
    m_members.erase(m_members.begin() + member);
}

Result<Step> RunGroup::onFirstContext(int member, int step, const std::stop_token& stop)
{
    Member& first = at(0);
    Member& asked = at(member);
    const Run& read = first.session.run();
    if (step < 0 || step >= stepsOf(read))
        return Error{ErrorCode::InvalidArgument,
                     "step " + std::to_string(step) + ": expected one of the " +
                         std::to_string(stepsOf(read)) + " steps of the first run"};
    const SamplingConfig& sampling = asked.input.config.sampling;
    if (asked.input.model == first.input.model)
        return first.session.decodeUnder(step, sampling, stop);
    if (!sameTokenizer(read.tokenizer, asked.session.run().tokenizer))
        return Error{ErrorCode::InvalidArgument,
                     "the two models have different tokenizers, so the ids of the first run's "
                     "context mean another text to the second"};
    if (!asked.probe) {
        std::vector<TokenId> ids;
        for (const ContextToken& token : read.context.tokens)
            ids.push_back(token.piece.id);
        RunConfig endless = asked.input.config; // it only reads where the first run went on
        endless.maxNewTokens = std::numeric_limits<int>::max();
        endless.ignoreStopTokens = true;
        endless.stopTexts.clear();
        auto probe = GenerationSession::start(asked.input.model, ids, endless, m_threads);
        if (!probe)
            return probe.error();
        probe->setLogitsBudget(logitsBudget);
        asked.probe.emplace(std::move(*probe));
    }
    auto adopted = asked.probe->adopt({read.steps.begin(), read.steps.begin() + step}, sampling);
    if (!adopted)
        return adopted.error();
    return asked.probe->step(stop);
}

} // namespace engine
