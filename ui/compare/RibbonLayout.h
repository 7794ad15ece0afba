#pragma once

#include "engine/api/Token.h"
#include "ui/Theme.h"
#include "ui/compare/CompareModel.h"

#include <QRectF>
#include <QString>

#include <vector>

namespace ui {

/// A chip of the ribbon.
struct RibbonChip
{
    engine::TokenPiece piece;
    int run = -1;               ///< -1: one chip for all runs, before they part
    int step = -1;              ///< -1: of the prompt
    bool isSameAsFirst = false; ///< run A has the same token at this step; not set for A itself
    QRectF rect;

    bool isShared() const { return run < 0; }
};

/// Words on chips of one run: below them under a line, or behind the last.
struct RibbonMark
{
    enum class Kind
    {
        Agreement, ///< the same tokens as run A, again
        Loop,
        End, ///< why the run ended, behind its last chip
    };
    Kind kind = Kind::Agreement;
    int run = 0;
    QString words;
    QRectF rect;
};

/// Where runs leave run A: a dashed line with a flag.
struct RibbonFlag
{
    QString words;
    int step = 0;
    double x = 0;
    QRectF rect; ///< of the flag
};

/// Where everything on the ribbon goes: what all runs share as one row of chips, then a row for
/// each run, column by column of the same step. Positions from the top left of all of it, without
/// the letters at its left; no painter, so that tests check it as numbers.
class RibbonLayout
{
public:
    void arrange(const CompareModel& model, const Theme& theme);

    const std::vector<RibbonChip>& chips() const { return m_chips; }
    const std::vector<RibbonMark>& marks() const { return m_marks; }
    const std::vector<RibbonFlag>& flags() const { return m_flags; }
    double width() const { return m_width; }
    double height() const { return m_height; }
    double rowTop(int run) const; ///< of its chips
    double chipHeight() const { return m_chipHeight; }
    double flagHeight() const { return m_flagHeight; } ///< of the band above the rows
    int chipAt(const QPointF& point) const;            ///< -1 where there is none

private:
    void placeRows(const CompareModel& model);
    void placeShared(const CompareModel& model);
    void placeRuns(const CompareModel& model);
    void placeMarks(const CompareModel& model);
    void placeEnds(const CompareModel& model);
    void placeFlags(const CompareModel& model);
    double widthOf(const engine::TokenPiece& piece) const;
    QRectF spanOf(int run, int firstStep, int lastStep) const;

    Theme m_theme;
    std::vector<RibbonChip> m_chips;
    std::vector<RibbonMark> m_marks;
    std::vector<RibbonFlag> m_flags;
    std::vector<double> m_rowTops;
    std::vector<double> m_columnLefts; ///< of the steps behind the shared ones
    double m_sharedEnd = 0;
    double m_chipHeight = 0;
    double m_flagHeight = 0;
    double m_width = 0;
    double m_height = 0;
};

/// The look of the ribbon's chips but for their colours.
inline constexpr double ribbonChipPx = 12;

} // namespace ui
