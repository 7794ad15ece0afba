#include "ui/Theme.h"

#include "tests/ui/support/ColourVision.h"

#include <QFontInfo>
#include <QTest>

using support::contrast;
using ui::Theme;

class ThemeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void textIsReadableOnItsSurface_data();
    void textIsReadableOnItsSurface();
    void marksStandOutFromTheCard_data();
    void marksStandOutFromTheCard();
    void contrastAgreesWithKnownPairs();
    void tintGrowsWithTheProbability();
    void sizesFollowTheScale();
    void styleSheetHasNoPlaceholderLeft();
    void hairlinesStayOnePixelWide();
    void asciiTokensAreNotShaped();
    void fontListsEndInCjkAndColourEmoji();
};

void ThemeTest::textIsReadableOnItsSurface_data()
{
    QTest::addColumn<QColor>("text");
    QTest::addColumn<QColor>("surface");
    for (const Theme& theme : {Theme::light(), Theme::dark()}) {
        const char* name = theme.isDark ? "dark" : "light";
        const auto add = [&](const char* what, const QColor& text, const QColor& surface) {
            QTest::addRow("%s: %s", name, what) << text << surface;
        };
        for (const auto& [where, surface] : std::initializer_list<std::pair<const char*, QColor>>{
                 {"card", theme.surface},
                 {"window", theme.window},
                 {"raised", theme.raised},
                 {"prompt chip", theme.promptChip}}) {
            add(qPrintable(QStringLiteral("text on %1").arg(QLatin1String(where))), theme.text,
                surface);
            add(qPrintable(QStringLiteral("muted on %1").arg(QLatin1String(where))),
                theme.mutedText, surface);
            add(qPrintable(QStringLiteral("faint on %1").arg(QLatin1String(where))),
                theme.faintText, surface);
            add(qPrintable(QStringLiteral("special on %1").arg(QLatin1String(where))),
                theme.specialText, surface);
        }
        add("text on the picked row", theme.text, theme.pickedRow);
        add("muted on the picked row", theme.mutedText, theme.pickedRow);
        add("faint on the picked row", theme.faintText, theme.pickedRow);
        add("special on the picked row", theme.specialText, theme.pickedRow);
        add("text on a full tint", theme.text, theme.probabilityTint(1));
        add("whitespace on a full tint", theme.tintedFaint(), theme.probabilityTint(1));
        add("whitespace on a faint tint", theme.tintedFaint(), theme.probabilityTint(0));
        add("accent on a card", theme.accent, theme.surface);
        add("accent on its tint", theme.accent, theme.accentTint);
        add("text on accent", theme.accentText, theme.accent);
        add("text on accent tint", theme.text, theme.accentTint);
        add("picked pill", theme.pickedPillText, theme.pickedPill);
        add("error banner", theme.error, theme.errorTint);
        for (int run = 0; run < 4; ++run) {
            const auto addRun = [&](const char* what, const QColor& words, const QColor& on) {
                add(qPrintable(QStringLiteral("%1 of run %2").arg(QLatin1String(what)).arg(run)),
                    words, on);
            };
            addRun("letter on a card", theme.runColour(run), theme.surface);
            addRun("letter in its badge", theme.accentText, theme.runColour(run));
            addRun("text on a chip", theme.text, theme.runTint(run));
            addRun("whitespace on a chip", theme.tintedFaint(), theme.runTint(run));
        }
    }
}

void ThemeTest::textIsReadableOnItsSurface()
{
    QFETCH(QColor, text);
    QFETCH(QColor, surface);
    const double ratio = contrast(text, surface);
    QVERIFY2(ratio >= 4.5, qPrintable(QString::number(ratio)));
}

void ThemeTest::marksStandOutFromTheCard_data()
{
    QTest::addColumn<QColor>("mark");
    QTest::addColumn<QColor>("surface");
    for (const Theme& theme : {Theme::light(), Theme::dark()}) {
        const char* name = theme.isDark ? "dark" : "light";
        QTest::addRow("%s: kept", name) << theme.kept << theme.surface;
        QTest::addRow("%s: argmax", name) << theme.argmax << theme.surface;
        QTest::addRow("%s: picked", name) << theme.picked << theme.surface;
        QTest::addRow("%s: cut off", name) << theme.cutHatch << theme.surface;
        QTest::addRow("%s: focus ring", name) << theme.accent << theme.window;
    }
}

void ThemeTest::marksStandOutFromTheCard()
{
    QFETCH(QColor, mark);
    QFETCH(QColor, surface);
    const double ratio = contrast(mark, surface);
    QVERIFY2(ratio >= 3.0, qPrintable(QString::number(ratio)));
}

void ThemeTest::contrastAgreesWithKnownPairs()
{
    QCOMPARE(contrast(Qt::black, Qt::white), 21.0);
    // #767676 is the lightest grey that passes 4.5:1 on white.
    QVERIFY(contrast(QColor(0x76, 0x76, 0x76), Qt::white) >= 4.5);
    QVERIFY(contrast(QColor(0x77, 0x77, 0x77), Qt::white) < 4.5);
}

void ThemeTest::tintGrowsWithTheProbability()
{
    for (const Theme& theme : {Theme::light(), Theme::dark()}) {
        QCOMPARE(theme.probabilityTint(0), theme.surface);
        QVERIFY(contrast(theme.probabilityTint(0.5), theme.surface) > 1.0);
        QVERIFY(contrast(theme.probabilityTint(1), theme.surface) >
                contrast(theme.probabilityTint(0.5), theme.surface));
        // A damaged trace may hold anything.
        QCOMPARE(theme.probabilityTint(7), theme.probabilityTint(1));
        QCOMPARE(theme.probabilityTint(-1), theme.surface);
    }
}

void ThemeTest::sizesFollowTheScale()
{
    Theme theme = Theme::light();
    QCOMPARE(theme.px(13), 13);
    theme.scale = 1.5;
    QCOMPARE(theme.px(13), 20);
    QCOMPARE(theme.uiFont(12).pixelSize(), 18);
    QVERIFY(theme.styleSheet().contains(QStringLiteral("border-radius: 15px")));
}

void ThemeTest::styleSheetHasNoPlaceholderLeft()
{
    for (const Theme& theme : {Theme::light(), Theme::dark()}) {
        const QString sheet = theme.styleSheet();
        QVERIFY(sheet.contains(theme.accent.name()));
        QVERIFY(!sheet.contains(QLatin1Char('@')));
    }
}

void ThemeTest::hairlinesStayOnePixelWide()
{
    Theme theme = Theme::light();
    theme.scale = 0.4;
    QVERIFY(theme.styleSheet().contains(QStringLiteral("border: 1px solid")));
    QVERIFY(!theme.styleSheet().contains(QStringLiteral("border: 0px solid")));
}

void ThemeTest::asciiTokensAreNotShaped()
{
    const Theme theme = Theme::light();
    QCOMPARE(theme.tokenFont(14, QStringLiteral("<|end|>")).styleStrategy(),
             QFont::PreferNoShaping);
    const QString arabic = QString::fromUtf8("\xD8\xB3\xD9\x84\xD8\xA7\xD9\x85");
    QVERIFY(theme.tokenFont(14, arabic).styleStrategy() != QFont::PreferNoShaping);
    // The signs for white space and bytes do not bring the ligatures back.
    QCOMPARE(theme.tokenFont(14, QString::fromUtf8("␣->↵⟨E2⟩é")).styleStrategy(),
             QFont::PreferNoShaping);
    QVERIFY(theme.tokenFont(14, QString::fromUtf8("e\u0301")).styleStrategy() !=
            QFont::PreferNoShaping);
    QVERIFY(theme.tokenFont(14, QString::fromUtf8("👍🏽")).styleStrategy() !=
            QFont::PreferNoShaping);
}

void ThemeTest::fontListsEndInCjkAndColourEmoji()
{
    const Theme theme = Theme::light();
    for (const QFont& font : {theme.uiFont(13), theme.monoFont(13)}) {
        const QStringList families = font.families();
        QVERIFY(families.contains(QStringLiteral("Noto Sans CJK SC")));
        QCOMPARE(families.last(), QStringLiteral("Noto Color Emoji"));
    }
    QVERIFY(QFontInfo(theme.monoFont(13)).fixedPitch());
}

QTEST_MAIN(ThemeTest)
#include "ThemeTest.moc"
