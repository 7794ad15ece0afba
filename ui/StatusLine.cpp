#include "ui/StatusLine.h"

#include "ui/ElidedLabel.h"
#include "ui/StepModel.h"
#include "ui/StopText.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QStringList>

#include <chrono>

namespace ui {
namespace {

QString separator()
{
    return QStringLiteral("   ·   ");
}

QString runKeys()
{
    return StatusLine::tr("Space step    ← back    P play    G greedy/sample    F1 keys");
}

double millisecondsPerToken(const engine::Run& run)
{
    std::chrono::microseconds total{0};
    for (const engine::Step& step : run.steps)
        total += step.timings.forward + step.timings.decode;
    return static_cast<double>(total.count()) / 1000.0 / static_cast<double>(run.steps.size());
}

} // namespace

StatusLine::StatusLine(QWidget* parent)
    : QWidget(parent), m_left(new ElidedLabel), m_right(new QLabel)
{
    setProperty("surface", QStringLiteral("statusBar"));
    setAttribute(Qt::WA_StyledBackground);
    m_left->setProperty("role", QStringLiteral("secondary"));
    m_left->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_right->setProperty("role", QStringLiteral("hint"));
    m_right->setText(runKeys());
    auto* row = new QHBoxLayout(this);
    row->addWidget(m_left, 1);
    row->addWidget(m_right);
}

void StatusLine::setTheme(const Theme& theme)
{
    setFixedHeight(theme.px(28));
    layout()->setContentsMargins(theme.px(16), 0, theme.px(16), 0);
}

void StatusLine::showRun(const StepModel& steps)
{
    const engine::Run& run = steps.run();
    QStringList parts;
    if (const engine::Step* step = steps.selectedStep()) {
        // Numbered from 0, as in the charts, in traces and in the draws: the last of 24 is 23
        // of 23.
        if (const auto position = steps.promptPosition())
            parts << tr("Token %1 of the prompt, and what the model expected there").arg(*position);
        else
            parts << tr("Step %1 of %2").arg(steps.selected()).arg(steps.stepCount() - 1);
        const double milliseconds = millisecondsPerToken(run);
        if (milliseconds > 0)
            parts << tr("%1 ms per token").arg(milliseconds, 0, 'f', 1);
        if (step->rule == engine::DecodingRule::Sample)
            parts << tr("seed %1").arg(step->sampling.seed);
    } else if (!run.context.tokens.empty()) {
        parts << tr("Prompt of %1 tokens, no step yet").arg(run.context.tokens.size());
    }
    if (const QString stop = stopText(run); !stop.isEmpty())
        parts << tr("ended: %1").arg(stop);
    m_runText = parts.join(separator());
    m_right->setText(runKeys());
    refresh();
}

void StatusLine::showFigures(const QString& text, const QString& keys)
{
    m_runText = text;
    m_right->setText(keys);
    refresh();
}

void StatusLine::setMessage(const QString& message)
{
    m_message = message;
    refresh();
}

void StatusLine::setBackgroundWork(const QString& words)
{
    m_backgroundWork = words;
    refresh();
}

QString StatusLine::text() const
{
    return m_left->fullText();
}

QString StatusLine::keys() const
{
    return m_right->text();
}

void StatusLine::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    // What is going on matters more than the reminder of the keys.
    m_right->setVisible(m_right->sizeHint().width() * 2 < width());
}

void StatusLine::refresh()
{
    QStringList parts;
    for (const QString& part : {m_runText, m_message, m_backgroundWork})
        if (!part.isEmpty())
            parts << part;
    m_left->setFullText(parts.join(separator()));
}

} // namespace ui
