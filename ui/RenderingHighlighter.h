#pragma once

#include "engine/api/PromptRendering.h"
#include "ui/Theme.h"

#include <QSyntaxHighlighter>
#include <QTextCharFormat>

#include <vector>

namespace ui {

/// How each kind of a rendered prompt's text looks: special tokens bold with a dashed line below,
/// the template's text slanted, the user's words plain.
QTextCharFormat formatOf(engine::PromptSpan::Kind kind, const Theme& theme);

/// Shows the spans of a rendering in the document that holds its text.
class RenderingHighlighter : public QSyntaxHighlighter
{
    Q_OBJECT

public:
    explicit RenderingHighlighter(QTextDocument* document);

    void setTheme(const Theme& theme);
    /// `rendering` is of the text that the document has.
    void setRendering(const engine::PromptRendering& rendering);

    struct Span
    {
        engine::PromptSpan::Kind kind;
        int begin; ///< in UTF-16 code units, as documents count
        int end;
    };
    const std::vector<Span>& spans() const { return m_spans; }

protected:
    void highlightBlock(const QString& text) override;

private:
    Theme m_theme;
    std::vector<Span> m_spans;
};

} // namespace ui
