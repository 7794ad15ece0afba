#include "ui/checks/FanDialog.h"

#include "ui/NumberText.h"
#include "ui/TokenText.h"
#include "ui/checks/CheckText.h"
#include "ui/checks/CheckWidgets.h"
#include "ui/checks/FanChart.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QVBoxLayout>

#include <cmath>

namespace ui {
namespace {

enum Column
{
    Seed,
    Agrees,
    LogProbability,
    Perplexity,
    Text,
};

} // namespace

FanDialog::FanDialog(const Theme& theme, QWidget* parent)
    : QDialog(parent), m_theme(theme), m_count(new QSpinBox), m_start(new QPushButton),
      m_sentence(makeVerdict(theme)), m_hint(makeText("hint")), m_chart(new FanChart),
      m_table(makeTable({tr("Seed"), tr("Agrees"), tr("log p"), tr("Perplexity"), tr("Text")}))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setProperty("surface", QStringLiteral("window"));
    setWindowTitle(tr("Fan of seeds"));
    m_count->setRange(1, mostSeeds);
    m_count->setValue(20);
    m_count->setSuffix(tr(" seeds"));
    m_count->setButtonSymbols(QAbstractSpinBox::NoButtons);
    m_count->setAccessibleName(tr("How many seeds to draw with"));
    m_chart->setTheme(theme);
    m_table->setAccessibleName(tr("The seeds, the greedy text first"));
    m_table->horizontalHeaderItem(LogProbability)
        ->setToolTip(tr("Sum of ln p over the picks, before any setting: nearer to 0 is likelier"));

    auto* row = new QHBoxLayout;
    auto* ask = makeText("secondary", tr("This prompt and these settings with"));
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
    column->addLayout(row);
    column->addWidget(m_sentence);
    column->addWidget(m_chart, 30);
    column->addWidget(m_hint);
    column->addWidget(m_table, 20);
    column->addStretch(1);
    column->addWidget(buttons);
    resize(theme.px(760), theme.px(620));
    connect(m_start, &QPushButton::clicked, this, [this] {
        if (m_isRunning)
            Q_EMIT cancelRequested();
        else
            Q_EMIT fanRequested(m_count->value());
    });
    connect(m_chart, &FanChart::stepHovered, this,
            [this](int step) { m_hint->setText(agreementSentence(m_fan, step)); });
    connect(m_table, &QTableWidget::currentCellChanged, this, [this](int current) {
        m_chart->markSeed(current > 0 ? std::optional(static_cast<std::size_t>(current) - 1)
                                      : std::nullopt);
    });
    m_table->hide();
    m_chart->hide();
    setRunning(false);
}

void FanDialog::setFault(const QString& fault)
{
    m_sentence->setText(fault);
    m_start->setEnabled(fault.isEmpty());
    m_count->setEnabled(fault.isEmpty());
}

void FanDialog::setRunning(bool running)
{
    m_isRunning = running;
    m_start->setText(running ? tr("Stop") : tr("Draw"));
    m_count->setEnabled(!running);
}

void FanDialog::setProgress(int seedsDone, int seeds, int steps)
{
    if (!m_isRunning)
        setRunning(true);
    m_sentence->setText(seedsDone < 0 ? tr("The greedy text, step %1").arg(steps)
                                      : tr("Seed %1 of %2, step %3")
                                            .arg(std::min(seedsDone + 1, seeds))
                                            .arg(seeds)
                                            .arg(steps));
}

void FanDialog::showFan(const engine::SeedFan& fan)
{
    setRunning(false);
    m_fan = fan;
    m_sentence->setText(fanSentence(fan));
    m_chart->setFan(fan);
    m_hint->setText(tr("A seed chosen in the list is the dashed line."));
    fillTable();
    m_table->show();
    m_chart->show();
}

void FanDialog::showFailure(const QString& words)
{
    setRunning(false);
    m_sentence->setText(words);
}

void FanDialog::fillTable()
{
    m_table->setRowCount(static_cast<int>(m_fan.seeds.size()) + 1);
    setPath(0, tr("greedy"), m_fan.greedy);
    for (std::size_t i = 0; i < m_fan.seeds.size(); ++i)
        setPath(static_cast<int>(i) + 1, QString::number(m_fan.seeds[i].seed.value_or(0)),
                m_fan.seeds[i]);
    fitTable(*m_table, m_theme);
}

void FanDialog::setPath(int row, const QString& name, const engine::FanPath& path)
{
    const double sum = path.logProbability.empty() ? 0 : path.logProbability.back();
    const auto count = static_cast<double>(std::max<std::size_t>(path.picks.size(), 1));
    const bool likelier = row > 0 && m_fan.advantage(path) > 0;
    setCell(*m_table, row, Seed, name, m_theme);
    setCell(*m_table, row, Agrees,
            row == 0 ? QString(QChar(0x2013))
                     : tr("%1 of %2 steps").arg(m_fan.agreement(path)).arg(path.picks.size()),
            m_theme);
    setCell(*m_table, row, LogProbability,
            logitText(sum) + (likelier ? tr(" ▲ likelier") : QString()), m_theme);
    setCell(*m_table, row, Perplexity, QString::number(std::exp(-sum / count), 'f', 2), m_theme);
    setCell(*m_table, row, Text, decodedText(path.text).simplified(), m_theme);
}

QString FanDialog::sentence() const
{
    return m_sentence->text();
}

QString FanDialog::hint() const
{
    return m_hint->text();
}

} // namespace ui
