#include "ui/explore/NumbersPage.h"

#include "engine/api/StepMetrics.h"
#include "ui/NumberText.h"
#include "ui/StepModel.h"
#include "ui/TokenText.h"

#include <QGridLayout>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QTextDocument>
#include <QVBoxLayout>

#include <cmath>

namespace ui {
namespace {

QString number(double value, int decimals = 2)
{
    return QString::number(value, 'f', decimals).replace(QLatin1Char('-'), QChar(0x2212));
}

QString notRecorded()
{
    return NumbersPage::tr("not recorded");
}

NumberRow logProbabilityRow(const engine::Step& step)
{
    NumberRow row;
    row.name = NumbersPage::tr("Log-probability");
    row.meaning = NumbersPage::tr("Natural logarithm of the probability that the model gave to the "
                                  "token, before any setting; 0 is certain.");
    const engine::Candidate* picked = step.find(step.picked);
    const auto value = engine::logProbability(step);
    row.value = value ? number(*value, 3) : notRecorded();
    if (picked)
        row.formula =
            NumbersPage::tr("ln p(%1) = logit − ln Σ e^logit = %2 − %3")
                .arg(visibleText(picked->piece, 16), number(static_cast<double>(picked->logit), 3),
                     number(step.logSumExp, 3));
    return row;
}

NumberRow surpriseRow(const engine::Step& step)
{
    NumberRow row;
    row.name = NumbersPage::tr("Surprise");
    row.meaning = NumbersPage::tr("How unexpected the token was; 1 bit is a coin flip.");
    const auto value = engine::logProbability(step);
    row.value = value ? bitsText(-*value / std::log(2.0)) : notRecorded();
    if (value)
        row.formula =
            NumbersPage::tr("−log₂ p = −ln p ÷ ln 2 = %1 ÷ 0.693").arg(number(-*value, 3));
    return row;
}

NumberRow marginRow(const engine::Step& step)
{
    NumberRow row;
    row.name = NumbersPage::tr("Margin");
    row.meaning = NumbersPage::tr("By how much the most probable token leads the next one; near 0 "
                                  "the two are as good as tied.");
    const auto margin = engine::margin(step);
    row.value = margin ? percentText(margin->probability) : notRecorded();
    if (!margin)
        return row;
    const engine::Candidate& first = step.candidates[0];
    const engine::Candidate& second = step.candidates[1];
    row.formula =
        margin->logit == 0
            ? NumbersPage::tr("p₁ − p₂ = %1 − %2; a tie: both logits are %3")
                  .arg(percentText(first.probability), percentText(second.probability),
                       number(static_cast<double>(first.logit), 3))
            : NumbersPage::tr("p₁ − p₂ = %1 − %2; logits: %3 − %4 = %5")
                  .arg(percentText(first.probability), percentText(second.probability),
                       number(static_cast<double>(first.logit), 3),
                       number(static_cast<double>(second.logit), 3), number(margin->logit, 3));
    return row;
}

} // namespace

std::vector<NumberRow> stepNumbers(const engine::Step& step)
{
    std::vector<NumberRow> rows = {logProbabilityRow(step), surpriseRow(step)};
    rows.push_back({NumbersPage::tr("Entropy"), bitsText(step.entropyBits),
                    NumbersPage::tr("H = −Σ p · log₂ p, over the whole vocabulary"),
                    NumbersPage::tr("How undecided the model is; 0 is sure.")});
    rows.push_back({NumbersPage::tr("Effective choices"), number(engine::effectiveChoices(step)),
                    NumbersPage::tr("2^H = 2^%1").arg(number(step.entropyBits, 3)),
                    NumbersPage::tr("That many equally likely tokens would be as undecided.")});
    rows.push_back(marginRow(step));
    return rows;
}

std::vector<NumberRow> runNumbers(const engine::Run& run, std::size_t steps)
{
    const engine::RunMetrics metrics = engine::metricsOfFirst(run, steps);
    return {{NumbersPage::tr("Sum of log-probabilities"), number(metrics.logProbability, 3),
             NumbersPage::tr("Σ ln p over %1 picks").arg(metrics.steps),
             NumbersPage::tr("Logarithm of the probability of the whole text so far: the sum, "
                             "since probabilities multiply.")},
            {NumbersPage::tr("Perplexity"), number(metrics.perplexity),
             NumbersPage::tr("e^(−Σ ln p ÷ n) = e^(%1 ÷ %2)")
                 .arg(number(-metrics.logProbability, 3))
                 .arg(metrics.steps),
             NumbersPage::tr("Choosing among that many equally likely tokens at every step would "
                             "be as hard; 1 is certain.")}};
}

NumbersPage::NumbersPage(QWidget* parent)
    : StepPage(parent), m_area(new QScrollArea),
      m_empty(new QLabel(tr("No step yet. Press Space to take the first one.")))
{
    m_area->setWidgetResizable(true);
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_area->setAccessibleName(tr("Numbers of this step and of the run"));
    m_empty->setProperty("role", QStringLiteral("secondary"));
    m_empty->setAlignment(Qt::AlignCenter);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_empty);
    column->addWidget(m_area, 1);
    m_area->hide();
}

void NumbersPage::setTheme(const Theme& theme)
{
    m_theme = theme;
    layout()->setContentsMargins(theme.px(16), theme.px(10), theme.px(8), theme.px(12));
}

void NumbersPage::showStep(const StepModel& steps)
{
    const engine::Step* step = steps.selectedStep();
    m_empty->setVisible(!step);
    m_area->setVisible(step);
    m_rows.clear();
    if (!step)
        return;
    const int scrolled = m_area->verticalScrollBar()->value();
    auto* content = new QWidget;
    m_grid = new QGridLayout(content);
    m_grid->setContentsMargins(0, 0, m_theme.px(8), 0);
    m_grid->setHorizontalSpacing(m_theme.px(20));
    m_grid->setVerticalSpacing(m_theme.px(2));
    m_grid->setColumnStretch(2, 1);
    addHeading(step->index < 0 ? tr("THIS TOKEN OF THE PROMPT") : tr("STEP %1").arg(step->index));
    for (const NumberRow& row : stepNumbers(*step))
        addRow(row);
    if (step->index >= 0) {
        addHeading(tr("THE RUN UP TO HERE"));
        for (const NumberRow& row : runNumbers(steps.run(), std::size_t(step->index) + 1))
            addRow(row);
        if (steps.stepCount() > step->index + 1) {
            addHeading(tr("THE WHOLE RUN, %1 STEPS").arg(steps.stepCount()));
            for (NumberRow row : runNumbers(steps.run(), steps.run().steps.size())) {
                row.meaning.clear(); // said above
                addRow(row);
            }
        }
    }
    m_grid->setRowStretch(m_grid->rowCount(), 1);
    m_area->setWidget(content);
    content->setAutoFillBackground(false); // setWidget() turned it on
    m_area->viewport()->setAutoFillBackground(false);
    m_area->verticalScrollBar()->setValue(scrolled);
}

void NumbersPage::addHeading(const QString& text)
{
    auto* heading = new QLabel(text);
    heading->setTextFormat(Qt::PlainText);
    heading->setProperty("role", QStringLiteral("caption"));
    const int row = m_grid->rowCount();
    if (row > 1)
        m_grid->setRowMinimumHeight(row, m_theme.px(8));
    m_grid->addWidget(heading, row + 1, 0, 1, 3);
}

void NumbersPage::addRow(const NumberRow& row)
{
    m_rows.push_back(row);
    const auto label = [](const QString& text, const char* role) {
        auto* made = new QLabel(text);
        made->setTextFormat(Qt::PlainText);
        made->setProperty("role", QLatin1String(role));
        return made;
    };
    const int at = m_grid->rowCount();
    QLabel* value = label(row.value, "value");
    QLabel* formula = label(row.formula, "value");
    formula->setFont(Theme::withoutLigatures(formula->font(), row.formula));
    formula->setWordWrap(true);
    formula->setMinimumWidth(1);
    value->setAlignment(Qt::AlignRight | Qt::AlignTop);
    m_grid->addWidget(label(row.name, "secondary"), at, 0, Qt::AlignTop);
    m_grid->addWidget(value, at, 1, Qt::AlignTop);
    m_grid->addWidget(formula, at, 2, Qt::AlignTop);
    for (QWidget* widget : std::initializer_list<QWidget*>{value, formula})
        widget->setToolTip(Qt::convertFromPlainText(row.meaning, Qt::WhiteSpaceNormal));
    value->setAccessibleName(tr("%1: %2").arg(row.name, row.value));
    if (row.meaning.isEmpty())
        return;
    QLabel* meaning = label(row.meaning, "hint");
    meaning->setWordWrap(true);
    meaning->setMinimumWidth(1);
    m_grid->addWidget(meaning, at + 1, 2);
}

QString NumbersPage::value(const QString& name) const
{
    for (const NumberRow& row : m_rows)
        if (row.name == name)
            return row.value;
    return {};
}

QString NumbersPage::formula(const QString& name) const
{
    for (const NumberRow& row : m_rows)
        if (row.name == name)
            return row.formula;
    return {};
}

} // namespace ui
