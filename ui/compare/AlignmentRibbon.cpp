#include "ui/compare/AlignmentRibbon.h"

#include "ui/ChipPainter.h"
#include "ui/NumberText.h"
#include "ui/TokenText.h"
#include "ui/compare/PartingText.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTextDocument>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace ui {
namespace {

constexpr double leastGutterPx = 44;
constexpr double mostGutterPx = 120;
constexpr double scrollBarPx = 10;

} // namespace

AlignmentRibbon::AlignmentRibbon(CompareModel* model, QWidget* parent)
    : QAbstractScrollArea(parent), m_model(model), m_theme(Theme::light())
{
    setFrameShape(QFrame::NoFrame);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    viewport()->setMouseTracking(true);
    setAccessibleName(tr("Alignment of the runs"));
    connect(m_model, &CompareModel::runsChanged, this, &AlignmentRibbon::reload);
    connect(m_model, &CompareModel::stepsChanged, this, &AlignmentRibbon::reload);
    connect(m_model, &CompareModel::contextViewChanged, viewport(), qOverload<>(&QWidget::update));
    connect(m_model, &CompareModel::cursorChanged, this, &AlignmentRibbon::showCursor);
    reload();
}

void AlignmentRibbon::setTheme(const Theme& theme)
{
    m_theme = theme;
    reload();
}

void AlignmentRibbon::reload()
{
    m_layout.arrange(*m_model, m_theme);
    setFixedHeight(neededHeight());
    refreshScrollBar();
    showCursor();
    describe();
    // Only where the names stand; elsewhere viewportEvent tells about the chip.
    viewport()->setToolTip(Qt::convertFromPlainText(namesText()));
}

int AlignmentRibbon::neededHeight() const
{
    return static_cast<int>(std::ceil(m_layout.height())) + m_theme.px(scrollBarPx) + m_theme.px(4);
}

QSize AlignmentRibbon::sizeHint() const
{
    return {m_theme.px(400), neededHeight()};
}

QSize AlignmentRibbon::minimumSizeHint() const
{
    return {m_theme.px(200), neededHeight()};
}

double AlignmentRibbon::gutter() const
{
    const QFontMetricsF metrics(m_theme.uiFont(12, QFont::DemiBold));
    double widest = m_theme.px(leastGutterPx);
    for (int run = 0; run < m_model->count(); ++run)
        widest = std::max(widest, metrics.horizontalAdvance(m_model->name(run)) + m_theme.px(32));
    return std::min<double>(widest, m_theme.px(mostGutterPx));
}

QPointF AlignmentRibbon::origin() const
{
    return {gutter() - horizontalScrollBar()->value(), 0};
}

void AlignmentRibbon::refreshScrollBar()
{
    const double room = viewport()->width() - gutter();
    const int beyond = std::max(0, static_cast<int>(std::ceil(m_layout.width() - room)));
    horizontalScrollBar()->setRange(0, beyond);
    horizontalScrollBar()->setPageStep(std::max(1, static_cast<int>(room)));
    horizontalScrollBar()->setSingleStep(m_theme.px(40));
}

/// The step in view, and where it can be had the parting as well.
void AlignmentRibbon::showCursor()
{
    const int cursor = m_model->cursor();
    QRectF at;
    for (const RibbonChip& chip : m_layout.chips())
        if (chip.step == cursor && cursor >= 0)
            at = at.isNull() ? chip.rect : at.united(chip.rect);
    // At the end, also why it is one.
    for (const RibbonMark& mark : m_layout.marks())
        if (mark.kind == RibbonMark::Kind::End && cursor + 1 == m_model->stepCount())
            at = at.united(mark.rect);
    const double room = viewport()->width() - gutter();
    const int value = horizontalScrollBar()->value();
    const double margin = m_theme.px(40);
    if (!at.isNull() && at.left() - margin < value)
        horizontalScrollBar()->setValue(static_cast<int>(at.left() - margin));
    else if (!at.isNull() && at.right() + margin > value + room)
        horizontalScrollBar()->setValue(static_cast<int>(at.right() + margin - room));
    viewport()->update();
}

QString AlignmentRibbon::namesText() const
{
    QStringList names;
    for (int run = 0; run < m_model->count(); ++run)
        names << tr("%1   %2").arg(runLetter(run), m_model->name(run));
    return names.join(QLatin1Char('\n'));
}

void AlignmentRibbon::describe()
{
    QStringList sentences;
    for (int run = 1; run < m_model->count(); ++run) {
        const auto& parting = m_model->compared(run).parting;
        sentences << (parting ? tr("%1: %2.").arg(runLetter(run), partingText(*parting, run))
                              : tr("%1: the same tokens as A.").arg(runLetter(run)));
    }
    setAccessibleDescription(sentences.join(QLatin1Char(' ')));
}

QRectF AlignmentRibbon::chipRect(int chip) const
{
    return m_layout.chips().at(static_cast<std::size_t>(chip)).rect.translated(origin());
}

int AlignmentRibbon::chipAt(const QPointF& viewPosition) const
{
    return viewPosition.x() < gutter() ? -1 : m_layout.chipAt(viewPosition - origin());
}

QString AlignmentRibbon::chipToolTip(int index) const
{
    const RibbonChip& chip = m_layout.chips().at(static_cast<std::size_t>(index));
    QStringList lines = {
        tr("%1   id %2").arg(visibleText(chip.piece, 60)).arg(chip.piece.id.value)};
    if (chip.step < 0) {
        lines << tr("prompt");
        return lines.join(QLatin1Char('\n'));
    }
    lines << (chip.isShared() ? tr("step %1 of all runs").arg(chip.step)
                              : tr("step %1 of run %2").arg(chip.step).arg(runLetter(chip.run)));
    for (int run = 0; run < m_model->count(); ++run) {
        if (!chip.isShared() && run != chip.run)
            continue;
        const std::vector<engine::Step>& steps = m_model->run(run).steps;
        const engine::Candidate* picked =
            steps[static_cast<std::size_t>(chip.step)].find(chip.piece.id);
        if (picked != nullptr)
            lines << tr("%1: probability %2, rank %3")
                         .arg(runLetter(run), percentText(picked->probability))
                         .arg(picked->rank);
    }
    return lines.join(QLatin1Char('\n'));
}

void AlignmentRibbon::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), m_theme.surface);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.save();
    painter.setClipRect(
        QRectF(gutter() - m_theme.px(4), 0, viewport()->width(), viewport()->height()));
    painter.translate(origin());
    const double from = horizontalScrollBar()->value() - 1.0;
    const double to = from + viewport()->width() + 2;
    const auto isInView = [&](const QRectF& rect) {
        return rect.right() >= from && rect.left() <= to;
    };
    for (const RibbonFlag& flag : m_layout.flags())
        paintFlag(painter, flag);
    for (const RibbonMark& mark : m_layout.marks())
        if (isInView(mark.rect))
            paintMark(painter, mark);
    for (const RibbonChip& chip : m_layout.chips())
        if (isInView(chip.rect))
            paintChipAt(painter, chip);
    painter.restore();
    paintNames(painter);
}

void AlignmentRibbon::paintChipAt(QPainter& painter, const RibbonChip& chip) const
{
    ChipStyle style;
    style.fontPx = ribbonChipPx;
    const bool isNeutral = chip.isShared() || chip.isSameAsFirst;
    style.fill = isNeutral ? m_theme.promptChip : m_theme.runTint(chip.run);
    style.outline = QPen(isNeutral ? m_theme.border : m_theme.runColour(chip.run), 1);
    style.text = chip.isShared() && chip.step < 0 ? m_theme.mutedText : m_theme.text;
    style.faint = isNeutral ? m_theme.faintText : m_theme.tintedFaint();
    const bool isLookedAt = chip.run <= 0 || m_model->contextView() == ContextView::Own;
    if (isLookedAt && chip.step >= 0 && chip.step == m_model->cursor())
        style.outline = QPen(m_theme.picked, m_theme.px(2));
    paintChip(painter, chip.rect, chip.piece, style, m_theme);
    if (chip.isSameAsFirst)
        paintEqualSign(painter, chip);
}

void AlignmentRibbon::paintEqualSign(QPainter& painter, const RibbonChip& chip) const
{
    painter.setPen(QPen(m_theme.mutedText, std::max(1, m_theme.px(1.4))));
    const QPointF middle(chip.rect.center().x(), chip.rect.top() - m_theme.px(5.5));
    for (const double y : {-1.6, 1.6})
        painter.drawLine(middle + QPointF(-m_theme.px(4), m_theme.scale * y),
                         middle + QPointF(m_theme.px(4), m_theme.scale * y));
}

void AlignmentRibbon::paintEnd(QPainter& painter, const RibbonMark& mark) const
{
    const double side = m_theme.px(7);
    const QRectF square(mark.rect.left() + m_theme.px(4), mark.rect.center().y() - side / 2, side,
                        side);
    painter.fillRect(square, m_theme.mutedText);
    painter.setFont(m_theme.uiFont(11));
    painter.setPen(m_theme.mutedText);
    painter.drawText(mark.rect.adjusted(m_theme.px(16), 0, m_theme.px(8), 0),
                     Qt::AlignLeft | Qt::AlignVCenter, mark.words);
}

void AlignmentRibbon::paintMark(QPainter& painter, const RibbonMark& mark) const
{
    if (mark.kind == RibbonMark::Kind::End)
        return paintEnd(painter, mark);
    const bool isLoop = mark.kind == RibbonMark::Kind::Loop;
    const double y = mark.rect.top() + m_theme.px(3);
    painter.setPen(QPen(m_theme.mutedText, m_theme.px(1.5), isLoop ? Qt::DotLine : Qt::SolidLine));
    painter.drawLine(QPointF(mark.rect.left(), y), QPointF(mark.rect.right(), y));
    // As far as possible in view, however long the line is.
    const double visibleFrom = horizontalScrollBar()->value();
    const QFont font = m_theme.uiFont(10);
    const QFontMetricsF metrics(font);
    const QString words = (isLoop ? QStringLiteral("↻ ") : QString()) + mark.words;
    const double left = std::max(mark.rect.left(), visibleFrom + m_theme.px(2));
    painter.setFont(font);
    painter.setPen(m_theme.mutedText);
    painter.drawText(QPointF(left, y + metrics.ascent()), words);
}

void AlignmentRibbon::paintFlag(QPainter& painter, const RibbonFlag& flag) const
{
    painter.setPen(QPen(m_theme.picked, std::max(1, m_theme.px(1.5)), Qt::DashLine));
    painter.drawLine(QPointF(flag.x, flag.rect.bottom()), QPointF(flag.x, m_layout.height()));
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.pickedPill);
    painter.drawRoundedRect(flag.rect, m_theme.px(3), m_theme.px(3));
    painter.setFont(m_theme.uiFont(11, QFont::DemiBold));
    painter.setPen(m_theme.pickedPillText);
    painter.drawText(flag.rect, Qt::AlignCenter, flag.words);
}

void AlignmentRibbon::paintNames(QPainter& painter) const
{
    const QFont font = m_theme.uiFont(12, QFont::DemiBold);
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    for (int run = 0; run < m_model->count(); ++run) {
        const QRectF row(0, m_layout.rowTop(run), gutter() - m_theme.px(12), m_layout.chipHeight());
        const double letter = m_theme.px(16);
        painter.setPen(m_theme.runColour(run));
        painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter, runLetter(run));
        painter.drawText(
            row.adjusted(letter, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
            metrics.elidedText(m_model->name(run), Qt::ElideRight, row.width() - letter));
    }
}

void AlignmentRibbon::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    refreshScrollBar();
    showCursor();
}

void AlignmentRibbon::mouseMoveEvent(QMouseEvent* event)
{
    const int chip = chipAt(event->position());
    const bool isStep = chip >= 0 && m_layout.chips()[static_cast<std::size_t>(chip)].step >= 0;
    viewport()->setCursor(isStep ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void AlignmentRibbon::mouseReleaseEvent(QMouseEvent* event)
{
    const QPointF point = event->position() - origin();
    for (const RibbonFlag& flag : m_layout.flags())
        if (flag.rect.contains(point)) {
            Q_EMIT stepActivated(flag.step);
            return;
        }
    const int chip = chipAt(event->position());
    if (chip >= 0 && m_layout.chips()[static_cast<std::size_t>(chip)].step >= 0)
        Q_EMIT stepActivated(m_layout.chips()[static_cast<std::size_t>(chip)].step);
}

void AlignmentRibbon::keyPressEvent(QKeyEvent* event)
{
    event->ignore(); // left and right are back and step
}

void AlignmentRibbon::wheelEvent(QWheelEvent* event)
{
    // There is nothing to scroll up or down, so both directions move along the ribbon.
    const QPoint delta = event->angleDelta();
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() - delta.x() - delta.y());
    event->accept();
}

bool AlignmentRibbon::viewportEvent(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int chip = chipAt(help->pos());
    if (help->pos().x() < gutter()) {
        QToolTip::showText(help->globalPos(), viewport()->toolTip(), viewport());
    } else if (chip >= 0) {
        const QString text = chipToolTip(chip);
        QToolTip::setFont(Theme::withoutLigatures(QToolTip::font(), text));
        QToolTip::showText(help->globalPos(), Qt::convertFromPlainText(text), viewport());
    } else {
        QToolTip::hideText();
    }
    return true;
}

} // namespace ui
