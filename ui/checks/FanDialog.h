#pragma once

#include "engine/api/RunChecks.h"
#include "ui/Theme.h"

#include <QDialog>

class QLabel;
class QPushButton;
class QSpinBox;
class QTableWidget;

namespace ui {

class FanChart;

/// Many seeds of one setting over the greedy path: how long each agrees with it, and how likely the
/// model finds each text. Thread: GUI.
class FanDialog : public QDialog
{
    Q_OBJECT

public:
    explicit FanDialog(const Theme& theme, QWidget* parent = nullptr);

    void setFault(const QString& fault); ///< why there can be none; empty: there can
    void setProgress(int seedsDone, int seeds, int steps);
    void showFan(const engine::SeedFan& fan);
    void showFailure(const QString& words);

    QSpinBox* count() const { return m_count; }
    QPushButton* startButton() const { return m_start; }
    FanChart* chart() const { return m_chart; }
    QTableWidget* table() const { return m_table; }
    QString sentence() const;
    QString hint() const;

    static constexpr int mostSeeds = 200;

Q_SIGNALS:
    void fanRequested(int seeds);
    void cancelRequested();

private:
    void setRunning(bool running);
    void fillTable();
    void setPath(int row, const QString& name, const engine::FanPath& path);

    Theme m_theme;
    engine::SeedFan m_fan;
    QSpinBox* m_count;
    QPushButton* m_start;
    QLabel* m_sentence;
    QLabel* m_hint;
    FanChart* m_chart;
    QTableWidget* m_table;
    bool m_isRunning = false;
};

} // namespace ui
