#pragma once

#include "engine/api/Token.h"
#include "ui/Theme.h"

#include <QTableView>

namespace ui {

class CandidateModel;

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
};

} // namespace ui
