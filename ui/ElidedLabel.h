#pragma once

#include <QLabel>

namespace ui {

/// A label of one line that is cut with "…" where there is no room for it, and then says all of it
/// in its tool tip. Always plain text.
class ElidedLabel : public QLabel
{
    Q_OBJECT

public:
    explicit ElidedLabel(QWidget* parent = nullptr);

    void setFullText(const QString& text);
    QString fullText() const { return m_fullText; }
    void setElideMode(Qt::TextElideMode mode);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void elide();
    int padding() const;

    QString m_fullText;
    Qt::TextElideMode m_mode = Qt::ElideRight;
};

} // namespace ui
