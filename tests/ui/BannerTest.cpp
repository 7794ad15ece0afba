#include "ui/Banner.h"

#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using ui::Banner;

class BannerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isHiddenUntilItHasSomethingToSay();
    void anErrorIsClosedByItsButton();
    void progressHasNoCloseButton();
    void messagesAreNeverMarkup();
    void aLongMessageWraps();
};

void BannerTest::isHiddenUntilItHasSomethingToSay()
{
    Banner banner;
    banner.setTheme(ui::Theme::light());
    QVERIFY(banner.isHidden());
}

void BannerTest::anErrorIsClosedByItsButton()
{
    Banner banner;
    banner.setTheme(ui::Theme::light());
    QSignalSpy dismissed(&banner, &Banner::dismissed);
    banner.showError(QStringLiteral("model.gguf: not a GGUF file"));
    QVERIFY(banner.isVisible());
    QVERIFY(banner.isError());
    QVERIFY(banner.closeButton()->isVisible());
    QTest::mouseClick(banner.closeButton(), Qt::LeftButton);
    QVERIFY(banner.isHidden());
    QVERIFY(!banner.isError()); // else Escape would go on closing it
    QCOMPARE(dismissed.count(), 1);
}

void BannerTest::progressHasNoCloseButton()
{
    Banner banner;
    banner.setTheme(ui::Theme::light());
    banner.showError(QStringLiteral("bad"));
    banner.showProgress(QStringLiteral("Loading"));
    QVERIFY(!banner.isError());
    QVERIFY(banner.closeButton()->isHidden());
    QCOMPARE(banner.text(), QStringLiteral("Loading"));
}

void BannerTest::messagesAreNeverMarkup()
{
    Banner banner;
    banner.setTheme(ui::Theme::light());
    banner.showError(QStringLiteral("<b>bold</b>.gguf: not a GGUF file"));
    QCOMPARE(banner.text(), QStringLiteral("<b>bold</b>.gguf: not a GGUF file"));
    for (const QLabel* label : banner.findChildren<QLabel*>())
        if (!label->text().isEmpty())
            QCOMPARE(label->textFormat(), Qt::PlainText);
}

void BannerTest::aLongMessageWraps()
{
    Banner banner;
    banner.setTheme(ui::Theme::light());
    banner.resize(600, 100);
    banner.showError(QStringLiteral("model.gguf: expected something else ").repeated(20));
    QVERIFY(banner.heightForWidth(600) > banner.heightForWidth(3000));
    QVERIFY(banner.minimumSizeHint().width() < 600);
}

QTEST_MAIN(BannerTest)
#include "BannerTest.moc"
