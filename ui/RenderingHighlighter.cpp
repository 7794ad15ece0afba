#include "ui/RenderingHighlighter.h"

#include <QTextBlock>

#include <algorithm>

namespace ui {

using Kind = engine::PromptSpan::Kind;

QTextCharFormat formatOf(Kind kind, const Theme& theme)
{
    QTextCharFormat format;
    switch (kind) {
    case Kind::Special:
        format.setForeground(theme.specialText);
        format.setFontWeight(QFont::Bold);
        format.setUnderlineStyle(QTextCharFormat::DashUnderline);
        format.setUnderlineColor(theme.specialText);
        break;
    case Kind::Template:
        format.setForeground(theme.mutedText);
        format.setFontItalic(true);
        break;
    case Kind::User:
        format.setForeground(theme.text);
        break;
    }
    return format;
}

RenderingHighlighter::RenderingHighlighter(QTextDocument* document)
    : QSyntaxHighlighter(document), m_theme(Theme::light())
{}

void RenderingHighlighter::setTheme(const Theme& theme)
{
    m_theme = theme;
    rehighlight();
}

void RenderingHighlighter::setRendering(const engine::PromptRendering& rendering)
{
    m_spans.clear();
    int begin = 0;
    for (const engine::PromptSpan& span : rendering.spans) {
        const QString text = QString::fromUtf8(rendering.text.data() + span.begin,
                                               static_cast<qsizetype>(span.end - span.begin));
        const int end = begin + static_cast<int>(text.size());
        m_spans.push_back({span.kind, begin, end});
        begin = end;
    }
    rehighlight();
}

void RenderingHighlighter::highlightBlock(const QString& text)
{
    const int blockBegin = currentBlock().position();
    const int blockEnd = blockBegin + static_cast<int>(text.size());
    for (const Span& span : m_spans) {
        const int begin = std::max(span.begin, blockBegin);
        const int end = std::min(span.end, blockEnd);
        if (begin < end)
            setFormat(begin - blockBegin, end - begin, formatOf(span.kind, m_theme));
    }
}

} // namespace ui
