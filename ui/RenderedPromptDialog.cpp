#include "ui/RenderedPromptDialog.h"

#include "ui/NumberText.h"
#include "ui/RenderingHighlighter.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QShortcut>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>

namespace ui {
namespace {

using Kind = engine::PromptSpan::Kind;

/// A long text is not read again at every key.
constexpr std::chrono::milliseconds typingPause{120};

/// One entry of the legend, in the style that it explains.
QString legendEntry(const QString& words, Kind kind, const Theme& theme)
{
    const QTextCharFormat format = formatOf(kind, theme);
    QString style = QStringLiteral("color:%1;").arg(format.foreground().color().name());
    if (format.fontItalic())
        style += QStringLiteral("font-style:italic;");
    if (format.fontWeight() == QFont::Bold)
        style += QStringLiteral("font-weight:700;text-decoration:underline;");
    return QStringLiteral("<span style=\"%1\">%2</span>").arg(style, words.toHtmlEscaped());
}

} // namespace

RenderedPromptDialog::RenderedPromptDialog(QWidget* parent)
    : QDialog(parent), m_edit(new QPlainTextEdit),
      m_highlighter(new RenderingHighlighter(m_edit->document())), m_notice(new QLabel),
      m_count(new QLabel), m_legend(new QLabel),
      m_reset(new QPushButton(tr("Reset to the template's"))),
      m_start(new QPushButton(tr("Start with this text"))), m_theme(Theme::light())
{
    setAttribute(Qt::WA_DeleteOnClose);
    setProperty("surface", QStringLiteral("window"));
    setWindowTitle(tr("Rendered prompt"));
    m_edit->setProperty("role", QStringLiteral("source"));
    m_edit->setAccessibleName(tr("The prompt as the chat template renders it"));
    m_edit->setTabChangesFocus(true);
    m_notice->setTextFormat(Qt::PlainText);
    m_notice->setWordWrap(true);
    m_notice->setProperty("role", QStringLiteral("secondary"));
    m_count->setProperty("role", QStringLiteral("secondary"));
    m_legend->setTextFormat(Qt::RichText);
    m_legend->setProperty("role", QStringLiteral("secondary"));
    m_start->setProperty("primary", true);
    m_start->setToolTip(tr("Start a run with this text as its context (Ctrl+Enter)"));
    auto* close = new QPushButton(tr("Close"));

    auto* under = new QHBoxLayout;
    under->addWidget(m_legend, 1);
    under->addWidget(m_count);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_reset);
    buttons->addStretch(1);
    buttons->addWidget(close);
    buttons->addWidget(m_start);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 16, 20, 16);
    column->setSpacing(10);
    column->addWidget(m_notice);
    column->addWidget(m_edit, 1);
    column->addLayout(under);
    column->addLayout(buttons);
    resize(620, 420);

    for (QPushButton* button : {m_reset, m_start, close})
        button->setAutoDefault(false); // Enter is a new line
    m_askAgain.setSingleShot(true);
    m_askAgain.setInterval(typingPause);
    connect(&m_askAgain, &QTimer::timeout, this,
            [this] { Q_EMIT editedRenderingRequested(m_edit->toPlainText()); });
    connect(m_edit, &QPlainTextEdit::textChanged, this, &RenderedPromptDialog::textChanged);
    connect(m_reset, &QPushButton::clicked, this, &RenderedPromptDialog::reset);
    connect(m_start, &QPushButton::clicked, this, &RenderedPromptDialog::start);
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    for (const auto key : {Qt::Key_Return, Qt::Key_Enter})
        connect(new QShortcut(QKeySequence(Qt::CTRL | key), this), &QShortcut::activated, this,
                &RenderedPromptDialog::start);
    setTheme(m_theme);
    refresh();
}

void RenderedPromptDialog::setTheme(const Theme& theme)
{
    m_theme = theme;
    m_highlighter->setTheme(theme);
    const QString between = QStringLiteral("&nbsp;&nbsp;&nbsp;·&nbsp;&nbsp;&nbsp;");
    m_legend->setText(legendEntry(tr("special token"), Kind::Special, theme) + between +
                      legendEntry(tr("the template's text"), Kind::Template, theme) + between +
                      legendEntry(tr("your words"), Kind::User, theme));
}

void RenderedPromptDialog::setCanStart(bool canStart)
{
    m_canStart = canStart;
    refresh();
}

bool RenderedPromptDialog::isEdited() const
{
    return m_edit->toPlainText() != m_templateText;
}

QString RenderedPromptDialog::noticeText() const
{
    return m_notice->text();
}

QString RenderedPromptDialog::countText() const
{
    return m_count->text();
}

void RenderedPromptDialog::setTemplateRendering(const engine::PromptRendering& rendering)
{
    const bool wasEdited = isEdited();
    m_template = rendering;
    m_templateText = QString::fromStdString(rendering.text);
    m_fault.clear();
    if (!wasEdited)
        reset();
    refresh();
}

void RenderedPromptDialog::setEditedRendering(const QString& text,
                                              const engine::PromptRendering& rendering)
{
    if (text != m_edit->toPlainText() || !isEdited())
        return;
    m_fault.clear();
    draw(rendering);
    refresh();
}

void RenderedPromptDialog::setFault(const QString& fault)
{
    m_fault = fault;
    m_count->clear();
    refresh();
}

void RenderedPromptDialog::draw(const engine::PromptRendering& rendering)
{
    const QSignalBlocker blocker(m_edit); // a new style is no new text
    m_highlighter->setRendering(rendering);
    const auto special = std::count_if(rendering.spans.begin(), rendering.spans.end(),
                                       [](const auto& span) { return span.kind == Kind::Special; });
    m_count->setText(tr("%1 tokens, %2 special")
                         .arg(ui::countText(static_cast<std::int64_t>(rendering.tokens.size())),
                              ui::countText(special)));
}

void RenderedPromptDialog::textChanged()
{
    if (isEdited()) {
        m_askAgain.start();
    } else {
        m_askAgain.stop();
        draw(m_template);
    }
    refresh();
}

void RenderedPromptDialog::start()
{
    if (!m_start->isEnabled())
        return;
    if (isEdited())
        Q_EMIT startRequested(m_edit->toPlainText());
    else
        Q_EMIT templateStartRequested();
    close();
}

void RenderedPromptDialog::reset()
{
    m_askAgain.stop();
    m_fault.clear();
    if (m_edit->toPlainText() != m_templateText) {
        const QSignalBlocker blocker(m_edit);
        m_edit->setPlainText(m_templateText);
    }
    draw(m_template);
    refresh();
}

void RenderedPromptDialog::refresh()
{
    const bool edited = isEdited();
    m_reset->setEnabled(edited);
    m_start->setEnabled(m_canStart && m_fault.isEmpty() && !m_edit->toPlainText().isEmpty());
    if (!m_fault.isEmpty())
        m_notice->setText(m_fault);
    else if (edited)
        m_notice->setText(tr("Edited: this text is the context as it stands, without the template "
                             "around it. Special tokens in it are parsed wherever they are "
                             "written, also among your words."));
    else
        m_notice->setText(tr("Your message inside the model's own chat template. What you change "
                             "here is used in the place of it."));
}

} // namespace ui
