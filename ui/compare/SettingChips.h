#pragma once

#include "engine/api/RunConfig.h"
#include "ui/Theme.h"

#include <QStringList>
#include <QWidget>

#include <vector>

class QPushButton;

namespace ui {

/// The settings of a run as a row of chips that wraps: rule, temperature, cut-offs, seed, model. In
/// a run of one's own each can be pressed to change it; of a recorded run they are only shown.
/// Thread: GUI.
class SettingChips : public QWidget
{
    Q_OBJECT

public:
    explicit SettingChips(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setSettings(const engine::SamplingConfig& sampling, const QString& model);
    void setEditable(bool editable);
    QStringList texts() const; ///< as shown, in order
    QPushButton* chip(int index) const { return m_chips.at(static_cast<std::size_t>(index)); }
    QPushButton* modelChip() const { return m_chips.empty() ? nullptr : m_chips.back(); }

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void editRequested();
    void modelRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    int arrange(int width, bool place) const;

    Theme m_theme;
    bool m_isEditable = false;
    std::vector<QPushButton*> m_chips;
};

} // namespace ui
