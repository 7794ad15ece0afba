#pragma once

#include "ui/Theme.h"

#include <QLabel>
#include <QString>
#include <QStringList>

class QTableWidget;

namespace ui {

// What the dialogs of checks are made of: plain text that wraps, tables that are only read.

QLabel* makeText(const char* role, const QString& text = {});
QTableWidget* makeTable(const QStringList& heads);
/// A sentence that stands out.
QLabel* makeVerdict(const Theme& theme);
/// Columns as wide as what they hold, and a gap; rows of one line.
void fitTable(QTableWidget& table, const Theme& theme);
void setCell(QTableWidget& table, int row, int column, const QString& text, const Theme& theme);

} // namespace ui
