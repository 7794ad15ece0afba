#include "ui/ContextPanel.h"

#include "ui/ContextText.h"
#include "ui/NumberText.h"
#include "ui/PromptPanel.h"
#include "ui/StepModel.h"
#include "ui/TokenStrip.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

namespace ui {

ContextPanel::ContextPanel(StepModel* steps, QWidget* parent)
    : QFrame(parent), m_steps(steps), m_count(new QLabel), m_textCaption(new QLabel(tr("AS TEXT"))),
      m_prompt(new PromptPanel), m_strip(new TokenStrip), m_text(new ContextText),
      m_column(new QVBoxLayout(this))
{
    setProperty("card", true);
    auto* title = new QLabel(tr("Context"));
    title->setProperty("role", QStringLiteral("cardTitle"));
    m_count->setProperty("role", QStringLiteral("secondary"));
    m_textCaption->setProperty("role", QStringLiteral("caption"));
    auto* rule = new QFrame;
    rule->setProperty("rule", true);

    auto* heading = new QHBoxLayout;
    heading->addWidget(title);
    heading->addWidget(m_count);
    heading->addStretch(1);
    m_column->addLayout(heading);
    m_column->addWidget(m_prompt);
    m_column->addWidget(m_strip, 1);
    m_column->addWidget(rule);
    m_column->addWidget(m_textCaption);
    m_column->addWidget(m_text);

    m_strip->setModel(steps);
    m_text->setModel(steps);
    connect(steps, &StepModel::runChanged, this, &ContextPanel::refreshCount);
    connect(steps, &StepModel::stepsChanged, this, &ContextPanel::refreshCount);
    m_strip->installEventFilter(this);
    refreshCount();
}

void ContextPanel::setTheme(const Theme& theme)
{
    m_theme = theme;
    m_column->setContentsMargins(theme.px(16), theme.px(12), theme.px(12), theme.px(12));
    m_column->setSpacing(theme.px(8));
    m_strip->setTheme(theme);
    m_text->setTheme(theme);
    fitText();
    m_prompt->setTheme(theme);
}

/// In a low window the text gives way, so that the prompt and its buttons never do.
void ContextPanel::fitText()
{
    m_text->fitLines(height() < m_theme.px(370) ? 2 : 4);
}

void ContextPanel::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    fitText();
}

/// The focus ring of the chips is drawn around them, where it covers none.
void ContextPanel::paintEvent(QPaintEvent* event)
{
    QFrame::paintEvent(event);
    if (!m_strip->hasFocus())
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme.accent, m_theme.px(2)));
    const double gap = m_theme.px(4);
    painter.drawRoundedRect(QRectF(m_strip->geometry()).adjusted(-gap, -gap, gap, gap), gap, gap);
}

bool ContextPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut)
        update();
    return QFrame::eventFilter(watched, event);
}

void ContextPanel::refreshCount()
{
    const auto count = m_steps->run().context.tokens.size() + m_steps->run().steps.size();
    m_count->setText(count == 0 ? QString()
                     : count == 1
                         ? tr("1 token")
                         : tr("%1 tokens").arg(countText(static_cast<std::int64_t>(count))));
}

} // namespace ui
