#include "ui/Icons.h"

#include "ui/Theme.h"

#include <QFile>
#include <QPainter>
#include <QSvgRenderer>

#include <cmath>

namespace ui {
namespace {

QByteArray source(const QString& name)
{
    QFile file(QStringLiteral(":/tokenscope/icons/%1.svg").arg(name));
    const bool opened = file.open(QIODevice::ReadOnly);
    Q_ASSERT(opened);
    return opened ? file.readAll() : QByteArray();
}

QPixmap rendered(const QByteArray& svg, int sizePx, double pixelRatio)
{
    const int side = static_cast<int>(std::ceil(sizePx * pixelRatio));
    QPixmap pixmap(side, side);
    pixmap.fill(Qt::transparent);
    QSvgRenderer renderer(svg);
    QPainter painter(&pixmap);
    renderer.render(&painter);
    painter.end();
    pixmap.setDevicePixelRatio(pixelRatio);
    return pixmap;
}

} // namespace

QPixmap tintedPixmap(const QString& name, const QColor& colour, int sizePx, double pixelRatio)
{
    // The files are drawn in black, the only colour in them.
    return rendered(source(name).replace("#000000", colour.name().toLatin1()), sizePx, pixelRatio);
}

QIcon tintedIcon(const QString& name, const Theme& theme, const QColor& colour)
{
    QIcon icon;
    const int size = theme.px(18);
    for (const double ratio : {1.0, 2.0, 3.0}) {
        icon.addPixmap(tintedPixmap(name, colour, size, ratio), QIcon::Normal);
        icon.addPixmap(tintedPixmap(name, theme.faintText, size, ratio), QIcon::Disabled);
    }
    return icon;
}

QIcon tintedIcon(const QString& name, const Theme& theme)
{
    return tintedIcon(name, theme, theme.text);
}

QPixmap logoPixmap(const Theme& theme, int sizePx, double pixelRatio)
{
    const Theme light = Theme::light();
    QByteArray svg = source(QStringLiteral("logo"));
    svg.replace(light.argmax.name().toUpper().toLatin1(), theme.argmax.name().toLatin1());
    svg.replace(light.picked.name().toUpper().toLatin1(), theme.picked.name().toLatin1());
    svg.replace(light.kept.name().toUpper().toLatin1(), theme.kept.name().toLatin1());
    return rendered(svg, sizePx, pixelRatio);
}

} // namespace ui
