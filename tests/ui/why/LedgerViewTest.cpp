#include "ui/why/LedgerView.h"

#include <QLabel>
#include <QTest>

class LedgerViewTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsTheRowsAsPlainText()
    {
        ui::LedgerView view;
        view.resize(500, 300);
        view.show();
        view.setRows({{QStringLiteral("text"), QStringLiteral("<b>x</b>"), {}, false, false},
                      {QStringLiteral("top-k 3"), QStringLiteral("rank 4 > 3"),
                       QStringLiteral("removed"), true, true}});
        QStringList shown;
        for (const QLabel* label : view.findChildren<QLabel*>()) {
            if (!label->isVisible())
                continue;
            QCOMPARE(label->textFormat(), Qt::PlainText);
            shown << label->text();
        }
        QVERIFY(shown.contains(QStringLiteral("<b>x</b>")));
        // Not by its tint alone.
        QVERIFY(shown.contains(QStringLiteral("✕ removed")));
        view.setRows({{QStringLiteral("text"), QStringLiteral("y"), {}, false, false}});
        QCOMPARE(view.text(), QStringLiteral("text\ty\t"));
        int visible = 0;
        for (const QLabel* label : view.findChildren<QLabel*>())
            visible += label->isVisible() ? 1 : 0;
        QCOMPARE(visible, 3);
    }
};

QTEST_MAIN(LedgerViewTest)
#include "LedgerViewTest.moc"
