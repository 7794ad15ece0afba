#pragma once

#include "ui/Theme.h"

#include <QFrame>

class QVBoxLayout;

namespace ui {

class SamplingPanel;
class StepFactsPanel;

/// The right-hand card: decoding settings and the figures of the step, scrolled where the window is
/// too short for both.
class InspectorPanel : public QFrame
{
    Q_OBJECT

public:
    explicit InspectorPanel(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    SamplingPanel* sampling() const { return m_sampling; }
    StepFactsPanel* facts() const { return m_facts; }

private:
    QVBoxLayout* m_column;
    SamplingPanel* m_sampling;
    StepFactsPanel* m_facts;
};

} // namespace ui
