#include "tests/ui/support/ColourVision.h"
#include "tests/ui/support/HandmadeStep.h"
#include "ui/CandidateModel.h"
#include "ui/DistributionChart.h"
#include "ui/DistributionView.h"
#include "ui/Theme.h"

#include <QImage>
#include <QTest>

#include <map>

using support::ColourVision;
using ui::Theme;

namespace {

const std::vector<ColourVision>& dichromacies()
{
    static const std::vector<ColourVision> all = {support::protanopia(), support::deuteranopia(),
                                                  support::tritanopia()};
    return all;
}

/// What a row of the chart says of its candidate.
enum class State
{
    Argmax,
    Picked,
    Kept,
    Cut,
};

/// What a row draws from its axis on, without what names the candidate: four candidates of 25 %,
/// one in each state.
std::map<State, QImage> drawnRows(const Theme& theme)
{
    ui::CandidateModel model;
    ui::DistributionChart chart;
    chart.setTheme(theme);
    chart.setModel(&model);
    chart.resize(704, 414);
    chart.show();
    const engine::Step step = support::handmadeStep({0.25, 0.25, 0.25, 0.25}, 3, 1, 0);
    model.setStep(&step);
    QTest::qWait(10);
    std::map<State, QImage> rows;
    for (const auto& [state, index] :
         {std::pair(State::Argmax, 0), {State::Picked, 1}, {State::Kept, 2}, {State::Cut, 3}}) {
        const QRect row = chart.view()->rowRect(index).toRect();
        const QRect strip(205, row.top() + 2, 400, row.height() - 4);
        rows[state] = chart.view()->grab(strip).toImage().convertToFormat(QImage::Format_RGB32);
    }
    return rows;
}

/// A row that was cut has neither words nor pill of its own, so its bar has to tell.
int comparedWidth(State one, State other, const QImage& row)
{
    return one == State::Cut || other == State::Cut ? 80 : row.width();
}

/// Pixels at which the two are plainly different: 10 is about four just noticeable differences.
int differingPixels(const QImage& a, const QImage& b, int width, const ColourVision& vision)
{
    int count = 0;
    for (int y = 0; y < std::min(a.height(), b.height()); ++y)
        for (int x = 0; x < width; ++x)
            if (a.pixel(x, y) != b.pixel(x, y) &&
                support::difference(a.pixelColor(x, y), b.pixelColor(x, y), vision) >= 10)
                ++count;
    return count;
}

} // namespace

/// That nothing in the window is told by a hue that somebody cannot see.
class PaletteTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void simulationsAgreeWithKnownColours()
    {
        // Greys stay grey for everybody; pure red and a dark yellow-green look alike without the
        // long-wave cones.
        for (const ColourVision& vision : dichromacies())
            QVERIFY(support::difference(QColor(128, 128, 128), QColor(128, 128, 128), vision) == 0);
        const QColor red(0xCC, 0x33, 0x00), green(0x66, 0x66, 0x00);
        const ColourVision usual = {QStringLiteral("usual"), {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
        QVERIFY(support::difference(red, green, support::protanopia()) <
                0.35 * support::difference(red, green, usual));
        // L* of black and white are 0 and 100.
        QVERIFY(std::abs(support::difference(Qt::black, Qt::white, support::greyscale()) - 100) <
                0.01);
    }

    void colourBlindEyesTellTheMarksApart_data()
    {
        QTest::addColumn<QColor>("one");
        QTest::addColumn<QColor>("other");
        for (const Theme& theme : {Theme::light(), Theme::dark()}) {
            const std::vector<std::pair<const char*, QColor>> marks = {{"argmax", theme.argmax},
                                                                       {"picked", theme.picked},
                                                                       {"kept", theme.kept},
                                                                       {"cut", theme.cutHatch}};
            for (std::size_t i = 0; i < marks.size(); ++i)
                for (std::size_t k = i + 1; k < marks.size(); ++k)
                    QTest::addRow("%s: %s, %s", theme.isDark ? "dark" : "light", marks[i].first,
                                  marks[k].first)
                        << marks[i].second << marks[k].second;
        }
    }

    void colourBlindEyesTellTheMarksApart()
    {
        QFETCH(QColor, one);
        QFETCH(QColor, other);
        for (const ColourVision& vision : dichromacies()) {
            const double distance = support::difference(one, other, vision);
            QVERIFY2(distance >= 15,
                     qPrintable(QStringLiteral("%1: %2").arg(vision.name).arg(distance)));
        }
    }

    /// Their letters tell runs apart for everybody; the colours help whoever can see them.
    void runColoursAreToldApart()
    {
        for (const Theme& theme : {Theme::light(), Theme::dark()})
            for (int one = 0; one < 4; ++one)
                for (int other = one + 1; other < 4; ++other) {
                    const ColourVision usual = {QStringLiteral("usual"),
                                                {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
                    const double distance =
                        support::difference(theme.runColour(one), theme.runColour(other), usual);
                    QVERIFY2(distance >= 20, qPrintable(QString::number(distance)));
                }
    }

    /// As drawn: in greyscale the hues of picked, kept and cut are one, and hatch, star and pill
    /// have to tell them apart.
    void rowsAreToldApartByEverybody()
    {
        std::vector<ColourVision> visions = dichromacies();
        visions.push_back(support::greyscale());
        for (const Theme& theme : {Theme::light(), Theme::dark()}) {
            const std::map<State, QImage> rows = drawnRows(theme);
            for (const ColourVision& vision : visions)
                for (auto one = rows.begin(); one != rows.end(); ++one)
                    for (auto other = std::next(one); other != rows.end(); ++other) {
                        const int width = comparedWidth(one->first, other->first, one->second);
                        const int pixels =
                            differingPixels(one->second, other->second, width, vision);
                        QVERIFY2(pixels >= 400,
                                 qPrintable(QStringLiteral("%1, %2: states %3 and %4 differ in %5")
                                                .arg(theme.isDark ? QStringLiteral("dark")
                                                                  : QStringLiteral("light"),
                                                     vision.name)
                                                .arg(int(one->first))
                                                .arg(int(other->first))
                                                .arg(pixels)));
                    }
            // The count is not of chance: the same row twice is alike.
            const QImage& kept = rows.at(State::Kept);
            QCOMPARE(differingPixels(kept, drawnRows(theme).at(State::Kept), kept.width(),
                                     support::greyscale()),
                     0);
        }
    }
};

QTEST_MAIN(PaletteTest)
#include "PaletteTest.moc"
