#include "ui/compare/RunPane.h"

#include "ui/ContextText.h"
#include "ui/ElidedLabel.h"
#include "ui/Icons.h"
#include "ui/NumberText.h"
#include "ui/StopText.h"
#include "ui/compare/CompareModel.h"
#include "ui/compare/SettingChips.h"
#include "ui/compare/UnionChart.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QTextDocument>
#include <QToolButton>
#include <QVBoxLayout>

namespace ui {
namespace {

QString fromUtf8(const std::string& text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

constexpr double statusFrom = 330; ///< px of width at 100 %

QString modelText(const engine::ModelInfo& model)
{
    return model.quantization.empty()
               ? fromUtf8(model.name)
               : RunPane::tr("%1 · %2").arg(fromUtf8(model.name), fromUtf8(model.quantization));
}

QPixmap badge(const Theme& theme, int run, double pixelRatio)
{
    const int side = theme.px(22);
    QPixmap pixmap(QSize(side, side) * pixelRatio);
    pixmap.setDevicePixelRatio(pixelRatio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.runColour(run));
    painter.drawEllipse(QRectF(0, 0, side, side));
    painter.setPen(theme.accentText);
    painter.setFont(theme.uiFont(12, QFont::Bold));
    painter.drawText(QRectF(0, 0, side, side), Qt::AlignCenter, runLetter(run));
    return pixmap;
}

} // namespace

RunPane::RunPane(CompareModel* model, int run, QWidget* parent)
    : QFrame(parent), m_model(model), m_run(run), m_theme(Theme::light()), m_badge(new QLabel),
      m_name(new ElidedLabel), m_status(new ElidedLabel), m_entropy(new QLabel),
      m_remove(new QToolButton), m_chips(new SettingChips), m_text(new ContextText),
      m_chart(new UnionChart)
{
    setProperty("card", true);
    m_badge->setAccessibleName(tr("Run %1").arg(runLetter(run)));
    m_name->setProperty("role", QStringLiteral("cardTitle"));
    m_status->setProperty("role", QStringLiteral("secondary"));
    m_entropy->setProperty("role", QStringLiteral("value"));
    m_entropy->setToolTip(tr("Entropy of the probabilities before the chain"));
    m_remove->setProperty("flat", true);
    m_remove->setProperty("compact", true);
    m_remove->setToolTip(tr("Take run %1 away").arg(runLetter(run)));
    m_remove->setAccessibleName(m_remove->toolTip());
    m_remove->setFocusPolicy(Qt::TabFocus);
    m_text->setAccessibleName(tr("Text of run %1").arg(runLetter(run)));
    m_text->document()->setDocumentMargin(0); // else a strip of the line above shows
    m_text->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_text->setModel(&model->steps(run));
    m_chart->setAccessibleName(tr("Candidates of run %1").arg(runLetter(run)));
    m_chart->installEventFilter(this);

    auto* head = new QHBoxLayout;
    head->addWidget(m_badge);
    head->addWidget(m_name);
    head->addWidget(m_status, 1);
    head->addStretch(0);
    head->addWidget(m_entropy);
    head->addWidget(m_remove);
    auto* column = new QVBoxLayout(this);
    column->addLayout(head);
    column->addWidget(m_chips);
    column->addWidget(m_text);
    column->addWidget(m_chart, 1);

    connect(m_chips, &SettingChips::editRequested, this, &RunPane::editRequested);
    connect(m_chips, &SettingChips::modelRequested, this, &RunPane::modelRequested);
    connect(m_remove, &QToolButton::clicked, this, &RunPane::removeRequested);
    setRemovable(false);
}

void RunPane::setTheme(const Theme& theme)
{
    m_theme = theme;
    layout()->setContentsMargins(theme.px(14), theme.px(10), theme.px(14), theme.px(8));
    layout()->setSpacing(theme.px(6));
    layout()->itemAt(0)->layout()->setSpacing(theme.px(8));
    m_badge->setPixmap(badge(theme, m_run, devicePixelRatioF()));
    m_remove->setIcon(tintedIcon(QStringLiteral("close"), theme, theme.mutedText));
    m_remove->setIconSize(QSize(theme.px(12), theme.px(12)));
    m_remove->setFixedSize(theme.px(22), theme.px(22));
    m_chips->setTheme(theme);
    m_text->setTheme(theme);
    m_chart->setTheme(theme);
    update();
}

void RunPane::showRun(bool isLive)
{
    m_isLive = isLive;
    const engine::Run& run = m_model->run(m_run);
    m_name->setFullText(m_model->name(m_run));
    m_chips->setSettings(run.settings.sampling, modelText(run.model));
    m_chips->setEditable(isLive);
}

void RunPane::showStep(const UnionRows& rows)
{
    const engine::Run& run = m_model->run(m_run);
    const engine::Step* step = m_model->shownStep(m_run);
    const bool isElsewhere = m_run > 0 && m_model->contextView() == ContextView::First;
    const QString stop = stopText(run);
    if (isElsewhere)
        m_status->setFullText(tr("on A’s context"));
    else
        m_status->setFullText(stop.isEmpty() ? (m_isLive ? QString() : tr("not ended"))
                                             : tr("ended: %1").arg(stop));
    if (step == nullptr) {
        m_entropy->clear();
        m_chart->showNothing(missingStepText());
        return;
    }
    m_entropy->setText(QStringLiteral("H ") + bitsText(step->entropyBits));
    m_chart->showRows(rows, m_run);
}

QString RunPane::missingStepText() const
{
    if (m_run > 0 && m_model->contextView() == ContextView::First)
        return m_elsewhereFault.isEmpty() ? tr("Run A has no step %1.").arg(m_model->cursor())
                                          : m_elsewhereFault;
    const engine::Run& run = m_model->run(m_run);
    if (run.steps.empty())
        return tr("This run has no step.");
    const QString stop = stopText(run);
    return stop.isEmpty()
               ? tr("This run has %1 steps; there is no step %2.")
                     .arg(run.steps.size())
                     .arg(m_model->cursor())
               : tr("This run ended after %1 steps: %2.").arg(run.steps.size()).arg(stop);
}

int RunPane::chipsHeightFor(int width) const
{
    const QMargins margins = layout()->contentsMargins();
    return m_chips->heightForWidth(width - margins.left() - margins.right() - 2);
}

void RunPane::setChipsHeight(int height)
{
    m_chips->setFixedHeight(height);
}

void RunPane::setElsewhereFault(const QString& why)
{
    m_elsewhereFault = why;
}

void RunPane::setTextLines(int lines)
{
    m_text->setVisible(lines > 0);
    if (lines > 0)
        m_text->fitLines(lines);
}

void RunPane::setRemovable(bool removable)
{
    m_remove->setVisible(removable);
}

QString RunPane::nameText() const
{
    return m_name->fullText();
}

QString RunPane::statusText() const
{
    return m_status->fullText();
}

QString RunPane::entropyText() const
{
    return m_entropy->text();
}

/// The rule on top, within the card's rounded corners.
void RunPane::paintEvent(QPaintEvent* event)
{
    QFrame::paintEvent(event);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath card;
    card.addRoundedRect(QRectF(rect()), m_theme.px(10), m_theme.px(10));
    painter.setClipPath(card);
    painter.fillRect(QRectF(0, 0, width(), m_theme.px(3)), m_theme.runColour(m_run));
}

/// In a narrow card the ribbon alone says how the run ended.
void RunPane::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    m_status->setVisible(width() >= m_theme.px(statusFrom));
}

bool RunPane::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_chart && event->type() == QEvent::Resize)
        Q_EMIT chartResized();
    return QFrame::eventFilter(watched, event);
}

} // namespace ui
