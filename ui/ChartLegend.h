#pragma once

#include "ui/Theme.h"

#include <QString>
#include <QWidget>

#include <vector>

namespace ui {

/// One mark of a chart and what it stands for.
struct LegendEntry
{
    enum class Mark
    {
        Square,
        Hatch,
        Line,
        Dot,
        Ring,
        Outline, ///< dotted
    };
    Mark mark = Mark::Square;
    QColor colour;
    QString words;
};

/// The legend in a chart card's head, right-aligned. Where it gets too little room the last entries
/// are left out, never cut through.
class ChartLegend : public QWidget
{
    Q_OBJECT

public:
    explicit ChartLegend(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setEntries(std::vector<LegendEntry> entries);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    double entryWidth(const LegendEntry& entry) const;

    Theme m_theme;
    std::vector<LegendEntry> m_entries;
};

} // namespace ui
