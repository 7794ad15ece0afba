#include "tests/ui/support/DrawnText.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>
#include <QVBoxLayout>

using support::textFaults;

/// That the finder of cut and overlapping text finds what is wrong and nothing else.
class DrawnTextTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void textWithRoomIsInOrder()
    {
        QWidget window;
        QVBoxLayout layout(&window);
        QLabel label(QStringLiteral("a label"));
        QPushButton button(QStringLiteral("Open…"));
        layout.addWidget(&label);
        layout.addWidget(&button);
        window.show();
        const auto texts = support::drawnTexts(window);
        QCOMPARE(texts.size(), std::size_t(2));
        QCOMPARE(texts[0].text, QStringLiteral("a label"));
        QCOMPARE(textFaults(window), QStringList());
    }

    void findsTextThatIsCutOff()
    {
        QWidget window;
        window.resize(300, 100);
        QLabel label(QStringLiteral("much too long for its room"), &window);
        label.setGeometry(10, 10, 50, 30);
        window.show();
        QCOMPARE(textFaults(window).size(), 1);
        QVERIFY(textFaults(window).first().startsWith(QStringLiteral("cut off")));
        label.setGeometry(10, 10, 280, 30);
        QCOMPARE(textFaults(window), QStringList());
        label.setGeometry(10, 10, 280, 5);
        QCOMPARE(textFaults(window).size(), 1);
    }

    void findsAWidgetBeyondItsParent()
    {
        QWidget window;
        window.resize(100, 100);
        QLabel label(QStringLiteral("some words"), &window);
        label.setGeometry(60, 10, 200, 30);
        window.show();
        QCOMPARE(textFaults(window).size(), 1);
    }

    void findsTextOverText()
    {
        QWidget window;
        window.resize(300, 100);
        QLabel one(QStringLiteral("first words"), &window);
        QLabel other(QStringLiteral("other words"), &window);
        one.setGeometry(10, 10, 200, 30);
        other.setGeometry(40, 12, 200, 30);
        window.show();
        QCOMPARE(textFaults(window).size(), 1);
        QVERIFY(textFaults(window).first().startsWith(QStringLiteral("over each other")));
    }

    void findsAnEllipsisThatNothingExplains()
    {
        QLabel label(QStringLiteral("shortened"));
        label.setProperty("fullText", QStringLiteral("shortened words"));
        label.setText(QStringLiteral("shorte…"));
        label.show();
        QCOMPARE(textFaults(label).size(), 1);
        label.setText(QStringLiteral("shorte..."));
        QCOMPARE(textFaults(label).size(), 1);
        label.setToolTip(QStringLiteral("shortened words"));
        QCOMPARE(textFaults(label), QStringList());
    }

    void whatCanBeScrolledToIsWhole()
    {
        QScrollArea area;
        auto* inside = new QLabel(QStringLiteral("one\ntwo\nthree\nfour\nfive\nsix\nseven"));
        area.setWidget(inside);
        area.resize(200, 60);
        area.show();
        QTRY_VERIFY(area.verticalScrollBar()->maximum() > 0);
        QCOMPARE(textFaults(area).join(QLatin1Char(10)), QString());
    }
};

QTEST_MAIN(DrawnTextTest)
#include "DrawnTextTest.moc"
