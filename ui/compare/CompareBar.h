#pragma once

#include "ui/Theme.h"
#include "ui/compare/CompareModel.h"

#include <QWidget>

class QAction;
class QPushButton;
class QToolButton;

namespace ui {

/// Pairs and rows of runs that show something together.
enum class ComparePreset
{
    GreedyAndSampled,
    ThreeIdentical,
    TemperatureLadder, ///< 0.2, 0.7, 1.0, 1.5
    TwoQuantizations,  ///< asks for the second file
};

/// What stands over the runs: on whose context they are looked at, presets, a further run. Thread:
/// GUI.
class CompareBar : public QWidget
{
    Q_OBJECT

public:
    explicit CompareBar(CompareModel* model, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// `isLive`: a model makes the runs in view. `canRun`: a model is open that could make some.
    void setPossible(bool isLive, bool canRun);
    QPushButton* ownContext() const { return m_own; }
    QPushButton* firstContext() const { return m_first; }
    QToolButton* presets() const { return m_presets; }
    QToolButton* addButton() const { return m_add; }
    QAction* preset(ComparePreset preset) const;

Q_SIGNALS:
    void presetRequested(ui::ComparePreset preset);
    void addRequested();

private:
    void refresh();

    CompareModel* m_model;
    bool m_isLive = false;
    bool m_canRun = false;
    QPushButton* m_own;
    QPushButton* m_first;
    QToolButton* m_presets;
    QToolButton* m_add;
};

} // namespace ui
