#include "ui/CandidateTable.h"

#include "ui/CandidateModel.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QStringList>

#include <algorithm>

namespace ui {

namespace {

constexpr double fontPx = 12;

} // namespace

void TokenDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    option->font = m_theme.tokenFont(fontPx, option->text);
    option->fontMetrics = QFontMetrics(option->font);
}

CandidateTable::CandidateTable(QWidget* parent) : QTableView(parent)
{
    setAccessibleName(tr("Candidates for the next token"));
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setTabKeyNavigation(false); // Tab leaves the table, as it leaves every other control
    setShowGrid(false);
    setAlternatingRowColors(true);
    setWordWrap(false);
    setTextElideMode(Qt::ElideMiddle);
    verticalHeader()->hide();
    horizontalHeader()->setHighlightSections(false);
    connect(this, &QTableView::doubleClicked, this, &CandidateTable::activateRow);
    m_tokenDelegate = new TokenDelegate(this);
    setItemDelegateForColumn(CandidateModel::TokenColumn, m_tokenDelegate);
    setTheme(Theme::light());
}

void CandidateTable::setModel(QAbstractItemModel* model)
{
    QTableView::setModel(model);
    if (!model)
        return;
    horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    horizontalHeader()->setSectionResizeMode(CandidateModel::TokenColumn, QHeaderView::Stretch);
}

void CandidateTable::setTheme(const Theme& theme)
{
    setFont(theme.monoFont(fontPx));
    m_tokenDelegate->setTheme(theme);
    setStyleSheet(QStringLiteral("QTableView::item { padding: 0px %1px; }").arg(theme.px(8)));
    verticalHeader()->setDefaultSectionSize(theme.px(24));
    verticalHeader()->setMinimumSectionSize(theme.px(18));
}

void CandidateTable::activateRow(const QModelIndex& index)
{
    if (!index.isValid())
        return;
    const auto row = index.data(CandidateModel::RowRole).value<DistributionRow>();
    if (!row.isOthers())
        Q_EMIT candidateActivated(row.piece.id);
}

void CandidateTable::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy))
        return copySelection();
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        activateRow(currentIndex());
        return;
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Space:
        event->ignore();
        return; // they step through the run
    default:
        QTableView::keyPressEvent(event);
    }
}

/// The selected rows as lines of tab-separated cells, with the heads: what spreadsheets take.
void CandidateTable::copySelection() const
{
    QModelIndexList rows = selectionModel() ? selectionModel()->selectedRows() : QModelIndexList();
    if (rows.isEmpty())
        return;
    std::sort(rows.begin(), rows.end());
    QStringList lines;
    QStringList heads;
    for (int column = 0; column < model()->columnCount(); ++column)
        heads << model()->headerData(column, Qt::Horizontal).toString();
    lines << heads.join(QLatin1Char('\t'));
    for (const QModelIndex& row : rows) {
        QStringList cells;
        for (int column = 0; column < model()->columnCount(); ++column)
            cells << row.siblingAtColumn(column).data().toString();
        lines << cells.join(QLatin1Char('\t'));
    }
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

} // namespace ui
