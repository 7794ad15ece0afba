#include "ui/why/DrawBar.h"

#include "tests/ui/support/HandmadeStep.h"

#include <QTest>

class DrawBarTest : public QObject
{
    Q_OBJECT

private:
    static QColor colourAt(ui::DrawBar& bar, double share)
    {
        const QImage image = bar.grab().toImage();
        return image.pixelColor(2 + static_cast<int>(share * (bar.width() - 4)), bar.height() - 20);
    }

private Q_SLOTS:
    void paintsThePickedSliceWhereItLies()
    {
        const engine::Step step = support::handmadeStep({0.5, 0.25, 0.25}, 3, 1, 0);
        ui::DrawBar bar;
        const ui::Theme theme = ui::Theme::light();
        bar.setTheme(theme);
        bar.resize(804, bar.sizeHint().height());
        bar.setBar(QString(), ui::drawSegments(step), step.draw->u);
        QCOMPARE(colourAt(bar, 0.52), theme.picked);
        QCOMPARE(colourAt(bar, 0.74), theme.picked);
        QCOMPARE(colourAt(bar, 0.05), theme.argmax);
        QCOMPARE(colourAt(bar, 0.78), theme.kept);
    }

    void keepsThePointerOffTheCaption()
    {
        const engine::Step step = support::handmadeStep({0.5, 0.25, 0.25}, 3, 1, 0);
        const ui::Theme theme = ui::Theme::light();
        ui::DrawBar bar;
        bar.setTheme(theme);
        bar.resize(804, bar.sizeHint().height());
        const QString caption = QStringLiteral("final probabilities, the largest first");
        bar.setBar(caption, ui::drawSegments(step), std::nullopt);
        const QImage without = bar.grab().toImage();
        // The rows of the caption are as they were, wherever u stands.
        int last = 0;
        for (int y = 0; y < theme.px(24); ++y)
            for (int x = 0; x < 300; ++x)
                if (without.pixelColor(x, y).lightness() < 200)
                    last = y;
        QVERIFY(last > 4);
        for (const double u : {0.0, 0.05, 0.2, 0.999}) {
            bar.setBar(caption, ui::drawSegments(step), u);
            const QRect rows(0, 0, bar.width(), last + 1);
            QCOMPARE(bar.grab().toImage().copy(rows), without.copy(rows));
        }
    }

    void paintsNothingWithoutSlices()
    {
        ui::DrawBar bar;
        bar.resize(400, bar.sizeHint().height());
        bar.setBar(QStringLiteral("now"), {}, std::nullopt);
        QCOMPARE(colourAt(bar, 0.5), ui::Theme::light().promptChip);
    }
};

QTEST_MAIN(DrawBarTest)
#include "DrawBarTest.moc"
