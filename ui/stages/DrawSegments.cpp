#include "ui/stages/DrawSegments.h"

#include <algorithm>
#include <cstddef>

namespace ui {
namespace {

using engine::Candidate;
using engine::Step;

// Sums of doubles written in another order than the draw's differ in the last bits.
constexpr double rounding = 1e-9;

std::vector<const Candidate*> inDrawOrder(const Step& step)
{
    std::vector<const Candidate*> order;
    for (const Candidate& candidate : step.candidates)
        if (candidate.finalProbability > 0)
            order.push_back(&candidate);
    std::sort(order.begin(), order.end(), [](const Candidate* a, const Candidate* b) {
        return a->finalProbability != b->finalProbability
                   ? a->finalProbability > b->finalProbability
                   : a->piece.id < b->piece.id;
    });
    return order;
}

DrawSegment segmentOf(const Candidate& candidate, const Step& step)
{
    DrawSegment segment;
    segment.piece = candidate.piece;
    segment.isArgmax = candidate.piece.id == step.argmax;
    segment.isPicked = step.index >= 0 && candidate.piece.id == step.ruleChoice;
    return segment;
}

/// Ends the bar at `end`: a slice for the tokens not listed, or the last slice drawn out to it
/// where only rounding is missing.
void closeAt(std::vector<DrawSegment>& bar, double end)
{
    const double at = bar.empty() ? 0 : bar.back().high;
    if (end - at > rounding)
        bar.push_back({at, end, std::nullopt, false, false});
    else if (!bar.empty())
        bar.back().high = end;
}

void append(std::vector<DrawSegment>& bar, DrawSegment segment, double width, double limit)
{
    segment.low = bar.empty() ? 0 : bar.back().high;
    segment.high = std::min(segment.low + width, limit);
    if (segment.high > segment.low)
        bar.push_back(std::move(segment));
}

std::vector<DrawSegment> greedyBar(const Step& step)
{
    std::vector<DrawSegment> bar;
    for (const Candidate& candidate : step.candidates)
        append(bar, segmentOf(candidate, step), candidate.probability, 1);
    closeAt(bar, 1);
    return bar;
}

} // namespace

std::vector<DrawSegment> drawSegments(const Step& step)
{
    if (step.candidates.empty())
        return {};
    if (!step.draw)
        return greedyBar(step);

    const auto order = inDrawOrder(step);
    // The rule's choice may be a token that is not listed, or have unlisted ones before it: the
    // slice [low, high) is known all the same, and the others are laid around it.
    const auto chosen = std::find_if(order.begin(), order.end(), [&](const Candidate* candidate) {
        return candidate->piece.id == step.ruleChoice;
    });
    std::vector<DrawSegment> bar;
    auto next = order.begin();
    double sum = 0;
    for (; next != order.end() && next != chosen; ++next) {
        sum += (*next)->finalProbability;
        if (chosen == order.end() && sum > step.draw->low + rounding)
            break;
        append(bar, segmentOf(**next, step), (*next)->finalProbability, step.draw->low);
    }
    closeAt(bar, step.draw->low);

    DrawSegment picked;
    if (chosen != order.end())
        picked = segmentOf(**chosen, step);
    picked.isPicked = true;
    picked.low = step.draw->low;
    picked.high = step.draw->high;
    bar.push_back(std::move(picked));

    for (; next != order.end(); ++next)
        if (next != chosen)
            append(bar, segmentOf(**next, step), (*next)->finalProbability, 1);
    if (bar.back().isPicked && 1 - bar.back().high <= rounding)
        return bar; // its own edges, not rounded ones
    closeAt(bar, 1);
    return bar;
}

} // namespace ui
