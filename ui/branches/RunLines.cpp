#include "ui/branches/RunLines.h"

#include "ui/NumberText.h"
#include "ui/StepModel.h"
#include "ui/TokenText.h"

#include <QStringList>

#include <algorithm>

namespace ui {
namespace {

bool samePicks(const std::vector<engine::Step>& a, const std::vector<engine::Step>& b)
{
    return std::equal(
        a.begin(), a.end(), b.begin(), b.end(),
        [](const engine::Step& x, const engine::Step& y) { return x.picked == y.picked; });
}

/// Whether stepping on from the start would not give this step again.
bool isByHand(const engine::Step& step)
{
    return step.forced || (step.draw && step.draw->attempt > 0);
}

QString settingChange(const char* name, double before, double after)
{
    return RunLines::tr("%1 %2 → %3")
        .arg(RunLines::tr(name), settingText(before), settingText(after));
}

} // namespace

QString changedSettings(const engine::SamplingConfig& a, const engine::SamplingConfig& b)
{
    QStringList parts;
    if (a.rule != b.rule)
        parts << (b.rule == engine::DecodingRule::Greedy ? RunLines::tr("greedy")
                                                         : RunLines::tr("sample"));
    const auto compare = [&](const char* name, double before, double after) {
        if (before != after)
            parts << settingChange(name, before, after);
    };
    compare(QT_TRANSLATE_NOOP("ui::RunLines", "temperature"), a.temperature, b.temperature);
    compare(QT_TRANSLATE_NOOP("ui::RunLines", "top-k"), static_cast<double>(a.topK),
            static_cast<double>(b.topK));
    compare(QT_TRANSLATE_NOOP("ui::RunLines", "top-p"), a.topP, b.topP);
    compare(QT_TRANSLATE_NOOP("ui::RunLines", "min-p"), a.minP, b.minP);
    compare(QT_TRANSLATE_NOOP("ui::RunLines", "repetition penalty"), a.repetitionPenalty,
            b.repetitionPenalty);
    if (a.order != b.order)
        parts << RunLines::tr("another order of the chain");
    if (a.seed != b.seed)
        parts << RunLines::tr("seed %1").arg(b.seed);
    return parts.join(QStringLiteral(", "));
}

QString partingCause(const engine::Step& before, const engine::Step& after)
{
    if (after.forced)
        return RunLines::tr("forced");
    if (const QString settings = changedSettings(before.sampling, after.sampling);
        !settings.isEmpty())
        return settings;
    if (after.draw && before.draw && after.draw->attempt != before.draw->attempt)
        return RunLines::tr("drawn again");
    if (before.forced)
        return RunLines::tr("the rule's own choice");
    return RunLines::tr("made again");
}

engine::SamplingConfig RunLine::sampling() const
{
    return steps.empty() ? engine::SamplingConfig() : steps.back().sampling;
}

RunLines::RunLines(StepModel* steps, QObject* parent) : QObject(parent), m_steps(steps)
{
    connect(m_steps, &StepModel::runChanged, this, &RunLines::begin);
    connect(m_steps, &StepModel::stepsChanged, this, &RunLines::follow);
    begin();
}

const RunLine* RunLines::find(int id) const
{
    const auto found = std::find_if(m_lines.begin(), m_lines.end(),
                                    [id](const RunLine& line) { return line.id == id; });
    return found == m_lines.end() ? nullptr : &*found;
}

RunLine& RunLines::currentLine()
{
    return const_cast<RunLine&>(*find(m_current));
}

/// Another run: its lines are none of the one before it.
void RunLines::begin()
{
    m_lines.clear();
    m_undo.clear();
    m_redo.clear();
    m_pending.reset();
    m_current = -1;
    if (!m_steps->run().context.tokens.empty() || !m_steps->isEmpty()) {
        RunLine line;
        line.id = m_current = m_nextId++;
        line.steps = m_steps->run().steps;
        m_lines.push_back(std::move(line));
    }
    Q_EMIT changed();
}

void RunLines::follow(int from)
{
    if (m_current < 0)
        return begin();
    if (arrive()) {
        Q_EMIT changed();
        return;
    }
    const std::vector<engine::Step>& now = m_steps->run().steps;
    const std::vector<engine::Step>& before = currentLine().steps;
    const std::size_t common = std::min(now.size(), before.size());
    auto at = std::min(static_cast<std::size_t>(std::max(from, 0)), common);
    while (at < common && now[at].picked == before[at].picked)
        ++at;
    const bool parts = at < common;
    // Started over: what is gone comes again by stepping, unless the user had a hand in it.
    const bool losesWork =
        at == now.size() &&
        std::any_of(before.begin() + static_cast<std::ptrdiff_t>(at), before.end(), isByHand);
    if (parts || losesWork) {
        fork(static_cast<int>(at));
    } else {
        const auto first = static_cast<std::ptrdiff_t>(std::min<std::size_t>(
            static_cast<std::size_t>(std::max(from, 0)), std::min(now.size(), before.size())));
        std::vector<engine::Step>& steps = currentLine().steps;
        steps.erase(steps.begin() + first, steps.end());
        steps.insert(steps.end(), now.begin() + first, now.end());
    }
    Q_EMIT changed();
}

bool RunLines::arrive()
{
    if (!m_pending)
        return false;
    const RunLine* asked = find(m_pending->id);
    if (asked == nullptr || !samePicks(asked->steps, m_steps->run().steps))
        return false;
    const Pending done = *m_pending;
    m_pending.reset();
    if (done.move == Move::Undo) {
        m_undo.pop_back();
        m_redo.push_back(m_current);
    } else {
        if (done.move == Move::Redo)
            m_redo.pop_back();
        else
            m_redo.clear();
        m_undo.push_back(m_current);
    }
    m_current = done.id;
    currentLine().steps = m_steps->run().steps;
    return true;
}

/// The steps on screen part from the current line at step `at`. While a setting is being moved one
/// line takes the place of the one before it, which nobody has gone on with.
void RunLines::fork(int at)
{
    const std::vector<engine::Step>& now = m_steps->run().steps;
    const RunLine& old = currentLine();
    const auto place = static_cast<std::size_t>(at);
    const bool hasBoth = place < now.size() && place < old.steps.size();
    const RunLine* parent = find(old.parent);
    const bool stillMoving = hasBoth && parent != nullptr && old.fork == at &&
                             static_cast<int>(old.steps.size()) == at + 1 && !now[place].forced &&
                             !old.steps[place].forced &&
                             now[place].sampling != old.steps[place].sampling &&
                             place < parent->steps.size();
    if (stillMoving) {
        RunLine& line = currentLine();
        line.steps = now;
        line.cause = partingCause(parent->steps[place], now[place]);
        return;
    }
    // A forcing taken back, or a setting: what had followed comes back with it.
    if (const RunLine* known = hasBoth ? lineWith(now) : nullptr; known && known->id != m_current)
        return request(known->id, Move::Choose);
    RunLine line;
    line.parent = m_current;
    line.fork = at;
    line.cause = hasBoth ? partingCause(old.steps[place], now[place]) : tr("started again");
    line.steps = now;
    m_undo.push_back(m_current);
    m_redo.clear();
    m_pending.reset();
    line.id = m_current = m_nextId++;
    m_lines.push_back(std::move(line));
    forget();
}

/// A line that goes on from these steps, all made as it made them.
const RunLine* RunLines::lineWith(const std::vector<engine::Step>& beginning) const
{
    const auto goesOn = [&](const RunLine& line) {
        if (line.steps.size() < beginning.size())
            return false;
        return std::equal(beginning.begin(), beginning.end(), line.steps.begin(),
                          [](const engine::Step& x, const engine::Step& y) {
                              return x.picked == y.picked && x.forced == y.forced &&
                                     x.sampling == y.sampling && x.draw == y.draw;
                          });
    };
    const auto found = std::find_if(m_lines.begin(), m_lines.end(), goesOn);
    return found == m_lines.end() ? nullptr : &*found;
}

void RunLines::forget()
{
    if (static_cast<int>(m_lines.size()) <= mostLines)
        return;
    const auto isLeaf = [this](const RunLine& line) {
        return line.id != m_current &&
               std::none_of(m_lines.begin(), m_lines.end(),
                            [&](const RunLine& other) { return other.parent == line.id; });
    };
    const auto oldest = std::find_if(m_lines.begin(), m_lines.end(), isLeaf);
    if (oldest == m_lines.end())
        return; // one long chain: each grew from the one before
    std::erase(m_undo, oldest->id);
    std::erase(m_redo, oldest->id);
    m_lines.erase(oldest);
}

void RunLines::request(int id, Move move)
{
    const RunLine* line = find(id);
    if (line == nullptr || id == m_current)
        return;
    m_pending = Pending{id, move};
    Q_EMIT lineRequested(*line);
}

void RunLines::switchTo(int id)
{
    request(id, Move::Choose);
}

void RunLines::undo()
{
    if (!m_undo.empty())
        request(m_undo.back(), Move::Undo);
}

void RunLines::redo()
{
    if (!m_redo.empty())
        request(m_redo.back(), Move::Redo);
}

} // namespace ui
