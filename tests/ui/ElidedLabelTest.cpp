#include "ui/ElidedLabel.h"

#include <QTest>

using ui::ElidedLabel;

class ElidedLabelTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsAllOfItWithRoom();
    void cutsWithoutRoomAndSaysTheRestInItsToolTip();
    void neverReadsMarkup();
    void drawsTokensWithoutLigatures();
};

void ElidedLabelTest::showsAllOfItWithRoom()
{
    ElidedLabel label;
    label.setFullText(QStringLiteral("pocket-stories"));
    label.resize(label.sizeHint());
    label.show();
    QCOMPARE(label.text(), QStringLiteral("pocket-stories"));
    QVERIFY(label.toolTip().isEmpty());
}

void ElidedLabelTest::cutsWithoutRoomAndSaysTheRestInItsToolTip()
{
    ElidedLabel label;
    label.setFullText(QStringLiteral("a-long-name-of-a-model-file.gguf"));
    label.resize(90, 20);
    label.show();
    QVERIFY(label.text().contains(QChar(0x2026)));
    QVERIFY(label.fontMetrics().horizontalAdvance(label.text()) <= 90);
    QVERIFY(label.toolTip().contains(QStringLiteral("model-file.gguf")));
    QCOMPARE(label.fullText(), QStringLiteral("a-long-name-of-a-model-file.gguf"));
    QVERIFY(label.minimumSizeHint().width() < label.sizeHint().width());
}

void ElidedLabelTest::neverReadsMarkup()
{
    ElidedLabel label;
    label.setFullText(QStringLiteral("<b>x</b>\n<i>y</i>"));
    label.resize(600, 20);
    label.show();
    QCOMPARE(label.textFormat(), Qt::PlainText);
    QCOMPARE(label.text(), QStringLiteral("<b>x</b> <i>y</i>"));
    label.resize(40, 20);
    QVERIFY(!label.toolTip().contains(QStringLiteral("<b>")));
}

void ElidedLabelTest::drawsTokensWithoutLigatures()
{
    ElidedLabel label;
    label.setStyleSheet(QStringLiteral("font-size: 17px"));
    label.setFullText(QStringLiteral("Step 3 · picks ->"));
    label.show();
    QCOMPARE(label.font().styleStrategy(), QFont::PreferNoShaping);
    QCOMPARE(label.font().pixelSize(), 17);
    label.setFullText(QString::fromUtf8("\xD8\xB3\xD9\x84\xD8\xA7\xD9\x85"));
    QVERIFY(label.font().styleStrategy() != QFont::PreferNoShaping);
}

QTEST_MAIN(ElidedLabelTest)
#include "ElidedLabelTest.moc"
