#include "tests/ui/support/DrawnText.h"

#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QFontMetricsF>
#include <QGraphicsView>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <QVariant>
#include <QWidget>

#include <cmath>
#include <optional>

namespace support {
namespace {

constexpr QChar ellipsis(0x2026);

/// Notes text and the clip it is drawn under; forgets everything else.
class TextEngine : public QPaintEngine
{
public:
    struct Item
    {
        QString text;
        QRectF ink;
        QRectF clip; ///< infinite where nothing clips
    };

    TextEngine() : QPaintEngine(AllFeatures) {}

    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    Type type() const override { return User; }
    void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
    void drawPath(const QPainterPath&) override {}
    void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
    void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override
    {}

    void updateState(const QPaintEngineState&) override {}

    void drawTextItem(const QPointF& at, const QTextItem& item) override
    {
        const QString text = item.text();
        const QPen pen = painter()->pen();
        if (text.trimmed().isEmpty() || pen.color().alpha() == 0 || painter()->opacity() == 0)
            return;
        // Bearings aside, glyphs lie within the advance width; the height is that of the letters.
        const QRectF tight = QFontMetricsF(item.font()).tightBoundingRect(text);
        const QRectF ink(at.x(), at.y() + tight.top(), item.width(), tight.height());
        const QTransform transform = painter()->deviceTransform();
        items.push_back({text, transform.mapRect(ink), clip(transform)});
    }

    std::vector<Item> items;

private:
    QRectF clip(const QTransform& transform) const
    {
        QRectF result(-1e6, -1e6, 2e6, 2e6);
        if (painter()->hasClipping())
            result &= transform.mapRect(painter()->clipBoundingRect());
        if (!systemClip().isEmpty())
            result &= QRectF(systemClip().boundingRect());
        return result;
    }
};

class TextDevice : public QPaintDevice
{
public:
    explicit TextDevice(const QWidget& like) : m_like(like) {}

    QPaintEngine* paintEngine() const override { return &m_engine; }
    const std::vector<TextEngine::Item>& items() const { return m_engine.items; }

protected:
    int metric(PaintDeviceMetric metric) const override
    {
        switch (metric) {
        case PdmWidth:
            return m_like.width();
        case PdmHeight:
            return m_like.height();
        case PdmWidthMM:
            return m_like.widthMM();
        case PdmHeightMM:
            return m_like.heightMM();
        case PdmDepth:
            return 32;
        case PdmNumColors:
            return 0;
        case PdmDpiX:
        case PdmPhysicalDpiX:
            return m_like.logicalDpiX();
        case PdmDpiY:
        case PdmPhysicalDpiY:
            return m_like.logicalDpiY();
        case PdmDevicePixelRatio:
            return 1;
        case PdmDevicePixelRatioScaled:
            return int(devicePixelRatioFScale());
        }
        return 0;
    }

private:
    const QWidget& m_like;
    mutable TextEngine m_engine;
};

/// The parts of `widget` that can be seen only after scrolling, for each direction.
struct Scrolling
{
    bool vertical = false;
    bool horizontal = false;
};

Scrolling scrolling(const QWidget* widget)
{
    Scrolling result;
    for (; widget; widget = widget->isWindow() ? nullptr : widget->parentWidget())
        if (const auto* area = qobject_cast<const QAbstractScrollArea*>(widget)) {
            const QScrollBar* down = area->verticalScrollBar();
            const QScrollBar* across = area->horizontalScrollBar();
            result.vertical |= down->minimum() < down->maximum();
            result.horizontal |= across->minimum() < across->maximum() && across->isVisible();
        }
    return result;
}

/// The part of `widget` that its ancestors leave, in its window's coordinates.
QRectF visiblePart(const QWidget& widget)
{
    QRect part(widget.mapTo(widget.window(), QPoint()), widget.size());
    for (const QWidget* above = widget.isWindow() ? nullptr : widget.parentWidget(); above;
         above = above->isWindow() ? nullptr : above->parentWidget())
        part &= QRect(above->mapTo(above->window(), QPoint()), above->size());
    return part;
}

void collect(QWidget& widget, std::vector<DrawnText>& texts)
{
    if (!widget.isVisible())
        return;
    TextDevice device(widget);
    widget.render(&device, QPoint(), QRegion(), QWidget::RenderFlags());
    const QPointF offset = widget.mapTo(widget.window(), QPoint());
    const QRectF part = visiblePart(widget);
    for (const TextEngine::Item& item : device.items())
        texts.push_back({item.text, item.ink.translated(offset),
                         item.ink.intersected(item.clip).translated(offset) & part, &widget});
    for (QObject* child : widget.children())
        if (auto* inside = qobject_cast<QWidget*>(child); inside && !inside->isWindow())
            collect(*inside, texts);
}

QString place(const DrawnText& text)
{
    QStringList path;
    for (const QWidget* widget = text.widget; widget; widget = widget->parentWidget())
        path.prepend(widget->objectName().isEmpty()
                         ? QString::fromLatin1(widget->metaObject()->className())
                         : widget->objectName());
    const QRectF& ink = text.ink;
    return QStringLiteral("\"%1\" at %2,%3 %4x%5 (%6)")
        .arg(text.text)
        .arg(std::lround(ink.x()))
        .arg(std::lround(ink.y()))
        .arg(std::lround(ink.width()))
        .arg(std::lround(ink.height()))
        .arg(path.join(QLatin1Char('/')));
}

/// Text whose own words end in an ellipsis, such as "Open…", is not shortened.
bool isShortened(const DrawnText& text)
{
    if (text.text.endsWith(QLatin1String("..."))) // so Qt Charts shortens
        return true;
    if (!text.text.contains(ellipsis))
        return false;
    for (const char* property : {"text", "title", "placeholderText"})
        if (text.widget->property(property).toString().contains(ellipsis))
            return !text.widget->property("fullText").isNull();
    return true;
}

/// What a pointer resting on the middle of the text would be told.
QString toolTip(const DrawnText& text)
{
    const QWidget* above = text.widget->parentWidget();
    if (const auto* view = qobject_cast<const QAbstractItemView*>(above)) {
        const QPointF middle = text.visible.center();
        const QPoint there = text.widget->mapFrom(text.widget->window(), middle.toPoint());
        return view->indexAt(there).data(Qt::ToolTipRole).toString();
    }
    return text.widget->toolTip();
}

std::optional<QString> cutFault(const DrawnText& text)
{
    constexpr double tolerance = 1.5; // bearings and rounding to pixels
    const Scrolling scroll = scrolling(text.widget);
    const double across = text.ink.width() - text.visible.width();
    const double down = text.ink.height() - text.visible.height();
    const bool isOutOfView = text.visible.isEmpty() && (scroll.vertical || scroll.horizontal);
    if (isOutOfView ||
        ((scroll.horizontal || across <= tolerance) && (scroll.vertical || down <= tolerance)))
        return std::nullopt;
    return QStringLiteral("cut off by %1 x %2: ").arg(across).arg(down) + place(text);
}

bool areOver(const DrawnText& one, const DrawnText& other)
{
    if (one.text == other.text && one.ink.topLeft() == other.ink.topLeft())
        return false; // drawn again, as a selection is
    const QRectF both = one.visible & other.visible;
    return both.width() > 1.5 && both.height() > 1.5;
}

} // namespace

std::vector<DrawnText> drawnTexts(QWidget& window)
{
    std::vector<DrawnText> texts;
    collect(window, texts);
    return texts;
}

QStringList textFaults(QWidget& window)
{
    const std::vector<DrawnText> texts = drawnTexts(window);
    QStringList faults;
    for (const DrawnText& text : texts) {
        if (const auto cut = cutFault(text))
            faults << *cut;
        if (isShortened(text) && toolTip(text).isEmpty())
            faults << QStringLiteral("shortened without a tool tip: ") + place(text);
    }
    for (std::size_t i = 0; i < texts.size(); ++i)
        for (std::size_t k = i + 1; k < texts.size(); ++k)
            if (areOver(texts[i], texts[k]))
                faults << QStringLiteral("over each other: %1 and %2")
                              .arg(place(texts[i]), place(texts[k]));
    return faults;
}

} // namespace support
