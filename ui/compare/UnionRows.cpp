#include "ui/compare/UnionRows.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace ui {
namespace {

double largestProbability(const UnionRow& row)
{
    double largest = 0;
    for (const auto& pane : row.panes)
        if (pane)
            largest = std::max(largest, pane->probability);
    return largest;
}

bool mustBeShown(const UnionRow& row)
{
    return std::any_of(row.panes.begin(), row.panes.end(),
                       [](const auto& pane) { return pane && (pane->isPicked || pane->isArgmax); });
}

/// Cuts the list to the limit, from the end, sparing what must be shown.
void shorten(std::vector<UnionRow>& rows, std::size_t limit)
{
    for (std::size_t i = rows.size(); i-- > 0 && rows.size() > limit;)
        if (!mustBeShown(rows[i]))
            rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(i));
}

} // namespace

UnionRows UnionRows::of(const std::vector<const engine::Step*>& steps, int limit)
{
    UnionRows shown;
    std::map<std::pair<std::int32_t, std::string>, UnionRow> byToken;
    for (std::size_t pane = 0; pane < steps.size(); ++pane) {
        shown.hasFinal.push_back(steps[pane] != nullptr && steps[pane]->draw.has_value());
        double least = 1;
        if (steps[pane] != nullptr) {
            for (const DistributionRow& row : DistributionRows::of(*steps[pane]).rows) {
                if (row.isOthers())
                    continue;
                UnionRow& all = byToken[{row.piece.id.value, row.piece.bytes}];
                all.piece = row.piece;
                all.panes.resize(steps.size());
                all.panes[pane] = row;
                // The pick is listed whatever its rank; it bounds nothing.
                if (row.cumulative)
                    least = std::min(least, row.probability);
            }
        }
        shown.leastListed.push_back(least);
    }
    for (auto& [token, row] : byToken)
        shown.rows.push_back(std::move(row));
    std::stable_sort(shown.rows.begin(), shown.rows.end(),
                     [](const UnionRow& a, const UnionRow& b) {
                         return largestProbability(a) > largestProbability(b);
                     });
    shorten(shown.rows, static_cast<std::size_t>(std::max(1, limit)));

    DistributionRows largest;
    for (int row = 0; row < static_cast<int>(shown.rows.size()); ++row)
        for (int pane = 0; pane < static_cast<int>(steps.size()); ++pane) {
            DistributionRow bar;
            bar.probability = shown.bar(row, pane).end();
            largest.rows.push_back(bar);
        }
    shown.axisMaximum = largest.axisMaximum();
    return shown;
}

Bar UnionRows::bar(int row, int pane) const
{
    const auto& shown =
        rows.at(static_cast<std::size_t>(row)).panes.at(static_cast<std::size_t>(pane));
    if (!shown)
        return {};
    DistributionRows one;
    one.hasFinal = hasFinal.at(static_cast<std::size_t>(pane));
    return one.bar(*shown, BarScale::Linear);
}

} // namespace ui
