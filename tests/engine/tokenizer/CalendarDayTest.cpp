#include "engine/tokenizer/CalendarDay.h"

#include <QDate>
#include <QtTest/QTest>

using engine::CalendarDay;

class CalendarDayTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isWrittenAsPythonWritesIt()
    {
        const CalendarDay day{2024, 7, 6};
        QCOMPARE(day.written("%d %b %Y").value_or(""), std::string("06 Jul 2024"));
        QCOMPARE(day.written("%B %d, %Y (%m/%y)").value_or(""),
                 std::string("July 06, 2024 (07/24)"));
        QCOMPARE(day.written("today").value_or(""), std::string("today"));
    }

    void givesNothingForWhatItDoesNotKnow()
    {
        QVERIFY(!CalendarDay{}.written("%H:%M"));
        QVERIFY(!CalendarDay{}.written("100%"));
    }

    void knowsToday()
    {
        const QDate before = QDate::currentDate();
        const CalendarDay today = CalendarDay::today();
        const QDate after = QDate::currentDate();
        const QDate date(today.year, today.month, today.day);
        QVERIFY(date == before || date == after);
    }
};

QTEST_APPLESS_MAIN(CalendarDayTest)
#include "CalendarDayTest.moc"
