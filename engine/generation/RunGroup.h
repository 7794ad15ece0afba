#pragma once

#include "engine/api/RunComparison.h"
#include "engine/generation/GenerationSession.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace engine {

/// What makes one run of a group: its own settings, and a model that others may share.
struct GroupMember
{
    std::shared_ptr<const LanguageModel> model;
    RunConfig config;
};

/// Several runs from one prompt that make their steps together. Each is a run of its own, equal to
/// the bit to the same run made alone; only the pace is shared.
/// Thread: one owner at a time; the owner may move it between threads.
class RunGroup
{
public:
    /// Errors: those of GenerationSession::start; InvalidArgument without a member.
    static Result<RunGroup> start(const Prompt& prompt, std::vector<GroupMember> members,
                                  int threads);

    int count() const { return static_cast<int>(m_members.size()); }
    const Run& run(int member) const { return at(member).session.run(); }
    const GroupMember& member(int member) const { return at(member).input; }
    int longest() const;  ///< steps of the run that has most
    bool canGoOn() const; ///< some run has not ended

    /// The runs set beside each other, as alignRuns does; here it is known which share a model.
    RunComparison comparison() const;

    /// The next step of every run that has not ended. Where a cancelled call left some behind, the
    /// step that these lack.
    /// Errors: those of GenerationSession::step; the steps that were made stay.
    Result<Done> step(const std::stop_token& stop);

    /// Every run that has not ended makes steps until it has `steps`, in turns.
    Result<Done> advanceTo(int steps, const std::stop_token& stop);

    void restart(); ///< all back to the starting context

    /// Another member in the place of this one, or behind the last for `count()`. Its run begins
    /// anew; advanceTo(longest()) brings it to the others. Where only what decodes the logits
    /// differs, the steps are decoded again, and the model reads only what is new.
    /// Errors: those of GenerationSession::start; the group is then as it was.
    Result<Done> set(int member, const GroupMember& input);
    void remove(int member);

    /// Step `step` as this member's settings would have made it from the first run's context: from
    /// the first run's own logits where the model is the same, else from those that its model gives
    /// after reading that context. The runs stay as they are.
    /// Errors: InvalidArgument (the first run has no such step; the member's tokenizer is another,
    /// so that the ids of the context mean another text to it), those of GenerationSession::step.
    Result<Step> onFirstContext(int member, int step, const std::stop_token& stop);

private:
    struct Member
    {
        GroupMember input;
        GenerationSession session;
        /// Reads the first run's context with this member's model, where that is another.
        std::optional<GenerationSession> probe;
    };

    Member& at(int member) { return m_members.at(static_cast<std::size_t>(member)); }
    const Member& at(int member) const { return m_members.at(static_cast<std::size_t>(member)); }
    Result<GenerationSession> begin(const GroupMember& input) const;
    Result<Done> redecode(int member, const GroupMember& input);

    Prompt m_prompt;
    int m_threads = 1;
    std::vector<Member> m_members;
};

} // namespace engine
