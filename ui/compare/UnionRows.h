#pragma once

#include "engine/api/Step.h"
#include "ui/DistributionRows.h"

#include <optional>
#include <vector>

namespace ui {

/// One token in all panes: what each run's step says of it, nothing where the step does not list
/// it.
struct UnionRow
{
    engine::TokenPiece piece;
    std::vector<std::optional<DistributionRow>> panes;

    bool operator==(const UnionRow&) const = default;
};

/// The candidates of several steps as one list, so that the same row means the same token in every
/// pane: no painter, no widget.
struct UnionRows
{
    std::vector<UnionRow> rows;
    /// Of each pane: probabilities after the chain mean something.
    std::vector<bool> hasFinal;
    /// Of each pane: the smallest probability among the most probable that its step lists. What it
    /// does not list has at most this.
    std::vector<double> leastListed;
    double axisMaximum = 0.05; ///< of all panes: above every bar shown

    /// By the largest probability that any pane gives, ties by smaller id. At most `limit` rows,
    /// but always those of each pane's pick and argmax. Null: a pane without a step. Tokens are the
    /// same where id and bytes are.
    static UnionRows of(const std::vector<const engine::Step*>& steps, int limit);

    Bar bar(int row, int pane) const; ///< empty where the pane does not list it
};

} // namespace ui
