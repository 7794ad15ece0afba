#pragma once

#include "ui/StepModel.h"
#include "ui/Theme.h"

#include <QFrame>

namespace ui {

/// One page of the board's middle, each another look at the selected step. A page is told of a step
/// only while it is in view, so that those out of view cost nothing. Thread: GUI.
class StepPage : public QFrame
{
    Q_OBJECT

public:
    using QFrame::QFrame;

    virtual void setTheme(const Theme& theme) = 0;
    /// The run and its selected step, which may be none; again after every change of either.
    virtual void showStep(const StepModel& steps) = 0;
};

} // namespace ui
