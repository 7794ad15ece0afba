#pragma once

#include "engine/api/Token.h"
#include "ui/Theme.h"

#include <QStyledItemDelegate>
#include <QTableView>

namespace ui {

class CandidateModel;

/// Draws the column of tokens in the font for tokens, as chart and chips do.
class TokenDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void setTheme(const Theme& theme) { m_theme = theme; }
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    Theme m_theme = Theme::light();
};

/// The candidates as a table: the same model as the chart, for screen readers, for copying, and for
/// those who want the numbers.
class CandidateTable : public QTableView
{
    Q_OBJECT

public:
    explicit CandidateTable(QWidget* parent = nullptr);

    void setModel(QAbstractItemModel* model) override; ///< a CandidateModel
    void setTheme(const Theme& theme);

Q_SIGNALS:
    void candidateActivated(engine::TokenId id); ///< double click or Enter on a row

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void activateRow(const QModelIndex& index);
    void copySelection() const;

    TokenDelegate* m_tokenDelegate = nullptr;
};

} // namespace ui
