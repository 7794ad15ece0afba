#include "ui/CandidateModel.h"

#include "ui/NumberText.h"
#include "ui/TokenText.h"

#include <string_view>
#include <utility>

namespace ui {
namespace {

QString stageName(engine::SamplingStage stage)
{
    const std::string_view name = engine::name(stage);
    return QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size()));
}

/// Numbers line up by their last digit, words by their first letter.
QVariant alignmentOf(int column)
{
    const bool words =
        column == CandidateModel::TokenColumn || column == CandidateModel::RemovedByColumn;
    return QVariant::fromValue((words ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
}

} // namespace

CandidateModel::CandidateModel(QObject* parent) : QAbstractTableModel(parent) {}

void CandidateModel::setStep(const engine::Step* step)
{
    DistributionRows rows = step ? DistributionRows::of(*step) : DistributionRows{};
    const bool sameCount = rows.rows.size() == m_rows.rows.size() && !rows.rows.empty();
    if (!sameCount)
        beginResetModel();
    m_step = step ? std::optional(*step) : std::nullopt;
    m_rows = std::move(rows);
    if (sameCount)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    else
        endResetModel();
}

const DistributionRow& CandidateModel::row(int row) const
{
    return m_rows.rows.at(static_cast<std::size_t>(row));
}

int CandidateModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.rows.size());
}

int CandidateModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString CandidateModel::text(const DistributionRow& row, int column) const
{
    const bool others = row.isOthers();
    switch (column) {
    case RankColumn:
        return others ? QString() : countText(row.rank);
    case IdColumn:
        return others ? QString() : QString::number(row.piece.id.value);
    case TokenColumn:
        return others ? tr("all others · %1 tokens").arg(countText(row.others))
                      : visibleText(row.piece);
    case LogitColumn:
        return others ? QString() : logitText(row.logit);
    case ProbabilityColumn:
        return percentText(row.probability);
    case FinalProbabilityColumn:
        return m_rows.hasFinal ? percentText(row.finalProbability) : QString();
    case CumulativeColumn:
        return row.cumulative ? percentText(*row.cumulative) : QString();
    case RemovedByColumn:
        return row.removedBy ? stageName(*row.removedBy) : QString();
    default:
        return {};
    }
}

QVariant CandidateModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const DistributionRow& shown = row(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return text(shown, index.column());
    case Qt::AccessibleTextRole:
        return index.column() == TokenColumn ? spokenText(shown) : text(shown, index.column());
    case Qt::TextAlignmentRole:
        return alignmentOf(index.column());
    case RowRole:
        return QVariant::fromValue(shown);
    default:
        return {};
    }
}

QVariant CandidateModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return alignmentOf(section);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case RankColumn:
        return tr("rank");
    case IdColumn:
        return tr("id");
    case TokenColumn:
        return tr("token");
    case LogitColumn:
        return tr("logit");
    case ProbabilityColumn:
        return tr("probability");
    case FinalProbabilityColumn:
        return tr("after cut-off");
    case CumulativeColumn:
        return tr("cumulative");
    case RemovedByColumn:
        return tr("removed by");
    default:
        return {};
    }
}

Qt::ItemFlags CandidateModel::flags(const QModelIndex& index) const
{
    const Qt::ItemFlags base = QAbstractTableModel::flags(index);
    return index.isValid() && row(index.row()).isOthers() ? base & ~Qt::ItemIsSelectable : base;
}

} // namespace ui
