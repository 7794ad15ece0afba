#include "ui/checks/CheckDialog.h"

#include "ui/StyleProperty.h"
#include "ui/checks/CheckText.h"
#include "ui/checks/CheckWidgets.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QVBoxLayout>

namespace ui {
namespace {

enum RunColumn
{
    Number,
    Threads,
    Digits,
    Words,
    Result,
    RunColumnCount,
};

QString resultText(const engine::CheckedRun& run, std::size_t index)
{
    if (index == 0)
        return CheckDialog::tr("compared with");
    if (run.same)
        return CheckDialog::tr("✓ same in all %1 steps").arg(run.stepCount);
    return run.partsAt ? CheckDialog::tr("✗ differs from step %1").arg(*run.partsAt)
                       : CheckDialog::tr("✗ differs");
}

} // namespace

CheckDialog::CheckDialog(const Theme& theme, QWidget* parent)
    : QDialog(parent), m_theme(theme), m_words(makeText("value")), m_digits(makeText("value")),
      m_explanation(makeText("secondary")), m_count(new QSpinBox), m_start(new QPushButton),
      m_verdict(makeVerdict(theme)), m_closeCalls(makeText("secondary")),
      m_runs(makeTable({tr("Run"), tr("Threads"), tr("Digits"), tr("Words"), tr("Result")})),
      m_steps(makeTable({}))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setProperty("surface", QStringLiteral("window"));
    setWindowTitle(tr("Does it come out the same?"));
    m_words->setFont(theme.uiFont(22, QFont::DemiBold));
    m_words->setStyleSheet(QStringLiteral("font-size: %1px; font-weight: 600;").arg(theme.px(22)));
    m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_digits->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_count->setRange(2, mostRuns);
    m_count->setValue(5);
    m_count->setAccessibleName(tr("How many runs to make"));
    m_count->setSuffix(tr(" times"));
    m_count->setButtonSymbols(QAbstractSpinBox::NoButtons);
    m_runs->setAccessibleName(tr("The runs and their fingerprints"));
    m_steps->setAccessibleName(tr("The fingerprints after each step"));

    auto* row = new QHBoxLayout;
    auto* ask = makeText("secondary", tr("Make this run"));
    ask->setWordWrap(false);
    row->addWidget(ask);
    row->addWidget(m_count);
    row->addWidget(m_start);
    row->addStretch(1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(theme.px(20), theme.px(16), theme.px(20), theme.px(16));
    column->setSpacing(theme.px(8));
    column->addWidget(makeText("caption", tr("FINGERPRINT OF THE RUN ON SCREEN")));
    column->addWidget(m_words);
    column->addWidget(m_digits);
    column->addWidget(m_explanation);
    column->addLayout(row);
    column->addWidget(m_verdict);
    column->addWidget(m_closeCalls);
    column->addWidget(m_runs, 20);
    column->addWidget(m_steps, 30);
    column->addStretch(1);
    column->addWidget(buttons);
    resize(theme.px(720), theme.px(600));
    connect(m_start, &QPushButton::clicked, this, [this] {
        if (m_isRunning)
            Q_EMIT cancelRequested();
        else
            Q_EMIT checkRequested(m_count->value());
    });
    m_runs->hide();
    m_steps->hide();
    setRunning(false);
}

void CheckDialog::setRun(const engine::RunFingerprint& fingerprint, int steps, const QString& fault)
{
    m_words->setText(QString::fromStdString(fingerprint.values.words));
    m_digits->setText(tr("%1 · tokens alone: %2")
                          .arg(QString::fromStdString(fingerprint.values.digits()),
                               QString::fromStdString(fingerprint.tokens.digits())));
    m_explanation->setText(
        fault.isEmpty()
            ? tr("Who sees the same words has the same run, to the bit: context, logits, draws and "
                 "picks of all %1 steps. Each run below is made from the start, with 1 and more "
                 "threads, which must make no difference.")
                  .arg(steps)
            : fault);
    m_start->setEnabled(fault.isEmpty());
    m_count->setEnabled(fault.isEmpty());
}

void CheckDialog::setRunning(bool running)
{
    m_isRunning = running;
    m_start->setText(running ? tr("Stop") : tr("Run"));
    m_count->setEnabled(!running);
}

void CheckDialog::setProgress(int runsDone, int runs, int steps)
{
    if (!m_isRunning)
        setRunning(true);
    m_verdict->setText(
        tr("Run %1 of %2, step %3").arg(std::min(runsDone + 1, runs)).arg(runs).arg(steps));
    m_closeCalls->clear();
}

void CheckDialog::showCheck(const engine::RunCheck& check)
{
    setRunning(false);
    m_verdict->setText(checkSentence(check));
    m_closeCalls->setText(closeCallsText(check.closeCalls));
    fillRuns(check);
    fillSteps(check);
    m_runs->show();
    m_steps->show();
}

void CheckDialog::showFailure(const QString& words)
{
    setRunning(false);
    m_verdict->setText(words);
    m_closeCalls->clear();
}

void CheckDialog::fillRuns(const engine::RunCheck& check)
{
    m_runs->setRowCount(static_cast<int>(check.runs.size()));
    for (int row = 0; row < m_runs->rowCount(); ++row) {
        const auto index = static_cast<std::size_t>(row);
        const engine::CheckedRun& run = check.runs[index];
        setCell(*m_runs, row, Number, QString::number(row + 1), m_theme);
        setCell(*m_runs, row, Threads, QString::number(run.threads), m_theme);
        setCell(*m_runs, row, Digits, QString::fromStdString(run.fingerprint.values.digits()),
                m_theme);
        setCell(*m_runs, row, Words, QString::fromStdString(run.fingerprint.values.words), m_theme);
        setCell(*m_runs, row, Result, resultText(run, index), m_theme);
        if (!run.same)
            m_runs->item(row, Result)->setForeground(m_theme.error);
    }
    fitTable(*m_runs, m_theme);
}

/// A row for each step, a column for each run: the first eight digits of all up to that step.
void CheckDialog::fillSteps(const engine::RunCheck& check)
{
    QStringList heads = {tr("Step")};
    int most = 0;
    for (std::size_t i = 0; i < check.runs.size(); ++i) {
        heads << tr("Run %1").arg(i + 1);
        most = std::max(most, check.runs[i].stepCount);
    }
    m_steps->setColumnCount(static_cast<int>(heads.size()));
    m_steps->setHorizontalHeaderLabels(heads);
    m_steps->setRowCount(most);
    for (int step = 0; step < most; ++step) {
        const auto at = static_cast<std::size_t>(step);
        setCell(*m_steps, step, 0, QString::number(step), m_theme);
        const auto& first = check.runs.front().fingerprint.steps;
        for (std::size_t i = 0; i < check.runs.size(); ++i) {
            const auto& digests = check.runs[i].fingerprint.steps;
            const bool isThere = at < digests.size();
            const bool same = isThere && at < first.size() && digests[at] == first[at];
            const QString digits =
                isThere ? QString::fromStdString(digests[at].substr(0, 8)) : QString(QChar(0x2013));
            const int column = static_cast<int>(i) + 1;
            setCell(*m_steps, step, column,
                    (same ? QStringLiteral("✓ ") : QStringLiteral("✗ ")) + digits, m_theme);
            if (!same)
                m_steps->item(step, column)->setForeground(m_theme.error);
        }
    }
    fitTable(*m_steps, m_theme);
}

QString CheckDialog::words() const
{
    return m_words->text();
}

QString CheckDialog::verdict() const
{
    return m_verdict->text();
}

QString CheckDialog::closeCalls() const
{
    return m_closeCalls->text();
}

} // namespace ui
