#pragma once

#include "engine/api/Token.h"
#include "ui/Theme.h"
#include "ui/stages/DrawSegments.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace ui {

/// One token's share of many draws.
struct DrawCount
{
    std::optional<engine::TokenPiece> piece; ///< nothing: all the others together
    double probability = 0;                  ///< that one draw gives it
    int count = 0;
    bool isPicked = false; ///< by the step's own draw

    /// 2 sqrt(n p (1 - p)) for `draws` independent ones: about 95 of 100 counts lie within.
    double spread(int draws) const;
};

/// Each of `uniforms`, in [0, 1), falls into one slice of the bar. The tokens in the order of the
/// bar, and at most `mostRows`: what is beyond is put together, with what the step does not list.
std::vector<DrawCount> countDraws(const std::vector<DrawSegment>& bar,
                                  const std::vector<double>& uniforms, int mostRows);

/// Counts of many draws beside what was to be expected: the exact bar, the spread as a line over
/// it, the count as a mark. Thread: GUI.
class DrawCounts : public QWidget
{
    Q_OBJECT

public:
    explicit DrawCounts(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setDraws(const std::vector<DrawSegment>& bar, const std::vector<double>& uniforms);
    void clear();

    int draws() const { return static_cast<int>(m_uniforms.size()); }
    /// As shown: no more rows than there is room for.
    std::vector<DrawCount> rows() const;
    QString summary() const; ///< how many of the counts lie within the spread; empty without draws

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void describe();

    Theme m_theme;
    std::vector<DrawSegment> m_bar;
    std::vector<double> m_uniforms;
};

} // namespace ui
