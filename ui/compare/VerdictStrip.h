#pragma once

#include "engine/api/RunChecks.h"
#include "ui/Theme.h"

#include <QFrame>

class QComboBox;
class QLabel;
class QPushButton;

namespace ui {

/// In one line which of the four inputs of two runs differ and where the runs first do, with a way
/// to all of it. Thread: GUI.
class VerdictStrip : public QFrame
{
    Q_OBJECT

public:
    explicit VerdictStrip(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setRunCount(int count); ///< two or more; the first is set against one of the others
    int other() const;           ///< 1 to 3
    void setVerdict(const engine::RunsVerdict& verdict);

    QComboBox* choice() const { return m_choice; }
    QPushButton* button() const { return m_button; }
    QString text() const;

Q_SIGNALS:
    void otherChosen(int run);
    void verdictRequested();

private:
    QComboBox* m_choice;
    QLabel* m_text;
    QPushButton* m_button;
};

/// "Context" and so on.
QString inputName(engine::RunInput input);

/// "context and model are the same; the settings differ (seed: 3, 4)"
QString inputsSentence(const engine::RunsVerdict& verdict);

/// "first difference: step 4, draw"; what is said where there is none.
QString firstDifferenceText(const engine::RunsVerdict& verdict);

} // namespace ui
