#pragma once

#include "ui/Theme.h"

#include <QPlainTextEdit>

namespace ui {

class StepModel;

/// The context as the text it decodes to: the prompt in a quieter colour, what was generated in the
/// full one. Special tokens are no part of the text. Read-only, always plain text, scrolled to its
/// end as it grows.
class ContextText : public QPlainTextEdit
{
    Q_OBJECT

public:
    explicit ContextText(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setModel(StepModel* steps);                    ///< not owned
    void fitLines(int lines);                           ///< takes the height of so many
    int promptLength() const { return m_promptLength; } ///< characters that belong to the prompt

private:
    void reload();

    Theme m_theme;
    StepModel* m_steps = nullptr;
    QString m_shown;
    int m_promptLength = 0;
};

} // namespace ui
