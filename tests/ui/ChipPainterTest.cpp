#include "ui/ChipPainter.h"

#include <QImage>
#include <QPainter>
#include <QTest>

using engine::TokenPiece;
using ui::ChipStyle;

namespace {

TokenPiece piece(const std::string& bytes)
{
    return {engine::TokenId{7}, bytes, engine::TokenKind::Normal};
}

ChipStyle plainStyle()
{
    ChipStyle style;
    style.fill = Qt::white;
    style.text = Qt::black;
    style.faint = Qt::black;
    return style;
}

/// The columns of the picture that hold ink, first and last.
QPair<int, int> inkOf(const QImage& image)
{
    QPair<int, int> ink(image.width(), -1);
    for (int x = 0; x < image.width(); ++x)
        for (int y = 0; y < image.height(); ++y)
            if (qGray(image.pixel(x, y)) < 128) {
                ink.first = qMin(ink.first, x);
                ink.second = qMax(ink.second, x);
            }
    return ink;
}

QImage painted(const TokenPiece& token, const QRectF& rect)
{
    QImage image(400, 40, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    paintChip(painter, rect, token, plainStyle(), ui::Theme::light());
    return image;
}

} // namespace

class ChipPainterTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aChipIsAsWideAsItsText()
    {
        const auto theme = ui::Theme::light();
        const double one = chipSize(piece("a"), plainStyle(), theme).width();
        const double four = chipSize(piece("abcd"), plainStyle(), theme).width();
        QVERIFY(four > one);
        // All letters of the monospace font are as wide as one another.
        QVERIFY(qAbs(chipSize(piece("iiii"), plainStyle(), theme).width() - four) < 0.01);
    }

    void sizesFollowTheScale()
    {
        ui::Theme theme = ui::Theme::light();
        const QSizeF small = chipSize(piece("abc"), plainStyle(), theme);
        theme.scale = 2;
        const QSizeF large = chipSize(piece("abc"), plainStyle(), theme);
        QVERIFY(qAbs(large.width() / small.width() - 2) < 0.1);
        QVERIFY(qAbs(large.height() / small.height() - 2) < 0.1);
    }

    void longTokensDoNotMakeEndlessChips()
    {
        const auto theme = ui::Theme::light();
        const double most = chipSize(piece(std::string(24, 'x')), plainStyle(), theme).width();
        QVERIFY(chipSize(piece(std::string(5000, 'x')), plainStyle(), theme).width() <= most + 1);
    }

    void textStaysInsideANarrowChip()
    {
        for (const char* text : {"a_very_long_token_that_never_ends", "    \n\t\n\t    ", "mat"}) {
            const auto ink = inkOf(painted(piece(text), QRectF(100, 4, 70, 28)));
            QVERIFY2(ink.first >= 100 && ink.second <= 170, text);
        }
    }

    void asciiIsDrawnLetterByLetter()
    {
        // With ligatures "!=" would be one sign, and look different from "!" beside "=".
        const auto theme = ui::Theme::light();
        const QImage both = painted(piece("!="), QRectF(0, 0, 100, 30));
        QImage apart(400, 40, QImage::Format_RGB32);
        apart.fill(Qt::white);
        QPainter painter(&apart);
        const QFont font = theme.tokenFont(plainStyle().fontPx, u"!"_qs);
        const QFontMetricsF metrics(font);
        const double cell = metrics.horizontalAdvance(u'!');
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setFont(font);
        const double x = (100 - 2 * cell) / 2;
        const double baseline = 15 + (metrics.ascent() - metrics.descent()) / 2;
        painter.drawText(QPointF(x, baseline), u"!"_qs);
        painter.drawText(QPointF(x + cell, baseline), u"="_qs);
        painter.end();
        QCOMPARE(both, apart);
    }
};

QTEST_MAIN(ChipPainterTest)
#include "ChipPainterTest.moc"
