#include "ui/why/DrawPage.h"

#include "ui/NumberText.h"
#include "ui/TokenText.h"
#include "ui/branches/RunLines.h"
#include "ui/why/DrawBar.h"
#include "ui/why/DrawCounts.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {
namespace {

using engine::Step;

QString number(double value)
{
    return QString::number(value, 'f', 4);
}

QString tokenOf(const Step& step, engine::TokenId id)
{
    const engine::Candidate* candidate = step.find(id);
    return candidate ? visibleText(candidate->piece) : QStringLiteral("id %1").arg(id.value);
}

/// The tokens whose slices touch the picked one; empty at an end of the bar.
std::pair<QString, QString> neighbours(const Step& step)
{
    const std::vector<DrawSegment> bar = drawSegments(step);
    const auto picked = std::find_if(bar.begin(), bar.end(),
                                     [](const DrawSegment& segment) { return segment.isPicked; });
    const auto nameOf = [](const DrawSegment& segment) {
        return segment.piece ? visibleText(*segment.piece) : DrawPage::tr("one of the others");
    };
    if (picked == bar.end())
        return {};
    return {picked == bar.begin() ? QString() : nameOf(*(picked - 1)),
            picked + 1 == bar.end() ? QString() : nameOf(*(picked + 1))};
}

QLabel* makeLabel(const char* role)
{
    auto* label = new QLabel;
    label->setProperty("role", QLatin1String(role));
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    return label;
}

void setPlain(QLabel* label, const QString& text)
{
    label->setFont(Theme::withoutLigatures(label->font(), text));
    label->setText(text);
}

bool sameDraw(const std::optional<Step>& a, const Step* b)
{
    return a && b && a->index == b->index && a->draw == b->draw && a->sampling == b->sampling &&
           a->logitsSha256 == b->logitsSha256;
}

} // namespace

QString edgeText(const Step& step)
{
    if (!step.draw)
        return DrawPage::tr("Greedy decoding takes the largest score: there is no draw, and no u.");
    if (step.keptCount == 1)
        return DrawPage::tr("One candidate is left, so any u picks it.");
    const auto [before, after] = neighbours(step);
    const double down = step.draw->u - step.draw->low;
    const double up = step.draw->high - step.draw->u;
    const bool nearerDown = !before.isEmpty() && (after.isEmpty() || down <= up);
    return DrawPage::tr("The nearest edge is at %1, %2 away: beyond it u would pick %3.")
        .arg(number(nearerDown ? step.draw->low : step.draw->high), number(nearerDown ? down : up),
             nearerDown ? before : after);
}

DrawPage::DrawPage(QWidget* parent)
    : StepPage(parent), m_headline(makeLabel("cardTitle")), m_heldBar(new DrawBar),
      m_bar(new DrawBar), m_hold(new QPushButton(tr("Hold the draw"))),
      m_again(new QPushButton(tr("Draw again"))),
      m_many(new QPushButton(tr("Draw %1 times").arg(countText(manyDraws)))),
      m_note(makeLabel("secondary")), m_counts(new DrawCounts)
{
    m_bar->setAccessibleName(tr("The bar that u falls into"));
    m_heldBar->setAccessibleName(tr("The bar when the draw was held"));
    m_hold->setCheckable(true);
    m_hold->setToolTip(tr("Keeps this bar to compare with: move a setting, u stays, and the pick "
                          "changes only when an edge passes u"));
    m_again->setToolTip(tr("The next random number for this step; what followed stays a branch"));
    m_many->setToolTip(tr("Counts where the next %1 random numbers of this step would land; the "
                          "run stays as it is")
                           .arg(countText(manyDraws)));
    auto* row = new QHBoxLayout;
    for (QPushButton* button : {m_hold, m_again, m_many}) {
        button->setProperty("small", true);
        row->addWidget(button);
    }
    row->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_headline);
    column->addWidget(m_heldBar);
    column->addWidget(m_bar);
    column->addLayout(row);
    column->addWidget(m_note);
    column->addWidget(m_counts, 1);
    connect(m_hold, &QPushButton::toggled, this, &DrawPage::hold);
    connect(m_again, &QPushButton::clicked, this, &DrawPage::drawAgainRequested);
    connect(m_many, &QPushButton::clicked, this, [this] {
        if (m_step)
            Q_EMIT drawsRequested(m_step->sampling.seed, m_step->index, manyDraws);
    });
    setTheme(Theme::light());
}

void DrawPage::setTheme(const Theme& theme)
{
    m_theme = theme;
    layout()->setContentsMargins(theme.px(16), theme.px(10), theme.px(16), theme.px(10));
    layout()->setSpacing(theme.px(7));
    m_bar->setTheme(theme);
    m_heldBar->setTheme(theme);
    m_counts->setTheme(theme);
    refresh();
}

void DrawPage::showStep(const StepModel& steps)
{
    const Step* step = steps.selectedStep();
    if (!sameDraw(m_step, step))
        m_counts->clear();
    m_step = step ? std::optional(*step) : std::nullopt;
    if (m_held &&
        (!m_step || m_step->index != m_held->index || m_step->logitsSha256 != m_held->logitsSha256))
        m_hold->setChecked(false); // another step: nothing to compare with
    refresh();
}

void DrawPage::showDraws(const std::vector<double>& uniforms)
{
    if (!m_step || !m_step->draw)
        return;
    m_counts->setDraws(drawSegments(*m_step), uniforms);
    refreshNote();
}

void DrawPage::hold(bool on)
{
    m_held = on ? m_step : std::nullopt;
    refresh();
}

void DrawPage::refresh()
{
    const bool draws = m_step && m_step->draw;
    for (QPushButton* button : {m_hold, m_again, m_many})
        button->setEnabled(draws || (button == m_hold && m_held));
    m_heldBar->setVisible(m_held.has_value());
    if (m_held)
        m_heldBar->setBar(tr("when held"), drawSegments(*m_held),
                          m_held->draw ? std::optional(m_held->draw->u) : std::nullopt);
    m_bar->setVisible(m_step.has_value());
    if (!m_step) {
        setPlain(m_headline, tr("Make a step, and its draw stands here."));
        m_note->clear();
        return;
    }
    m_bar->setBar(m_held  ? tr("now")
                  : draws ? tr("final probabilities, the largest first")
                          : tr("probabilities, before any setting"),
                  drawSegments(*m_step), draws ? std::optional(m_step->draw->u) : std::nullopt);
    if (!draws)
        setPlain(m_headline, tr("Greedy decoding takes the largest score, %1: there is no draw.")
                                 .arg(tokenOf(*m_step, m_step->ruleChoice)));
    else
        setPlain(m_headline,
                 tr("u = %1 falls into [%2, %3), the slice of %4%5.")
                     .arg(number(m_step->draw->u), number(m_step->draw->low),
                          number(m_step->draw->high), tokenOf(*m_step, m_step->ruleChoice),
                          m_step->forced ? tr("; but another was put in by hand") : QString()));
    refreshNote();
}

void DrawPage::refreshNote()
{
    QStringList sentences;
    if (m_held)
        sentences << heldText(*m_step);
    sentences << edgeText(*m_step);
    if (m_step->draw) {
        const engine::Draw& draw = *m_step->draw;
        sentences << (draw.attempt == 0 ? tr("u is the first number of seed %1 for step %2.")
                                              .arg(m_step->sampling.seed)
                                              .arg(m_step->index)
                                        : tr("u is number %1 of seed %2 for step %3.")
                                              .arg(draw.attempt + 1)
                                              .arg(m_step->sampling.seed)
                                              .arg(m_step->index));
        if (m_counts->draws() > 0)
            sentences << m_counts->summary();
    } else {
        sentences << tr("To draw, switch to Sample with a temperature above 0.");
    }
    setPlain(m_note, sentences.join(QLatin1Char(' ')));
}

/// What has become of the pick since the draw was held.
QString DrawPage::heldText(const Step& now) const
{
    if (!now.draw)
        return tr("Held, but greedy decoding uses no u.");
    if (m_held->draw && now.draw->u != m_held->draw->u)
        return tr("u is another now (%1 when held), since the seed or the draw changed.")
            .arg(number(m_held->draw->u));
    const QString moved = changedSettings(m_held->sampling, now.sampling);
    if (moved.isEmpty())
        return tr("Held: move a setting, and u stays where it is.");
    if (now.ruleChoice == m_held->ruleChoice)
        return tr("Held: %1 moved the edges, u stayed, and no edge passed it: still %2.")
            .arg(moved, tokenOf(now, now.ruleChoice));
    return tr("Held: %1 moved an edge past u: %2 became %3.")
        .arg(moved, tokenOf(*m_held, m_held->ruleChoice), tokenOf(now, now.ruleChoice));
}

} // namespace ui
