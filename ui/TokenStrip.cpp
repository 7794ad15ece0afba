#include "ui/TokenStrip.h"

#include "ui/NumberText.h"
#include "ui/StepModel.h"
#include "ui/StopText.h"
#include "ui/TokenText.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTextDocument>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace ui {
namespace {

constexpr double tokenPx = 14;
constexpr double idPx = 9.5;
constexpr double markPx = 12;
constexpr double fadedOpacity = 0.4;

QString originText(engine::TokenOrigin origin)
{
    switch (origin) {
    case engine::TokenOrigin::Prompt:
        return TokenStrip::tr("from the prompt");
    case engine::TokenOrigin::Special:
        return TokenStrip::tr("special token in the prompt");
    case engine::TokenOrigin::Bos:
        return TokenStrip::tr("put first by the tokenizer (BOS)");
    case engine::TokenOrigin::Generated:
        return TokenStrip::tr("picked by the decoding rule");
    case engine::TokenOrigin::Forced:
        return TokenStrip::tr("forced by you");
    }
    return {};
}

} // namespace

TokenStrip::TokenStrip(QWidget* parent) : QAbstractScrollArea(parent), m_theme(Theme::light())
{
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Tokens of the context"));
    viewport()->setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
}

void TokenStrip::setTheme(const Theme& theme)
{
    m_theme = theme;
    reload(0);
}

void TokenStrip::setModel(StepModel* steps)
{
    if (m_steps)
        m_steps->disconnect(this);
    m_steps = steps;
    if (m_steps) {
        connect(m_steps, &StepModel::runChanged, this, [this] { reload(0); });
        connect(m_steps, &StepModel::stepsChanged, this, &TokenStrip::reload);
        connect(m_steps, &StepModel::selectedChanged, this, [this] {
            showSelected();
            updateAccessibleText();
            viewport()->update();
        });
    }
    reload(0);
}

void TokenStrip::setEmptyText(const QString& text)
{
    m_emptyText = text;
    viewport()->update();
}

QRect TokenStrip::chipRect(int chip) const
{
    return m_layout.chips()[static_cast<std::size_t>(chip)]
        .translated(0, -verticalScrollBar()->value())
        .toAlignedRect();
}

QRect TokenStrip::endMarkRect() const
{
    return m_endMark.isEmpty()
               ? QRect()
               : m_layout.endMark().translated(0, -verticalScrollBar()->value()).toAlignedRect();
}

QSize TokenStrip::minimumSizeHint() const
{
    return {m_theme.px(120), m_theme.px(96)};
}

void TokenStrip::reload(int fromStep)
{
    const std::size_t promptCount = m_steps ? m_steps->run().context.tokens.size() : 0;
    std::size_t kept = promptCount + static_cast<std::size_t>(fromStep);
    if (fromStep <= 0 || kept > m_tokens.size()) {
        m_tokens = m_steps ? m_steps->contextTokens() : std::vector<engine::ContextToken>();
        kept = 0;
    } else {
        m_tokens.resize(kept);
        for (int step = fromStep; step < m_steps->stepCount(); ++step)
            m_tokens.push_back(m_steps->addedToken(step));
    }
    measureChips(kept);
    m_joins = joinedTokens(m_tokens);
    const QString stop = m_steps ? stopText(m_steps->run()) : QString();
    m_endMark = stop.isEmpty() ? QString() : QChar(0x25A0) + QStringLiteral(" ") + stop;
    arrange();
    showSelected();
    updateAccessibleText();
    viewport()->update();
}

/// Measuring text is what costs, so chips before the change keep their widths. A chip is at least
/// as wide as the id below it, so that the ids of neighbours stay apart.
void TokenStrip::measureChips(std::size_t from)
{
    ChipStyle style;
    style.fontPx = tokenPx;
    const double digit = QFontMetricsF(m_theme.monoFont(idPx)).horizontalAdvance(QLatin1Char('0'));
    m_widths.resize(m_tokens.size());
    for (std::size_t i = from; i < m_tokens.size(); ++i) {
        const engine::TokenPiece& piece = m_tokens[i].piece;
        const auto digits = QString::number(piece.id.value).size();
        m_widths[i] = std::max(chipSize(piece, style, m_theme).width(),
                               digit * static_cast<double>(digits) + m_theme.px(2));
    }
}

void TokenStrip::arrange()
{
    TokenStripLayout::Sizes sizes;
    ChipStyle style;
    style.fontPx = tokenPx;
    // Room for the scroll bar is always left, so that its coming does not rearrange the chips.
    const int scrollBar = verticalScrollBar()->sizeHint().width();
    sizes.width = std::max(m_theme.px(40), width() - scrollBar);
    sizes.chipHeight = std::ceil(chipSize({{}, "x", {}}, style, m_theme).height());
    sizes.idHeight = m_theme.px(13);
    sizes.joinHeight = m_theme.px(16);
    sizes.gapX = m_theme.px(5);
    sizes.gapY = m_theme.px(6);
    std::optional<double> endMarkWidth;
    if (!m_endMark.isEmpty())
        endMarkWidth =
            QFontMetricsF(m_theme.uiFont(markPx)).horizontalAdvance(m_endMark) + m_theme.px(6);
    m_layout.arrange(sizes, m_widths, m_tokens, m_joins, endMarkWidth);
    const int total = static_cast<int>(std::ceil(m_layout.height())) + m_theme.px(2);
    verticalScrollBar()->setRange(0, rowTopAtOrBelow(total - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(static_cast<int>(sizes.chipHeight));
}

int TokenStrip::currentChip() const
{
    if (!m_steps)
        return -1;
    if (const auto position = m_steps->promptPosition())
        return *position;
    const int selected = m_steps->selected();
    return selected < 0 ? -1 : static_cast<int>(m_steps->run().context.tokens.size()) + selected;
}

void TokenStrip::showSelected()
{
    if (m_tokens.empty() || !m_steps)
        return;
    // The newest step is shown together with the end mark below it.
    const int chip = currentChip() < 0 ? chipCount() - 1 : currentChip();
    if (chip >= chipCount())
        return;
    QScrollBar* bar = verticalScrollBar();
    if (chip == chipCount() - 1) {
        bar->setValue(bar->maximum());
        return;
    }
    const TokenStripLayout::Row& row =
        m_layout.rows()[static_cast<std::size_t>(m_layout.rowOf(chip))];
    if (row.top < bar->value())
        bar->setValue(static_cast<int>(row.top));
    else if (row.bottom > bar->value() + viewport()->height())
        bar->setValue(rowTopAtOrBelow(row.bottom - viewport()->height()));
}

/// Scrolling by itself always stops where a row begins, so that none is cut at the top.
int TokenStrip::rowTopAtOrBelow(double y) const
{
    if (y <= 0)
        return 0;
    for (const TokenStripLayout::Row& row : m_layout.rows())
        if (row.top >= y)
            return static_cast<int>(std::ceil(row.top));
    return static_cast<int>(std::ceil(y));
}

int TokenStrip::stepOf(int chip) const
{
    const int promptCount = static_cast<int>(m_steps->run().context.tokens.size());
    return chip < promptCount ? -1 : chip - promptCount;
}

QString TokenStrip::chipToolTip(int chip) const
{
    const engine::ContextToken& token = m_tokens[static_cast<std::size_t>(chip)];
    QStringList lines = {tr("Token %1").arg(visibleText(token.piece, 80)),
                         tr("Id: %1").arg(token.piece.id.value),
                         tr("Bytes: %1").arg(hexBytes(token.piece.bytes.substr(0, 32))),
                         tr("Origin: %1").arg(originText(token.origin))};
    for (const JoinedTokens& join : m_joins)
        if (join.first <= chip && chip <= join.last)
            lines << tr("Together with its neighbours: %1")
                         .arg(visibleText({{}, join.text.toStdString(), {}}));
    if (const int step = stepOf(chip); step >= 0) {
        const engine::Step& made = m_steps->run().steps[static_cast<std::size_t>(step)];
        lines << tr("Step: %1").arg(step);
        if (const engine::Candidate* picked = made.find(made.picked))
            lines << tr("Probability: %1, rank %2")
                         .arg(percentText(picked->probability), countText(picked->rank));
        if (made.picked != made.argmax)
            lines << tr("Not the argmax: another token was more probable");
        lines << tr("Click to look at this step");
    } else if (chip > 0) {
        lines << tr("Click to see what the model expected here");
    }
    return lines.join(QLatin1Char('\n'));
}

ChipStyle TokenStrip::styleOf(int chip) const
{
    const engine::ContextToken& token = m_tokens[static_cast<std::size_t>(chip)];
    ChipStyle style;
    style.fontPx = tokenPx;
    style.text = m_theme.text;
    style.faint = m_theme.faintText;
    const int step = stepOf(chip);
    if (step < 0) {
        style.fill = m_theme.promptChip;
        style.outline = QPen(m_theme.border, 1);
        // What is not the user's text, whether the tokenizer or a template put it there, is
        // dashed: a shape, so that it does not take colour to see it.
        if (token.origin != engine::TokenOrigin::Prompt)
            style.outline = QPen(m_theme.mutedText, m_theme.px(1), Qt::DashLine);
        if (chip == currentChip())
            style.outline = QPen(m_theme.accent, m_theme.px(2));
        return style;
    }
    const engine::Step& made = m_steps->run().steps[static_cast<std::size_t>(step)];
    const engine::Candidate* picked = made.find(made.picked);
    style.fill = m_theme.probabilityTint(picked ? picked->probability : 0);
    style.faint = m_theme.tintedFaint();
    style.outline = QPen(m_theme.kept, 1);
    style.underline = made.picked != made.argmax;
    style.underlineColor = m_theme.picked;
    if (token.origin == engine::TokenOrigin::Forced)
        style.outline = QPen(m_theme.text, m_theme.px(1.5), Qt::DotLine);
    if (chip == currentChip()) {
        style.fill = m_theme.pickedRow;
        style.outline = QPen(m_theme.picked, m_theme.px(2));
    }
    return style;
}

void TokenStrip::paintEvent(QPaintEvent* event)
{
    QPainter painter(viewport());
    painter.setRenderHint(QPainter::Antialiasing);
    const QRect area = viewport()->rect();
    if (m_tokens.empty()) {
        painter.setFont(m_theme.uiFont(12));
        painter.setPen(m_theme.mutedText);
        painter.drawText(area, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, m_emptyText);
    } else {
        const int scroll = verticalScrollBar()->value();
        painter.translate(0, -scroll);
        const QRect dirty = event->rect().translated(0, scroll);
        const auto& rows = m_layout.rows();
        for (auto i = static_cast<std::size_t>(m_layout.firstRowBelow(dirty.top()));
             i < rows.size() && rows[i].top <= dirty.bottom(); ++i)
            paintRow(painter, rows[i]);
        if (!m_endMark.isEmpty()) {
            painter.setFont(
                Theme::withoutLigatures(m_theme.uiFont(markPx, QFont::Medium), m_endMark));
            painter.setPen(m_theme.mutedText);
            const QString shown =
                QFontMetricsF(painter.font())
                    .elidedText(m_endMark, Qt::ElideRight, m_layout.endMark().width());
            painter.drawText(m_layout.endMark(), Qt::AlignLeft | Qt::AlignVCenter, shown);
        }
        painter.translate(0, scroll);
    }
}

void TokenStrip::paintRow(QPainter& painter, const TokenStripLayout::Row& row) const
{
    for (int chip = row.first; chip <= row.last; ++chip)
        paintChipAt(painter, chip);
    if (!row.hasJoin)
        return;
    for (const JoinedTokens& join : m_joins)
        if (join.first <= row.last && join.last >= row.first)
            paintJoin(painter, join, row);
}

void TokenStrip::paintChipAt(QPainter& painter, int chip) const
{
    const engine::ContextToken& token = m_tokens[static_cast<std::size_t>(chip)];
    const QRectF rect = m_layout.chips()[static_cast<std::size_t>(chip)];
    const bool faded = chip > currentChip();
    painter.setOpacity(faded ? fadedOpacity : 1.0);
    paintChip(painter, rect, token.piece, styleOf(chip), m_theme);
    if (token.origin == engine::TokenOrigin::Forced)
        paintPin(painter, rect);
    painter.setFont(m_theme.monoFont(idPx));
    painter.setPen(m_theme.faintText);
    // An id wider than its chip may reach into the gaps beside it.
    const double reach = m_theme.px(6);
    painter.drawText(
        QRectF(rect.left() - reach, rect.bottom(), rect.width() + 2 * reach, m_theme.px(13)),
        Qt::AlignHCenter | Qt::AlignVCenter, QString::number(token.piece.id.value));
    painter.setOpacity(1.0);
}

void TokenStrip::paintPin(QPainter& painter, const QRectF& chip) const
{
    const double radius = m_theme.px(3);
    const QPointF head(chip.right() - radius, chip.top() + radius * 0.5);
    painter.setPen(QPen(m_theme.text, m_theme.px(1.5), Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(head, head + QPointF(-radius * 1.3, radius * 2.2));
    painter.setPen(QPen(m_theme.surface, 1));
    painter.setBrush(m_theme.text);
    painter.drawEllipse(head, radius, radius);
}

void TokenStrip::paintJoin(QPainter& painter, const JoinedTokens& join,
                           const TokenStripLayout::Row& row) const
{
    const auto& chips = m_layout.chips();
    const QRectF first = chips[static_cast<std::size_t>(std::max(join.first, row.first))];
    const QRectF last = chips[static_cast<std::size_t>(std::min(join.last, row.last))];
    painter.setOpacity(join.last > currentChip() ? fadedOpacity : 1.0);
    const double y = first.top() - m_theme.px(5);
    const double foot = first.top() - m_theme.px(1.5);
    painter.setPen(QPen(m_theme.specialText, m_theme.px(1.2)));
    painter.setBrush(Qt::NoBrush);
    QPolygonF bracket;
    // Open on the side where the character goes on in another row.
    if (join.first >= row.first)
        bracket << QPointF(first.left() + 2, foot);
    bracket << QPointF(first.left() + 2, y) << QPointF(last.right() - 2, y);
    if (join.last <= row.last)
        bracket << QPointF(last.right() - 2, foot);
    painter.drawPolyline(bracket);

    const QString text = visibleText({{}, join.text.toStdString(), {}});
    painter.setFont(m_theme.tokenFont(11, text));
    const QFontMetricsF metrics(painter.font());
    const double width = std::min(metrics.horizontalAdvance(text), last.right() - first.left());
    const QRectF label((first.left() + last.right() - width) / 2 - m_theme.px(3), row.top,
                       width + m_theme.px(6), first.top() - m_theme.px(2) - row.top);
    painter.fillRect(label, m_theme.surface);
    painter.setPen(m_theme.text);
    painter.drawText(label, Qt::AlignCenter, text);
    painter.setOpacity(1.0);
}

void TokenStrip::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    arrange();
    showSelected();
}

void TokenStrip::mouseReleaseEvent(QMouseEvent* event)
{
    const QPointF point = event->position() + QPointF(0, verticalScrollBar()->value());
    const int chip = m_layout.chipAt(point);
    if (event->button() == Qt::LeftButton && chip >= 0)
        activate(chip);
}

void TokenStrip::mouseMoveEvent(QMouseEvent* event)
{
    const QPointF point = event->position() + QPointF(0, verticalScrollBar()->value());
    const int chip = m_layout.chipAt(point);
    viewport()->setCursor(chip >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void TokenStrip::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down)
        selectInNeighbourRow(event->key() == Qt::Key_Up ? -1 : 1);
    else
        QAbstractScrollArea::keyPressEvent(event);
}

void TokenStrip::activate(int chip)
{
    if (stepOf(chip) >= 0)
        Q_EMIT stepActivated(stepOf(chip));
    else
        Q_EMIT promptTokenActivated(chip);
}

/// Goes to the chip above or below the one looked at; left and right are the window's own
/// keys for back and step.
void TokenStrip::selectInNeighbourRow(int direction)
{
    const int chip = currentChip();
    if (chip < 0)
        return;
    const int target = m_layout.rowOf(chip) + direction;
    if (target < 0 || target >= static_cast<int>(m_layout.rows().size()))
        return;
    const double x = m_layout.chips()[static_cast<std::size_t>(chip)].center().x();
    const TokenStripLayout::Row& row = m_layout.rows()[static_cast<std::size_t>(target)];
    int nearest = -1;
    double distance = 0;
    for (int other = row.first; other <= row.last; ++other) {
        const double off =
            std::abs(m_layout.chips()[static_cast<std::size_t>(other)].center().x() - x);
        if (nearest < 0 || off < distance) {
            nearest = other;
            distance = off;
        }
    }
    if (nearest >= 0)
        activate(nearest);
}

bool TokenStrip::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QPointF point = QPointF(help->pos()) + QPointF(0, verticalScrollBar()->value());
        const int chip = m_layout.chipAt(point);
        if (chip < 0) {
            QToolTip::hideText();
            event->ignore();
        } else {
            const QString text = chipToolTip(chip);
            QToolTip::setFont(Theme::withoutLigatures(QToolTip::font(), text));
            // Escaped: a tool tip would take a token that looks like HTML for HTML.
            QToolTip::showText(help->globalPos(), Qt::convertFromPlainText(text, Qt::WhiteSpacePre),
                               viewport(), chipRect(chip));
        }
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void TokenStrip::updateAccessibleText()
{
    QString text = tr("%1 tokens").arg(chipCount());
    if (m_steps && m_steps->selectedStep()) {
        const engine::Step& step = *m_steps->selectedStep();
        const engine::Candidate* picked = step.find(step.picked);
        const QString token =
            picked ? visibleText(picked->piece) : QString::number(step.picked.value);
        if (const auto position = m_steps->promptPosition())
            text += tr("; at token %1 of the prompt, %2").arg(*position).arg(token);
        else
            text += tr("; step %1 picked %2").arg(m_steps->selected()).arg(token);
    }
    if (!m_endMark.isEmpty())
        text += tr("; ended: %1").arg(stopText(m_steps->run()));
    setAccessibleDescription(text);
}

} // namespace ui
