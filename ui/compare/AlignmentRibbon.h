#pragma once

#include "ui/Theme.h"
#include "ui/compare/RibbonLayout.h"

#include <QAbstractScrollArea>

namespace ui {

/// The runs above each other: what they share once and in grey, a dashed flag where one leaves run
/// A, then each in its colour; equal tokens at the same step are grey with "=" between them. The
/// pick of the step in view is outlined in orange; a click on a chip goes to its step. Thread: GUI.
class AlignmentRibbon : public QAbstractScrollArea
{
    Q_OBJECT

public:
    explicit AlignmentRibbon(CompareModel* model, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    const RibbonLayout& arrangement() const { return m_layout; }
    QRectF chipRect(int chip) const; ///< in the viewport's coordinates
    QString chipToolTip(int chip) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void stepActivated(int step);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    void reload();
    int neededHeight() const;
    void refreshScrollBar();
    void showCursor();
    void describe();
    QString namesText() const;
    QPointF origin() const;
    double gutter() const; ///< the letters and names at the left
    int chipAt(const QPointF& viewPosition) const;
    void paintChipAt(QPainter& painter, const RibbonChip& chip) const;
    void paintEqualSign(QPainter& painter, const RibbonChip& chip) const;
    void paintEnd(QPainter& painter, const RibbonMark& mark) const;
    void paintMark(QPainter& painter, const RibbonMark& mark) const;
    void paintFlag(QPainter& painter, const RibbonFlag& flag) const;
    void paintNames(QPainter& painter) const;

    CompareModel* m_model;
    Theme m_theme;
    RibbonLayout m_layout;
};

} // namespace ui
