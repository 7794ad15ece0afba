#pragma once

#include "ui/Theme.h"

#include <QWidget>

class QFrame;
class QLabel;
class QProgressBar;
class QToolButton;

namespace ui {

/// A line under the top bar: an error that the user closes, or what is being loaded. Plain text
/// always. Hidden while it has nothing to say.
class Banner : public QWidget
{
    Q_OBJECT

public:
    explicit Banner(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void showError(const QString& message);
    void showProgress(const QString& message);
    void dismiss();
    bool isError() const { return m_isError; }
    QString text() const;
    QToolButton* closeButton() const { return m_close; }

Q_SIGNALS:
    void dismissed();

private:
    void present(const QString& message, bool isError);
    void refreshIcon();

    Theme m_theme;
    bool m_isError = false;
    QFrame* m_frame; ///< inside the window's margins, which go when it is hidden
    QLabel* m_icon;
    QLabel* m_text;
    QProgressBar* m_progress;
    QToolButton* m_close;
};

} // namespace ui
