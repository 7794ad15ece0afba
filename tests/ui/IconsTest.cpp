#include "ui/Icons.h"

#include "ui/Theme.h"

#include <QDir>
#include <QTest>

class IconsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyFileIsDrawnInTheColourAskedFor();
    void picturesAreCrispAtTwiceTheResolution();
    void disabledIconsAreFaint();
    void theLogoFollowsTheTheme();
};

namespace {

/// The most opaque pixel.
QColor strongest(const QImage& image)
{
    QColor found(0, 0, 0, 0);
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (image.pixelColor(x, y).alpha() > found.alpha())
                found = image.pixelColor(x, y);
    return found;
}

} // namespace

void IconsTest::everyFileIsDrawnInTheColourAskedFor()
{
    const QStringList files = QDir(QStringLiteral(":/tokenscope/icons")).entryList();
    QVERIFY(files.size() > 15);
    const QColor colour(20, 120, 220);
    for (const QString& file : files) {
        // These are drawn as they are: the logo, and the ticks that the style sheet shows.
        if (file == QLatin1String("logo.svg") || file.startsWith(QLatin1String("check-")))
            continue;
        const QString name = file.chopped(4);
        const QImage image = ui::tintedPixmap(name, colour, 24, 1).toImage();
        const QColor found = strongest(image);
        QVERIFY2(found.alpha() > 200, qPrintable(name));
        QVERIFY2(qAbs(found.red() - 20) < 6 && qAbs(found.blue() - 220) < 6, qPrintable(name));
    }
}

void IconsTest::picturesAreCrispAtTwiceTheResolution()
{
    const QPixmap pixmap = ui::tintedPixmap(QStringLiteral("step"), Qt::black, 16, 2);
    QCOMPARE(pixmap.size(), QSize(32, 32));
    QCOMPARE(pixmap.deviceIndependentSize(), QSizeF(16, 16));
}

void IconsTest::disabledIconsAreFaint()
{
    const ui::Theme theme = ui::Theme::light();
    const QIcon icon = ui::tintedIcon(QStringLiteral("step"), theme);
    const QColor off = strongest(icon.pixmap(18, QIcon::Disabled).toImage());
    const QColor on = strongest(icon.pixmap(18, QIcon::Normal).toImage());
    QVERIFY(off.lightness() > on.lightness() + 30);
}

void IconsTest::theLogoFollowsTheTheme()
{
    QVERIFY(ui::logoPixmap(ui::Theme::light(), 24, 1).toImage() !=
            ui::logoPixmap(ui::Theme::dark(), 24, 1).toImage());
}

QTEST_MAIN(IconsTest)
#include "IconsTest.moc"
