#pragma once

#include "engine/api/Token.h"

#include <QRectF>
#include <QString>

#include <optional>
#include <vector>

namespace ui {

/// Tokens `first` to `last` that are characters only together: their bytes cross token borders.
struct JoinedTokens
{
    int first = 0;
    int last = 0;
    QString text; ///< the characters that cross

    bool operator==(const JoinedTokens&) const = default;
};

/// In order, never overlapping. A special token ends a character, whatever its bytes are.
std::vector<JoinedTokens> joinedTokens(const std::vector<engine::ContextToken>& tokens);

/// Where the chips of a context go: a flow that wraps at the width and breaks after a newline.
/// Positions in px from the top left; plain arithmetic, so that thousands of chips cost little.
class TokenStripLayout
{
public:
    struct Sizes
    {
        double width = 0;
        double chipHeight = 0;
        double idHeight = 0;   ///< the line of ids below the chips
        double joinHeight = 0; ///< the line above a row that holds a bracket
        double gapX = 0;
        double gapY = 0;
    };
    struct Row
    {
        int first = 0; ///< chips first .. last
        int last = -1;
        double top = 0;
        double bottom = 0;
        bool hasJoin = false;
    };

    /// `endMarkWidth` reserves room for a mark after the last chip.
    void arrange(const Sizes& sizes, const std::vector<double>& chipWidths,
                 const std::vector<engine::ContextToken>& tokens,
                 const std::vector<JoinedTokens>& joins, std::optional<double> endMarkWidth);

    const std::vector<QRectF>& chips() const { return m_chips; }
    const std::vector<Row>& rows() const { return m_rows; }
    QRectF endMark() const { return m_endMark; }
    double height() const { return m_height; }

    int rowOf(int chip) const;
    int firstRowBelow(double y) const;      ///< the first row whose bottom is below `y`
    int chipAt(const QPointF& point) const; ///< -1 where there is none; the id line counts

private:
    std::vector<QRectF> m_chips;
    std::vector<Row> m_rows;
    QRectF m_endMark;
    double m_height = 0;
    double m_idHeight = 0;
};

} // namespace ui
