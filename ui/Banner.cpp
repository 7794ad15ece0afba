#include "ui/Banner.h"

#include "ui/Icons.h"
#include "ui/StyleProperty.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace ui {

Banner::Banner(QWidget* parent)
    : QWidget(parent), m_theme(Theme::light()), m_frame(new QFrame), m_icon(new QLabel),
      m_text(new QLabel), m_progress(new QProgressBar), m_close(new QToolButton)
{
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_text->setAccessibleName(tr("No message"));
    m_text->setMinimumWidth(1);
    m_progress->setRange(0, 0);
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(160);
    m_close->setProperty("flat", true);
    m_close->setProperty("iconOnly", true);
    m_close->setAccessibleName(tr("Close this message"));
    m_close->setToolTip(tr("Close this message"));

    auto* outer = new QVBoxLayout(this);
    outer->addWidget(m_frame);
    auto* row = new QHBoxLayout(m_frame);
    row->addWidget(m_icon, 0, Qt::AlignTop);
    row->addWidget(m_text, 1);
    row->addWidget(m_progress);
    row->addWidget(m_close, 0, Qt::AlignTop);
    connect(m_close, &QToolButton::clicked, this, [this] {
        dismiss();
        Q_EMIT dismissed();
    });
    hide();
}

void Banner::setTheme(const Theme& theme)
{
    m_theme = theme;
    layout()->setContentsMargins(theme.px(16), theme.px(8), theme.px(16), 0);
    m_frame->layout()->setContentsMargins(theme.px(12), theme.px(6), theme.px(6), theme.px(6));
    m_frame->layout()->setSpacing(theme.px(8));
    m_icon->setFixedHeight(theme.px(28));
    m_close->setIcon(tintedIcon(QStringLiteral("close"), theme));
    m_close->setIconSize(QSize(theme.px(14), theme.px(14)));
    m_close->setFixedSize(theme.px(28), theme.px(28));
    refreshIcon();
}

void Banner::showError(const QString& message)
{
    present(message, Kind::Error);
}

void Banner::showWarning(const QString& message)
{
    present(message, Kind::Warning);
}

void Banner::showProgress(const QString& message)
{
    present(message, Kind::Progress);
}

void Banner::dismiss()
{
    m_text->clear();
    hide();
}

QString Banner::text() const
{
    return m_text->text();
}

void Banner::present(const QString& message, Kind kind)
{
    m_kind = kind;
    const bool isError = kind == Kind::Error;
    m_text->setText(message);
    m_text->setAccessibleName(message);
    setAccessibleName(message);
    m_progress->setVisible(kind == Kind::Progress);
    m_close->setVisible(kind != Kind::Progress);
    setStyleProperty(m_frame, "banner", isError ? QStringLiteral("error") : QStringLiteral("info"));
    setStyleProperty(m_text, "role", isError ? QStringLiteral("error") : QStringLiteral("info"));
    refreshIcon();
    show();
}

void Banner::refreshIcon()
{
    m_icon->setVisible(m_kind != Kind::Progress);
    m_icon->setPixmap(tintedPixmap(QStringLiteral("warning"),
                                   m_kind == Kind::Error ? m_theme.error : m_theme.text,
                                   m_theme.px(18), devicePixelRatioF()));
}

} // namespace ui
