#include "ui/compare/VerdictDialog.h"

#include "ui/checks/CheckWidgets.h"
#include "ui/compare/VerdictStrip.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {
namespace {

QString shortDigest(const std::string& digest)
{
    return digest.empty() ? VerdictDialog::tr("not known")
                          : QString::fromStdString(digest.substr(0, 8));
}

} // namespace

VerdictDialog::VerdictDialog(const Theme& theme, const QString& otherLetter, QWidget* parent)
    : QDialog(parent), m_theme(theme), m_other(otherLetter), m_sentence(makeVerdict(theme)),
      m_inputs(makeTable({tr("Input"), tr("Same?"), tr("Run A"), tr("Run %1").arg(otherLetter),
                          tr("Fingerprint of A"), tr("Fingerprint of %1").arg(otherLetter)})),
      m_swap(new QPushButton), m_conclusion(makeText("secondary")),
      m_grid(makeTable({tr("Exchanged"), tr("A with %1's").arg(otherLetter),
                        tr("%1 with A's").arg(otherLetter), tr("Is it the cause?")}))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setProperty("surface", QStringLiteral("window"));
    setWindowTitle(tr("Runs A and %1: what made them part").arg(otherLetter));
    m_inputs->setAccessibleName(tr("The four inputs of both runs"));
    m_grid->setAccessibleName(tr("What becomes of each run with one input of the other"));
    auto* row = new QHBoxLayout;
    row->addWidget(m_swap);
    row->addWidget(m_conclusion, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme.px(20), theme.px(16), theme.px(20), theme.px(16));
    column->setSpacing(theme.px(10));
    column->addWidget(m_sentence);
    column->addWidget(m_inputs, 2);
    column->addLayout(row);
    column->addWidget(m_grid, 3);
    column->addWidget(buttons);
    resize(theme.px(820), theme.px(520));
    m_grid->hide();
    connect(m_swap, &QPushButton::clicked, this, [this] {
        if (m_isRunning)
            Q_EMIT cancelRequested();
        else
            Q_EMIT swapRequested();
    });
    setRunning(false);
}

void VerdictDialog::setVerdict(const engine::RunsVerdict& verdict)
{
    m_sentence->setText(QString::fromStdString(verdict.sentence));
    m_inputs->setRowCount(static_cast<int>(verdict.inputs.size()));
    for (int row = 0; row < m_inputs->rowCount(); ++row) {
        const engine::InputComparison& input = verdict.inputs[static_cast<std::size_t>(row)];
        setCell(*m_inputs, row, 0, inputName(input.input), m_theme);
        setCell(*m_inputs, row, 1, input.same ? tr("= same") : tr("≠ differs"), m_theme);
        setCell(*m_inputs, row, 2, QString::fromStdString(input.a), m_theme);
        setCell(*m_inputs, row, 3, QString::fromStdString(input.b), m_theme);
        setCell(*m_inputs, row, 4, shortDigest(input.digestA), m_theme);
        setCell(*m_inputs, row, 5, shortDigest(input.digestB), m_theme);
        if (!input.same)
            m_inputs->item(row, 1)->setForeground(m_theme.error);
    }
    fitTable(*m_inputs, m_theme);
    m_inputs->setMinimumHeight(m_theme.px(30 + 24 * m_inputs->rowCount() + 4));
}

void VerdictDialog::setSwapFault(const QString& why)
{
    m_swap->setEnabled(why.isEmpty());
    m_conclusion->setText(
        why.isEmpty() ? tr("Makes each run again with one input of the other: the input that turns "
                           "the one into the other is the cause.")
                      : why);
}

void VerdictDialog::setRunning(bool running)
{
    m_isRunning = running;
    m_swap->setText(running ? tr("Stop") : tr("Swap one input and run again"));
}

void VerdictDialog::setProgress(int runsDone, int runs)
{
    if (!m_isRunning)
        setRunning(true);
    m_conclusion->setText(tr("Run %1 of %2").arg(std::min(runsDone + 1, runs)).arg(runs));
}

QString VerdictDialog::outcomeText(const engine::SwapOutcome& outcome) const
{
    if (!outcome.fault.empty())
        return tr("not run: %1").arg(QString::fromStdString(outcome.fault));
    if (outcome.likeA && outcome.likeB)
        return tr("the text of both");
    if (outcome.likeA)
        return tr("A's text");
    if (outcome.likeB)
        return tr("%1's text").arg(m_other);
    return outcome.asA >= outcome.asB
               ? tr("another text, as A for %1 steps").arg(outcome.asA)
               : tr("another text, as %1 for %2 steps").arg(m_other).arg(outcome.asB);
}

QString VerdictDialog::swapName(const engine::InputSwap& swap) const
{
    return swap.setting.empty() ? inputName(swap.input)
                                : tr("   %1 alone").arg(QString::fromStdString(swap.setting));
}

void VerdictDialog::addGridRow(const QString& name, const QString& a, const QString& b,
                               const QString& proof)
{
    const int row = m_grid->rowCount();
    m_grid->insertRow(row);
    setCell(*m_grid, row, 0, name, m_theme);
    setCell(*m_grid, row, 1, a, m_theme);
    setCell(*m_grid, row, 2, b, m_theme);
    setCell(*m_grid, row, 3, proof, m_theme);
}

void VerdictDialog::showGrid(const engine::SwapGrid& grid)
{
    setRunning(false);
    m_grid->setRowCount(0);
    addGridRow(tr("nothing"), outcomeText(grid.a), outcomeText(grid.b),
               grid.repeats() ? tr("both repeat") : tr("a run does not repeat"));
    QStringList causes;
    for (const engine::InputSwap& swap : grid.swaps) {
        addGridRow(swapName(swap), outcomeText(swap.aWithB), outcomeText(swap.bWithA),
                   swap.isCause() ? tr("✓ yes") : tr("no, not by itself"));
        if (swap.isCause())
            causes << (swap.setting.empty() ? inputName(swap.input).toLower()
                                            : QString::fromStdString(swap.setting));
    }
    fitTable(*m_grid, m_theme);
    m_grid->show();
    if (grid.swaps.empty())
        m_conclusion->setText(tr("All inputs are the same, so there is nothing to exchange."));
    else if (!grid.repeats())
        m_conclusion->setText(tr("A run does not come out the same from its own inputs, so the "
                                 "exchange proves nothing: was a token forced, or a setting "
                                 "changed on the way?"));
    else if (causes.isEmpty())
        m_conclusion->setText(tr("No input by itself turns one run into the other."));
    else
        m_conclusion->setText(tr("Proved: exchanging %1 turns each run into the other.")
                                  .arg(causes.join(tr(" or "))));
}

void VerdictDialog::showFailure(const QString& words)
{
    setRunning(false);
    m_conclusion->setText(words);
}

QString VerdictDialog::sentence() const
{
    return m_sentence->text();
}

QString VerdictDialog::conclusion() const
{
    return m_conclusion->text();
}

} // namespace ui
