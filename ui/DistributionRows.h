#pragma once

#include "engine/api/Step.h"

#include <QString>

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace ui {

/// One row of the chart and of the table: a candidate, or all tokens that have no row of their own.
struct DistributionRow
{
    engine::TokenPiece piece; ///< unset in the row of the others
    int rank = 0;             ///< 0 in the row of the others
    float logit = 0;
    double probability = 0;
    double finalProbability = 0;
    /// Sum of `probability` from rank 1 to here; nothing where a rank above is not in the step.
    std::optional<double> cumulative;
    bool isArgmax = false;
    bool isPicked = false;
    bool isGiven = false;      ///< stands in the prompt, so that nothing was picked
    bool isForced = false;     ///< picked by the user
    bool isRuleChoice = false; ///< what the rule had picked, where the user forced another
    bool isCut = false;        ///< removed by the chain; in the row of the others: all of them
    std::optional<engine::SamplingStage> removedBy;
    std::int64_t others = 0; ///< > 0: how many tokens this row stands for

    bool isOthers() const { return others > 0; }
    bool operator==(const DistributionRow&) const = default;
};

/// The lengths of a row's bar, one after the other from the axis. On the linear scale they are
/// probabilities: what the token had and kept, what it gained from those cut off, what it lost.
struct Bar
{
    double solid = 0;
    double gain = 0;
    double lost = 0;

    double end() const { return solid + gain + lost; }
    bool operator==(const Bar&) const = default;
};

enum class BarScale
{
    Linear,      ///< fitted: from 0 to a round number above all bars
    Full,        ///< from 0 to 100 %
    Logarithmic, ///< (5 + log10 p) / 5: from 0.001 % at 0 to 100 % at 1
};

/// The line between the rows that the chain kept and those it cut off.
struct CutLine
{
    int firstRowBelow = 0;
    QString words; ///< "top-p 0.90 cuts below · 11 of 4,096 tokens kept"

    bool operator==(const CutLine&) const = default;
};

/// A Step as rows of a chart: no painter, no widget.
struct DistributionRows
{
    static constexpr int unlimited = std::numeric_limits<int>::max();

    std::vector<DistributionRow> rows; ///< by rank; the others last
    /// Only where every row below it is cut off and none above it is.
    std::optional<CutLine> cutLine;
    /// "11 of 4,096 tokens kept"; empty where nothing is cut off.
    QString keptWords;
    /// Probabilities after the chain mean something: false when the largest is simply taken.
    bool hasFinal = false;

    /// At most `limit` rows (>= 2) beside that of the others, which has those beyond. The picked
    /// token always has a row: the last, where its rank is beyond the limit.
    static DistributionRows of(const engine::Step& step, int limit = unlimited);

    Bar bar(const DistributionRow& row, BarScale scale) const;

    /// The end of the axis: 1, but of the fitted one the next multiple of 5 % above every bar but
    /// that of the others, 100 % at most; finer below 2.5 %, where such an axis would show nothing.
    double axisMaximum(BarScale scale = BarScale::Linear) const;

    /// "AXIS FITTED TO 55 %"
    QString axisWords(BarScale scale) const;
};

/// "token ␣mat, probability 12.8 percent, rank 3, picked"
QString spokenText(const DistributionRow& row);

} // namespace ui
