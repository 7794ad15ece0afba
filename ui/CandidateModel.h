#pragma once

#include "engine/api/Step.h"
#include "ui/DistributionRows.h"

#include <QAbstractTableModel>

#include <optional>

namespace ui {

/// The candidates of one step and a last row for all other tokens. Chart and table read this one
/// model. Thread: GUI.
class CandidateModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column
    {
        RankColumn,
        IdColumn,
        TokenColumn,
        LogitColumn,
        ProbabilityColumn,
        FinalProbabilityColumn,
        CumulativeColumn,
        RemovedByColumn,
        ColumnCount,
    };
    enum Role
    {
        /// The DistributionRow as it is, with unrounded numbers.
        RowRole = Qt::UserRole + 1,
    };

    explicit CandidateModel(QObject* parent = nullptr);

    /// Shows a copy of `step`; null shows nothing. dataChanged where the number of rows stays, else
    /// a reset.
    void setStep(const engine::Step* step);
    const engine::Step* step() const { return m_step ? &*m_step : nullptr; }
    const DistributionRow& row(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    QString text(const DistributionRow& row, int column) const;

    std::optional<engine::Step> m_step;
    DistributionRows m_rows;
};

} // namespace ui

Q_DECLARE_METATYPE(ui::DistributionRow)
