#include "ui/StepPages.h"

#include "tests/ui/support/SampleRun.h"
#include "ui/StepModel.h"
#include "ui/StepPage.h"

#include <QSignalSpy>
#include <QTabBar>
#include <QTest>

using ui::StepModel;
using ui::StepPages;

namespace {

/// Counts what it is told.
class CountingPage : public ui::StepPage
{
public:
    void setTheme(const ui::Theme& theme) override { isDark = theme.isDark; }
    void showStep(const StepModel& steps) override
    {
        ++shown;
        selected = steps.selected();
    }

    bool isDark = false;
    int shown = 0;
    int selected = -2;
};

} // namespace

class StepPagesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tellsOnlyThePageInViewOfTheStep()
    {
        StepModel steps;
        StepPages pages(&steps);
        auto* plain = new QWidget;
        auto* counting = new CountingPage;
        pages.addPage(QStringLiteral("Plain"), QStringLiteral("The first"), plain);
        pages.addPage(QStringLiteral("Counting"), QStringLiteral("The second"), counting);
        QCOMPARE(pages.currentPage(), plain);
        steps.setRun(support::sampleRun());
        QCOMPARE(counting->shown, 0);
        const QSignalSpy changed(&pages, &StepPages::pageChanged);
        pages.showPage(counting);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(counting->selected, steps.selected());
        steps.select(0);
        QCOMPARE(counting->selected, 0);
        pages.tabs()->setCurrentIndex(0);
        const int before = counting->shown;
        steps.select(1);
        QCOMPARE(counting->shown, before);
    }

    void handsTheThemeToEveryPage()
    {
        StepModel steps;
        StepPages pages(&steps);
        auto* counting = new CountingPage;
        pages.addPage(QStringLiteral("Plain"), {}, new QWidget);
        pages.addPage(QStringLiteral("Counting"), {}, counting);
        pages.setTheme(ui::Theme::dark());
        QVERIFY(counting->isDark);
    }
};

QTEST_MAIN(StepPagesTest)
#include "StepPagesTest.moc"
