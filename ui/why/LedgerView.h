#pragma once

#include "ui/Theme.h"
#include "ui/why/StepLedger.h"

#include <QScrollArea>

#include <vector>

class QGridLayout;
class QLabel;

namespace ui {

/// Ledger rows under each other: stage, what was there, outcome. The lines worked out for the
/// candidate stand on the accent's tint. Thread: GUI.
class LedgerView : public QScrollArea
{
    Q_OBJECT

public:
    explicit LedgerView(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setRows(const std::vector<LedgerRow>& rows);
    QString text() const; ///< all rows, a line each, as shown

private:
    struct Line
    {
        QWidget* ground = nullptr; ///< the tint behind the row
        QLabel* stage = nullptr;
        QLabel* text = nullptr;
        QLabel* value = nullptr;
    };

    void addLine();
    void fill(Line& line, const LedgerRow& row);

    Theme m_theme;
    std::vector<LedgerRow> m_rows;
    std::vector<Line> m_lines;
    QWidget* m_content;
    QGridLayout* m_grid;
};

} // namespace ui
