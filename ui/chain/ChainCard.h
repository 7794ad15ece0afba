#pragma once

#include "engine/api/Step.h"
#include "ui/Theme.h"

#include <QFrame>

class QCheckBox;
class QLabel;
class QToolButton;

namespace ui {

class ChainPicture;

/// One stage of the chain: on or off, its value, its picture and what it cut. It is moved by its
/// buttons, by Alt with the arrow keys, or dragged. Thread: GUI.
class ChainCard : public QFrame
{
    Q_OBJECT

public:
    explicit ChainCard(engine::SamplingStage stage, QWidget* parent = nullptr);

    engine::SamplingStage stage() const { return m_stage; }
    void setTheme(const Theme& theme);
    /// `place` from 0 among `count`. Without a step only the settings are shown.
    void show(const engine::SamplingConfig& config, const engine::Step* step, int place, int count);
    void setEditable(bool editable);
    void setLifted(bool lifted); ///< while it is dragged

    QCheckBox* box() const { return m_box; }
    QToolButton* upButton() const { return m_up; }
    QToolButton* downButton() const { return m_down; }
    ChainPicture* picture() const { return m_picture; }
    QString effect() const; ///< "4,096 → 12, removes 36.7 %"

Q_SIGNALS:
    void toggled(bool on); ///< by the user
    void moved(int by);    ///< by the user, with a button or a key
    void dragged(int y);   ///< the pointer's height in the parent's coordinates
    void dropped();

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QString effectOf(const engine::SamplingConfig& config, const engine::Step* step) const;

    engine::SamplingStage m_stage;
    Theme m_theme;
    QLabel* m_number;
    QCheckBox* m_box;
    QLabel* m_value;
    ChainPicture* m_picture;
    QLabel* m_quantity;
    QLabel* m_effect;
    QToolButton* m_up;
    QToolButton* m_down;
    bool m_isEditable = true;
    bool m_isPressed = false;
};

} // namespace ui
