#pragma once

#include "ui/Theme.h"

#include <QWidget>

#include <vector>

class QLabel;
class QSlider;
class QToolButton;

namespace ui {

class ElidedLabel;
class WindowActions;

/// Logo, name, model, and the buttons that run the model. The buttons are faces of the window's
/// actions; with little room they keep their icons and drop their words.
class TopBar : public QWidget
{
    Q_OBJECT

public:
    explicit TopBar(WindowActions* actions, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void insertButton(QAction* action, const QAction* before); ///< with words, where they fit
    void setModelText(const QString& text); ///< e.g. "pocket-stories · vocab 4,096 · F16"
    QString modelText() const;
    ElidedLabel* modelChip() const { return m_model; } ///< a click tells about the model
    void setInspectorButtonVisible(bool visible);      ///< for windows too narrow for the column

    double speed() const { return m_speed; } ///< steps a second
    void setSpeed(double stepsPerSecond);    ///< without a signal
    QSlider* speedSlider() const { return m_speedSlider; }
    QString speedText() const;
    QSize minimumSizeHint() const override;
    QToolButton* button(const QAction* action) const; ///< null where it has none

Q_SIGNALS:
    void speedChanged(double stepsPerSecond);

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QToolButton* addButton(QAction* action, bool iconOnly);
    void sliderMoved(int position);
    void fitWords();
    int wantedWidth() const;

    WindowActions* m_actions;
    Theme m_theme;
    QLabel* m_logo;
    QLabel* m_name;
    ElidedLabel* m_model;
    QSlider* m_speedSlider;
    QLabel* m_speedLabel;
    std::vector<QToolButton*> m_buttons;
    std::vector<QToolButton*> m_inserted;
    double m_speed = 2;
};

} // namespace ui
