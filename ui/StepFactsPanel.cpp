#include "ui/StepFactsPanel.h"

#include "engine/api/Step.h"
#include "ui/NumberText.h"

#include <QCoreApplication>
#include <QGridLayout>
#include <QLabel>

#include <cmath>

namespace ui {
namespace {

struct FactWords
{
    const char* name;
    const char* explanation;
};

constexpr std::array<FactWords, StepFactsPanel::FactCount> words = {{
    {QT_TRANSLATE_NOOP("StepFactsPanel", "Entropy"),
     QT_TRANSLATE_NOOP("StepFactsPanel",
                       "How undecided the model is: H = −Σ p · log2 p over the whole vocabulary.")},
    {QT_TRANSLATE_NOOP("StepFactsPanel", "Effective choices"),
     QT_TRANSLATE_NOOP("StepFactsPanel",
                       "The number of equally likely tokens that would be as undecided: 2 to the "
                       "power H.")},
    {QT_TRANSLATE_NOOP("StepFactsPanel", "Surprise"),
     QT_TRANSLATE_NOOP("StepFactsPanel",
                       "How unexpected the picked token was: −log2 p(picked); 1 bit is a coin "
                       "flip.")},
    {QT_TRANSLATE_NOOP("StepFactsPanel", "Picked rank"),
     QT_TRANSLATE_NOOP("StepFactsPanel",
                       "The place of the picked token when all are sorted by logit; 1 is the "
                       "argmax.")},
    {QT_TRANSLATE_NOOP("StepFactsPanel", "Random draw"),
     QT_TRANSLATE_NOOP("StepFactsPanel",
                       "The number u in [0, 1) for this seed and step; the pick is the first token "
                       "whose running sum exceeds it.")},
    {QT_TRANSLATE_NOOP("StepFactsPanel", "Unnamed ids"),
     QT_TRANSLATE_NOOP("StepFactsPanel",
                       "Probability that the model gave to ids the tokenizer has no name for. They "
                       "are taken out before any other stage.")},
    {QT_TRANSLATE_NOOP("StepFactsPanel", "Kept tokens"),
     QT_TRANSLATE_NOOP("StepFactsPanel",
                       "How many tokens were left to choose from after the cut-offs.")},
    {QT_TRANSLATE_NOOP("StepFactsPanel", "Forward pass"),
     QT_TRANSLATE_NOOP("StepFactsPanel",
                       "How long the model took from the context to the logits.")},
}};

QString translated(const char* text)
{
    return QCoreApplication::translate("StepFactsPanel", text);
}

QString drawText(const engine::Step& step)
{
    if (step.index < 0)
        return StepFactsPanel::tr("none: given");
    if (step.draw)
        return QStringLiteral("u = %1").arg(step.draw->u, 0, 'f', 4);
    if (step.forced)
        return StepFactsPanel::tr("none: forced");
    return step.rule == engine::DecodingRule::Greedy ? StepFactsPanel::tr("none: greedy")
                                                     : StepFactsPanel::tr("none: T = 0");
}

/// What the mask of unnamed ids took out; empty where there was none to take out.
QString maskedText(const engine::Step& step)
{
    for (const engine::StageTrace& stage : step.stages)
        if (stage.stage == engine::SamplingStage::UnnamedIds)
            return percentText(stage.removedProbability);
    return {};
}

} // namespace

StepFactsPanel::StepFactsPanel(QWidget* parent) : QWidget(parent)
{
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(5);
    grid->setColumnStretch(1, 1);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const int row = static_cast<int>(i);
        auto* label = new QLabel(translated(words[i].name));
        m_values[i] = new QLabel;
        label->setProperty("role", QStringLiteral("secondary"));
        m_values[i]->setProperty("role", QStringLiteral("value"));
        m_values[i]->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        m_values[i]->setTextFormat(Qt::PlainText);
        if (i == UnnamedIds)
            m_unnamedLabel = label;
        for (QLabel* half : {label, m_values[i]})
            half->setToolTip(translated(words[i].explanation));
        grid->addWidget(label, row, 0);
        grid->addWidget(m_values[i], row, 1);
    }
    setStep(nullptr, 0);
}

void StepFactsPanel::setStep(const engine::Step* step, int vocabularySize)
{
    if (!step) {
        for (QLabel* value : m_values)
            value->setText(QString(QChar(0x2013)));
        m_unnamedLabel->hide();
        m_values[UnnamedIds]->hide();
        return;
    }
    m_values[Entropy]->setText(bitsText(step->entropyBits));
    m_values[Perplexity]->setText(QString::number(std::exp2(step->entropyBits), 'f', 2));
    if (const engine::Candidate* picked = step->find(step->picked)) {
        m_values[Surprise]->setText(bitsText(-std::log2(picked->probability)));
        m_values[PickedRank]->setText(
            vocabularySize > 0 ? tr("%1 / %2", "rank / vocabulary size")
                                     .arg(countText(picked->rank), countText(vocabularySize))
                               : countText(picked->rank));
    } else {
        m_values[Surprise]->setText(tr("not recorded"));
        m_values[PickedRank]->setText(tr("not recorded"));
    }
    m_values[RandomDraw]->setText(drawText(*step));
    const QString masked = maskedText(*step);
    m_values[UnnamedIds]->setText(masked);
    for (QLabel* half : {m_unnamedLabel, m_values[UnnamedIds]})
        half->setVisible(!masked.isEmpty());
    m_values[KeptTokens]->setText(countText(step->keptCount));
    const double milliseconds = static_cast<double>(step->timings.forward.count()) / 1000.0;
    m_values[ForwardTime]->setText(tr("%1 ms").arg(milliseconds, 0, 'f', 1));
}

QString StepFactsPanel::text(Fact fact) const
{
    return m_values[fact]->text();
}

QString StepFactsPanel::explanation(Fact fact) const
{
    return m_values[fact]->toolTip();
}

} // namespace ui
