#include "ui/Theme.h"

#include <QFile>
#include <QHash>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace ui {
namespace {

// The order matters twice. DejaVu owns a monochrome emoji set, so colour emoji appear only because
// the last family is named explicitly; and a monospace family that is missing would silently become
// a proportional one, so DejaVu Sans Mono, which is always there, comes right after the first.
const QStringList& uiFamilies()
{
    static const QStringList families = {
        QStringLiteral("Inter"), QStringLiteral("Noto Sans"), QStringLiteral("DejaVu Sans"),
        QStringLiteral("Noto Sans CJK SC"), QStringLiteral("Noto Color Emoji")};
    return families;
}

const QStringList& monoFamilies()
{
    static const QStringList families = {
        QStringLiteral("JetBrains Mono"), QStringLiteral("DejaVu Sans Mono"),
        QStringLiteral("Noto Sans"), QStringLiteral("Noto Sans CJK SC"),
        QStringLiteral("Noto Color Emoji")};
    return families;
}

/// As a style sheet names families.
QString quoted(const QStringList& families)
{
    return QLatin1Char('"') + families.join(QStringLiteral("\", \"")) + QLatin1Char('"');
}

enum class Face
{
    Ui,
    Mono,
    MonoUnshaped,
};

// A font with a family list loses its resolved engine when it is built anew, which costs
// milliseconds in every paint; one shared copy each keeps it.
QFont cachedFont(Face face, int sizePx, QFont::Weight weight)
{
    static QHash<int, QFont> cache;
    const int key = (static_cast<int>(face) << 24) | (sizePx << 12) | static_cast<int>(weight);
    auto found = cache.constFind(key);
    if (found == cache.constEnd()) {
        QFont font;
        font.setFamilies(face == Face::Ui ? uiFamilies() : monoFamilies());
        font.setPixelSize(sizePx);
        font.setWeight(weight);
        if (face != Face::Ui)
            font.setStyleHint(QFont::Monospace);
        if (face == Face::MonoUnshaped)
            font.setStyleStrategy(QFont::PreferNoShaping);
        found = cache.insert(key, font);
    }
    return *found;
}

/// False for Latin letters without combining marks and for the signs between U+2000 and U+2BFF,
/// among them those for white space and bytes. Unshaped, Arabic letters would not join.
bool needsShaping(const QString& text)
{
    return !std::all_of(text.begin(), text.end(), [](QChar character) {
        const char16_t code = character.unicode();
        const bool isSign = code >= 0x2000 && code < 0x2C00;
        const bool isCombining = code >= 0x20D0 && code < 0x2100;
        return code < 0x0300 || (isSign && !isCombining);
    });
}

QColor rgb(const char* name)
{
    return QColor(QString::fromLatin1(name));
}

QColor mixed(const QColor& from, const QColor& to, double share)
{
    const auto channel = [share](int a, int b) {
        return static_cast<int>(std::lround(a + (b - a) * share));
    };
    return QColor(channel(from.red(), to.red()), channel(from.green(), to.green()),
                  channel(from.blue(), to.blue()));
}

} // namespace

Theme Theme::light()
{
    Theme theme;
    theme.window = rgb("#F4F6FA");
    theme.surface = rgb("#FFFFFF");
    theme.raised = rgb("#F7F9FC");
    theme.border = rgb("#DFE4EC");
    theme.grid = rgb("#EBEEF4");
    theme.text = rgb("#182033");
    theme.mutedText = rgb("#5A667C");
    theme.faintText = rgb("#636D81");
    theme.kept = rgb("#6895DA");
    theme.gain = rgb("#CADCF6");
    theme.argmax = rgb("#1D5FBF");
    theme.accent = rgb("#1D5FBF");
    theme.accentTint = rgb("#E6EFFC");
    theme.accentText = rgb("#FFFFFF");
    theme.inputBorder = rgb("#B4BECD");
    theme.picked = rgb("#DB7608");
    theme.pickedPill = rgb("#B55F00");
    theme.pickedPillText = rgb("#FFFFFF");
    theme.pickedRow = rgb("#FDF3E6");
    theme.cutHatch = rgb("#8791A3");
    theme.promptChip = rgb("#EEF1F6");
    theme.specialText = rgb("#7A4FB5");
    theme.error = rgb("#A81F36");
    theme.errorTint = rgb("#FBEAED");
    theme.runB = rgb("#8A3FA8");
    theme.runC = rgb("#00796B");
    theme.runD = rgb("#B0316B");
    return theme;
}

Theme Theme::dark()
{
    Theme theme;
    theme.isDark = true;
    theme.window = rgb("#0F131A");
    theme.surface = rgb("#171C26");
    theme.raised = rgb("#1D2431");
    theme.border = rgb("#2A3342");
    theme.grid = rgb("#232B39");
    theme.text = rgb("#E8ECF4");
    theme.mutedText = rgb("#9BA8BC");
    theme.faintText = rgb("#8794AA");
    theme.kept = rgb("#4A74B4");
    theme.gain = rgb("#2C4570");
    theme.argmax = rgb("#6FA8FF");
    theme.accent = rgb("#6FA8FF");
    theme.accentTint = rgb("#1C2C47");
    theme.accentText = rgb("#0B1524");
    theme.inputBorder = rgb("#465269");
    theme.picked = rgb("#FFA630");
    theme.pickedPill = rgb("#FFA630");
    theme.pickedPillText = rgb("#1B1206");
    theme.pickedRow = rgb("#2B2620");
    theme.cutHatch = rgb("#66748B");
    theme.promptChip = rgb("#222A38");
    theme.specialText = rgb("#B795EE");
    theme.error = rgb("#FF9AA8");
    theme.errorTint = rgb("#3A1D25");
    theme.runB = rgb("#D08BEA");
    theme.runC = rgb("#4DB6AC");
    theme.runD = rgb("#F06BA8");
    return theme;
}

int Theme::px(double value) const
{
    return static_cast<int>(std::lround(value * scale));
}

QFont Theme::uiFont(double sizePx, QFont::Weight weight) const
{
    return cachedFont(Face::Ui, std::max(1, px(sizePx)), weight);
}

QFont Theme::monoFont(double sizePx, QFont::Weight weight) const
{
    return cachedFont(Face::Mono, std::max(1, px(sizePx)), weight);
}

QFont Theme::tokenFont(double sizePx, const QString& token) const
{
    return cachedFont(needsShaping(token) ? Face::Mono : Face::MonoUnshaped,
                      std::max(1, px(sizePx)), QFont::Normal);
}

QFont Theme::withoutLigatures(QFont font, const QString& text)
{
    font.setStyleStrategy(needsShaping(text) ? QFont::PreferDefault : QFont::PreferNoShaping);
    return font;
}

QColor Theme::probabilityTint(double probability) const
{
    // Stops short of the kept bar's own colour, so that text on the fullest tint stays readable.
    const QColor full = isDark ? rgb("#34568C") : rgb("#A9C7F3");
    return mixed(surface, full, std::clamp(probability, 0.0, 1.0));
}

QColor Theme::tintedFaint() const
{
    return isDark ? rgb("#C6D0E0") : rgb("#434F66");
}

QColor Theme::runColour(int run) const
{
    const QColor colours[] = {accent, runB, runC, runD};
    return colours[std::clamp(run, 0, 3)];
}

QColor Theme::runTint(int run) const
{
    return mixed(surface, runColour(run), isDark ? 0.16 : 0.12);
}

QPalette Theme::palette() const
{
    QPalette palette;
    palette.setColor(QPalette::Window, window);
    palette.setColor(QPalette::WindowText, text);
    palette.setColor(QPalette::Base, surface);
    palette.setColor(QPalette::AlternateBase, raised);
    palette.setColor(QPalette::Text, text);
    palette.setColor(QPalette::PlaceholderText, faintText);
    palette.setColor(QPalette::Button, surface);
    palette.setColor(QPalette::ButtonText, text);
    palette.setColor(QPalette::BrightText, accentText);
    palette.setColor(QPalette::Light, raised);
    palette.setColor(QPalette::Midlight, raised);
    palette.setColor(QPalette::Mid, border);
    palette.setColor(QPalette::Dark, border);
    palette.setColor(QPalette::Shadow, border);
    palette.setColor(QPalette::Highlight, accent);
    palette.setColor(QPalette::HighlightedText, accentText);
    palette.setColor(QPalette::Link, accent);
    palette.setColor(QPalette::LinkVisited, specialText);
    palette.setColor(QPalette::ToolTipBase, raised);
    palette.setColor(QPalette::ToolTipText, text);
    for (const QPalette::ColorRole role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, faintText);
    return palette;
}

QString Theme::styleSheet() const
{
    QFile file(QStringLiteral(":/tokenscope/style/window.qss"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QString source = QString::fromUtf8(file.readAll());

    const QHash<QString, QString> words = {
        {QStringLiteral("checkIcon"),
         isDark ? QStringLiteral("check-dark") : QStringLiteral("check-light")},
        {QStringLiteral("uiFamilies"), quoted(uiFamilies())},
        {QStringLiteral("monoFamilies"), quoted(monoFamilies())},
    };
    const QHash<QString, QColor> colours = {
        {QStringLiteral("window"), window},
        {QStringLiteral("surface"), surface},
        {QStringLiteral("raised"), raised},
        {QStringLiteral("border"), border},
        {QStringLiteral("text"), text},
        {QStringLiteral("mutedText"), mutedText},
        {QStringLiteral("faintText"), faintText},
        {QStringLiteral("accent"), accent},
        {QStringLiteral("accentTint"), accentTint},
        {QStringLiteral("accentText"), accentText},
        {QStringLiteral("accentHover"), mixed(accent, isDark ? text : rgb("#000000"), 0.12)},
        {QStringLiteral("inputBorder"), inputBorder},
        {QStringLiteral("promptChip"), promptChip},
        {QStringLiteral("error"), error},
        {QStringLiteral("errorTint"), errorTint},
    };
    static const QRegularExpression placeholder(
        QStringLiteral("@([A-Za-z]+)|(\\d+(?:\\.\\d+)?)px"));
    QString result;
    qsizetype end = 0;
    for (auto matches = placeholder.globalMatch(source); matches.hasNext();) {
        const QRegularExpressionMatch match = matches.next();
        result += QStringView(source).mid(end, match.capturedStart() - end);
        end = match.capturedEnd();
        if (match.hasCaptured(2)) {
            const double size = match.captured(2).toDouble();
            // A hairline stays one pixel wide however small the text gets.
            result += QString::number(size > 0 ? std::max(1, px(size)) : 0) + QStringLiteral("px");
        } else {
            const QString name = match.captured(1);
            Q_ASSERT(colours.contains(name) || words.contains(name));
            result += words.value(name, colours.value(name).name());
        }
    }
    result += QStringView(source).mid(end);
    return result;
}

} // namespace ui
