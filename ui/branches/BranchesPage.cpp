#include "ui/branches/BranchesPage.h"

#include "ui/NumberText.h"
#include "ui/TokenText.h"
#include "ui/branches/RunLines.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace ui {
namespace {

enum Column
{
    Token,
    Cause,
    Length,
    LogProbability,
    Text,
    ColumnCount,
};

constexpr int idRole = Qt::UserRole;
constexpr qsizetype longestText = 300;

/// Of the picks under the plain softmax, in nats: what the model itself thinks of the whole text.
double logProbability(const std::vector<engine::Step>& steps)
{
    double sum = 0;
    for (const engine::Step& step : steps)
        if (const engine::Candidate* picked = step.find(step.picked))
            sum += static_cast<double>(picked->logit) - step.logSumExp;
    return sum;
}

engine::TokenPiece pickOf(const engine::Step& step)
{
    const engine::Candidate* picked = step.find(step.picked);
    return picked ? picked->piece : engine::TokenPiece{step.picked, {}, {}};
}

/// What the line says from where it left on, in one row.
QString textFrom(const RunLine& line)
{
    std::string bytes;
    for (std::size_t i = static_cast<std::size_t>(line.fork); i < line.steps.size(); ++i)
        bytes += pickOf(line.steps[i]).bytes;
    QString text = decodedText(bytes).simplified();
    if (text.size() > longestText)
        text = text.left(longestText) + QChar(0x2026);
    return text;
}

} // namespace

BranchesPage::BranchesPage(RunLines* lines, QWidget* parent)
    : StepPage(parent), m_lines(lines), m_title(new QLabel(tr("Branches"))), m_summary(new QLabel),
      m_undo(new QToolButton), m_redo(new QToolButton), m_tree(new QTreeWidget)
{
    m_title->setProperty("role", QStringLiteral("cardTitle"));
    m_summary->setProperty("role", QStringLiteral("secondary"));
    m_summary->setWordWrap(true);
    m_summary->setTextFormat(Qt::PlainText);
    m_undo->setText(tr("Undo"));
    m_redo->setText(tr("Redo"));
    m_undo->setToolTip(tr("Back to the branch before this one (Ctrl+Z)"));
    m_redo->setToolTip(tr("Forward again (Ctrl+Shift+Z)"));
    m_tree->setColumnCount(ColumnCount);
    m_tree->setHeaderLabels({tr("Branch"), tr("Why"), tr("Steps"), tr("log p"), tr("Text")});
    m_tree->headerItem()->setToolTip(
        LogProbability, tr("Sum of the natural logarithms of the picks' probabilities, before any "
                           "setting: nearer to 0 is likelier. Compare branches of equal length."));
    for (const int column : {Length, LogProbability})
        m_tree->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    m_tree->setUniformRowHeights(true);
    m_tree->setAllColumnsShowFocus(true);
    m_tree->setTextElideMode(Qt::ElideRight);
    m_tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_tree->setAccessibleName(tr("Branches of this run"));
    m_tree->header()->setSectionResizeMode(QHeaderView::Fixed);
    m_tree->header()->setSectionsMovable(false);

    auto* head = new QHBoxLayout;
    head->addWidget(m_title);
    head->addWidget(m_summary, 1);
    head->addWidget(m_undo);
    head->addWidget(m_redo);
    auto* column = new QVBoxLayout(this);
    column->addLayout(head);
    column->addWidget(m_tree, 1);

    connect(m_undo, &QToolButton::clicked, m_lines, &RunLines::undo);
    connect(m_redo, &QToolButton::clicked, m_lines, &RunLines::redo);
    connect(m_tree, &QTreeWidget::itemActivated, this,
            [this](QTreeWidgetItem* item) { m_lines->switchTo(item->data(0, idRole).toInt()); });
    connect(m_lines, &RunLines::changed, this, [this] {
        if (isVisible())
            refresh();
    });
    setTheme(Theme::light());
}

void BranchesPage::setTheme(const Theme& theme)
{
    m_theme = theme;
    layout()->setContentsMargins(theme.px(16), theme.px(10), theme.px(16), theme.px(12));
    layout()->setSpacing(theme.px(8));
    m_tree->setIndentation(theme.px(18));
    refresh();
    layOutColumns();
}

void BranchesPage::showStep(const StepModel&)
{
    refresh();
}

void BranchesPage::refresh()
{
    m_tree->clear();
    std::map<int, QTreeWidgetItem*> items;
    for (const RunLine& line : m_lines->lines()) {
        const auto parent = items.find(line.parent);
        auto* item = parent == items.end() ? new QTreeWidgetItem(m_tree)
                                           : new QTreeWidgetItem(parent->second);
        items[line.id] = item;
        fill(item, line.id);
    }
    m_tree->expandAll();
    if (const auto current = items.find(m_lines->current()); current != items.end())
        m_tree->setCurrentItem(current->second);
    m_undo->setEnabled(m_lines->canUndo());
    m_redo->setEnabled(m_lines->canRedo());
    const auto count = m_lines->lines().size();
    if (count == 0)
        m_summary->setText(tr("There is no run yet."));
    else if (count == 1)
        m_summary->setText(tr("Force a candidate, draw again or change a setting: the text that "
                              "was there stays here as a branch."));
    else
        m_summary->setText(tr("%1 branches · Enter goes to one").arg(count));
}

void BranchesPage::fill(QTreeWidgetItem* item, int id) const
{
    const RunLine& line = *m_lines->find(id);
    const bool isCurrent = id == m_lines->current();
    const auto place = static_cast<std::size_t>(line.fork);
    const QString token = line.parent < 0             ? tr("Start")
                          : place < line.steps.size() ? visibleText(pickOf(line.steps[place]))
                                                      : tr("Start");
    // A mark as well as the weight: which line is on screen is not told by looks alone.
    item->setText(Token, (isCurrent ? QStringLiteral("● ") : QString()) + token);
    item->setText(Cause, line.parent < 0 ? tr("as it began")
                                         : tr("step %1: %2").arg(line.fork).arg(line.cause));
    item->setText(Length, QString::number(line.steps.size()));
    item->setText(LogProbability, logitText(logProbability(line.steps)));
    item->setText(Text, textFrom(line));
    item->setData(0, idRole, id);
    item->setFont(Token, m_theme.tokenFont(13, token));
    item->setFont(Text, Theme::withoutLigatures(m_theme.uiFont(12), item->text(Text)));
    for (const int column : {Length, LogProbability}) {
        item->setFont(column, m_theme.monoFont(12));
        item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
    for (int column = 0; column < ColumnCount; ++column) {
        item->setToolTip(column, Qt::convertFromPlainText(item->text(column)));
        if (isCurrent)
            item->setForeground(column, m_theme.accent);
    }
    item->setData(Token, Qt::AccessibleTextRole,
                  isCurrent ? tr("%1, on screen").arg(token) : token);
}

void BranchesPage::resizeEvent(QResizeEvent* event)
{
    StepPage::resizeEvent(event);
    layOutColumns();
}

void BranchesPage::layOutColumns()
{
    const int width = m_tree->viewport()->width();
    const int length = m_theme.px(52);
    const int logProbability = m_theme.px(68);
    const int cause = std::clamp(width / 4, m_theme.px(110), m_theme.px(240));
    const int token = std::clamp(width / 4, m_theme.px(120), m_theme.px(220));
    m_tree->setColumnWidth(Token, token);
    m_tree->setColumnWidth(Cause, cause);
    m_tree->setColumnWidth(Length, length);
    m_tree->setColumnWidth(LogProbability, logProbability);
    m_tree->setColumnWidth(Text, std::max(0, width - token - cause - length - logProbability));
}

} // namespace ui
