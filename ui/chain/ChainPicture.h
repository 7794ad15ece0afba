#pragma once

#include "engine/api/Step.h"
#include "ui/Theme.h"

#include <QString>
#include <QWidget>

#include <optional>
#include <vector>

namespace ui {

/// What a stage decided by, one bar a candidate in the order of rank, each in that stage's own
/// quantity, from 0 to 1.
struct StagePicture
{
    struct Bar
    {
        double height = 0;
        std::optional<double> before; ///< of a stage that alters: what it was, drawn as an outline
        bool isKept = true;
        bool isMarked = false; ///< altered by the repetition penalty

        bool operator==(const Bar&) const = default;
    };
    std::vector<Bar> bars;
    std::optional<double> line;    ///< the bound, as a height
    std::optional<int> keptBefore; ///< the bound, as a place between bars
    QString quantity;              ///< what a bar's height is

    static StagePicture of(const engine::Step& step, engine::SamplingStage stage);
    bool operator==(const StagePicture&) const = default;
};

/// The picture on a stage's card. Thread: GUI.
class ChainPicture : public QWidget
{
    Q_OBJECT

public:
    explicit ChainPicture(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setPicture(const StagePicture& picture);
    const StagePicture& picture() const { return m_picture; }

    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Theme m_theme;
    StagePicture m_picture;
};

} // namespace ui
