#pragma once

#include "ui/Theme.h"

#include <QPainter>
#include <QString>
#include <QWidget>

namespace ui {

class StepModel;

/// One stage of the pipeline: number, title, and what this stage did in the selected step.
class StageCard : public QWidget
{
    Q_OBJECT

public:
    StageCard(int number, const QString& title, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setActive(bool active);
    virtual void showStep(const StepModel& steps) = 0;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void activated(); ///< a click, or Enter

protected:
    /// What stands below the head; the painter is antialiased and clipped to `area`.
    virtual void paintContent(QPainter& painter, const QRectF& area) const = 0;

    const Theme& theme() const { return m_theme; }
    void setSubtitle(const QString& subtitle);
    /// The card's values in words, for screen readers.
    void describe(const QString& sentence);
    /// Small numbers along the bottom edge, in the monospace font.
    void paintBottom(QPainter& painter, const QRectF& area, const QString& left,
                     const QString& right) const;
    QRectF aboveBottom(const QRectF& area) const;

    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void paintHead(QPainter& painter) const;

    int m_number;
    QString m_title;
    QString m_subtitle;
    bool m_active = false;
    Theme m_theme;
};

} // namespace ui
