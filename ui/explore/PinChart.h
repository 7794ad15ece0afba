#pragma once

#include "engine/api/Token.h"
#include "ui/Theme.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace ui {

/// The probability of a pinned token at each step; nothing where no record has it.
struct PinLine
{
    engine::TokenPiece piece;
    std::vector<std::optional<double>> values; ///< by step, from 0
};

/// Lines over the steps, one a pinned token, each with a stroke of its own and its token at its
/// end. The scale ends at the next round number above all values, as its labels say. A click goes
/// to a step. Thread: GUI.
class PinChart : public QWidget
{
    Q_OBJECT

public:
    explicit PinChart(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setLines(std::vector<PinLine> lines, int selectedStep); ///< -1: none
    const std::vector<PinLine>& lines() const { return m_lines; }
    double axisMaximum() const; ///< a probability
    int stepAt(double x) const;
    double xOf(int step) const;

    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void stepActivated(int step);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    int stepCount() const;
    QRectF plot() const;
    double yOf(double probability) const;
    void paintAxes(QPainter& painter) const;
    void paintLine(QPainter& painter, const PinLine& line, std::size_t number) const;
    void paintLabels(QPainter& painter) const;
    QPen penOf(std::size_t number) const;
    void describe();

    Theme m_theme;
    std::vector<PinLine> m_lines;
    int m_selected = -1;
};

} // namespace ui
