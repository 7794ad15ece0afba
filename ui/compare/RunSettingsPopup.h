#pragma once

#include "engine/api/RunConfig.h"
#include "ui/Theme.h"

#include <QFrame>

class QLabel;
class QScrollArea;

namespace ui {

class SamplingPanel;

/// The settings of one of the runs compared, over its card until a click beside them. Thread: GUI.
class RunSettingsPopup : public QFrame
{
    Q_OBJECT

public:
    explicit RunSettingsPopup(QWidget* parent);

    void setTheme(const Theme& theme);
    /// `below`, in global coordinates, is where it opens.
    void open(int run, const engine::RunConfig& config, int vocabularySize, const QPoint& below);
    SamplingPanel* panel() const { return m_panel; }
    int run() const { return m_run; }

Q_SIGNALS:
    void samplingChanged(int run, const engine::SamplingConfig& sampling);
    void maxNewTokensChanged(int run, int count);

private:
    int m_run = 0;
    Theme m_theme;
    QLabel* m_title;
    SamplingPanel* m_panel;
    QScrollArea* m_area;
};

} // namespace ui
