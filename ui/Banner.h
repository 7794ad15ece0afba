#pragma once

#include "ui/Theme.h"

#include <QWidget>

class QFrame;
class QLabel;
class QProgressBar;
class QToolButton;

namespace ui {

/// A line under the top bar: an error or a warning that the user closes, or what is being loaded.
/// Plain text always. Hidden while it has nothing to say.
class Banner : public QWidget
{
    Q_OBJECT

public:
    explicit Banner(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void showError(const QString& message);
    void showWarning(const QString& message);
    void showProgress(const QString& message);
    void dismiss();
    bool isError() const { return m_kind == Kind::Error && !text().isEmpty(); } ///< in view
    QString text() const;
    QToolButton* closeButton() const { return m_close; }

Q_SIGNALS:
    void dismissed();

private:
    enum class Kind
    {
        Error,
        Warning,
        Progress,
    };

    void present(const QString& message, Kind kind);
    void refreshIcon();

    Theme m_theme;
    Kind m_kind = Kind::Progress;
    QFrame* m_frame; ///< inside the window's margins, which go when it is hidden
    QLabel* m_icon;
    QLabel* m_text;
    QProgressBar* m_progress;
    QToolButton* m_close;
};

} // namespace ui
