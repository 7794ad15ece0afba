#include "ui/checks/CheckWidgets.h"

#include <QHeaderView>
#include <QTableWidget>
#include <QTextDocument>

namespace ui {

QLabel* makeText(const char* role, const QString& text)
{
    auto* label = new QLabel(text);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setProperty("role", QLatin1String(role));
    return label;
}

QLabel* makeVerdict(const Theme& theme)
{
    QLabel* label = makeText("secondary");
    label->setStyleSheet(QStringLiteral("font-size: %1px; font-weight: 600; color: %2;")
                             .arg(theme.px(14))
                             .arg(theme.text.name()));
    return label;
}

void fitTable(QTableWidget& table, const Theme& theme)
{
    table.verticalHeader()->setDefaultSectionSize(theme.px(24));
    table.resizeColumnsToContents();
    for (int column = 0; column + 1 < table.columnCount(); ++column)
        table.setColumnWidth(column, table.columnWidth(column) + theme.px(14));
}

QTableWidget* makeTable(const QStringList& heads)
{
    auto* table = new QTableWidget(0, static_cast<int>(heads.size()));
    table->setHorizontalHeaderLabels(heads);
    table->verticalHeader()->hide();
    table->setShowGrid(false);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setTabKeyNavigation(false);
    table->setWordWrap(false);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setStretchLastSection(true);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    return table;
}

void setCell(QTableWidget& table, int row, int column, const QString& text, const Theme& theme)
{
    auto* item = new QTableWidgetItem(text);
    item->setFont(theme.tokenFont(12, text));
    item->setToolTip(Qt::convertFromPlainText(text));
    table.setItem(row, column, item);
}

} // namespace ui
