#pragma once

#include "ui/Theme.h"

#include <QWidget>

class QLabel;

namespace ui {

class ElidedLabel;
class StepModel;

/// The line at the bottom: step, time per token, seed, why the run ended or what is going on; on
/// the right the keys.
class StatusLine : public QWidget
{
    Q_OBJECT

public:
    explicit StatusLine(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void showRun(const StepModel& steps);
    /// In the place of a run's figures and of the keys that go with it.
    void showFigures(const QString& text, const QString& keys);
    void setMessage(const QString& message);      ///< after the run's figures; empty for none
    void setBackgroundWork(const QString& words); ///< behind the rest; empty for none
    QString text() const;
    QString keys() const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();

    ElidedLabel* m_left;
    QLabel* m_right;
    QString m_runText;
    QString m_message;
    QString m_backgroundWork;
};

} // namespace ui
