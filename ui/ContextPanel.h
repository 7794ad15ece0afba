#pragma once

#include "ui/Theme.h"

#include <QFrame>

class QLabel;
class QVBoxLayout;

namespace ui {

class ContextText;
class PromptPanel;
class StepModel;
class TokenStrip;

/// The card "Context": the prompt editor, the tokens as chips, the text they make.
class ContextPanel : public QFrame
{
    Q_OBJECT

public:
    explicit ContextPanel(StepModel* steps, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    PromptPanel* prompt() const { return m_prompt; }
    TokenStrip* strip() const { return m_strip; }
    ContextText* text() const { return m_text; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fitText();
    void refreshCount();

    Theme m_theme;

    StepModel* m_steps;
    QLabel* m_count;
    QLabel* m_textCaption;
    PromptPanel* m_prompt;
    TokenStrip* m_strip;
    ContextText* m_text;
    QVBoxLayout* m_column;
};

} // namespace ui
