#pragma once

#include "ui/Theme.h"

#include <QFrame>

class QLabel;
class QToolButton;

namespace ui {

class CompareModel;
class ContextText;
class ElidedLabel;
class SettingChips;
class UnionChart;
struct UnionRows;

/// One of the runs compared as a card under a rule in its colour: its letter and name, settings,
/// text, and the bars of the step in view. Thread: GUI.
class RunPane : public QFrame
{
    Q_OBJECT

public:
    RunPane(CompareModel* model, int run, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void showRun(bool isLive); ///< name, settings and text, as the model has them now
    void showStep(const UnionRows& rows);
    /// Room for the chips in the pane where they take most, so that all charts begin alike.
    int chipsHeightFor(int width) const;
    void setChipsHeight(int height);
    void setTextLines(int lines);               ///< 0 hides it
    void setElsewhereFault(const QString& why); ///< why it cannot be shown on A's context
    void setRemovable(bool removable);

    UnionChart* chart() const { return m_chart; }
    SettingChips* chips() const { return m_chips; }
    ContextText* text() const { return m_text; }
    QString nameText() const;
    QString statusText() const;
    QString entropyText() const;
    QToolButton* removeButton() const { return m_remove; }

Q_SIGNALS:
    void editRequested();
    void modelRequested();
    void removeRequested();
    void chartResized();

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QString missingStepText() const;

    CompareModel* m_model;
    int m_run;
    Theme m_theme;
    QLabel* m_badge;
    ElidedLabel* m_name;
    ElidedLabel* m_status;
    QLabel* m_entropy;
    QToolButton* m_remove;
    SettingChips* m_chips;
    ContextText* m_text;
    UnionChart* m_chart;
    bool m_isLive = false;
    QString m_elsewhereFault;
};

} // namespace ui
