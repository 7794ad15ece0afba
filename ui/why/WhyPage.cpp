#include "ui/why/WhyPage.h"

#include "ui/NumberText.h"
#include "ui/TokenText.h"
#include "ui/why/LedgerView.h"
#include "ui/why/WorkedLine.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <string_view>

namespace ui {
namespace {

using engine::Candidate;
using engine::Step;

constexpr int idRole = Qt::UserRole;

QString numbersOf(const Candidate& candidate)
{
    return WhyPage::tr("%1, rank %2")
        .arg(percentText(candidate.finalProbability), countText(candidate.rank));
}

QString whyPicked(const Candidate& candidate, const Step& step)
{
    const QString token = visibleText(candidate.piece);
    if (step.forced)
        return WhyPage::tr("%1 was put in by hand; the rule had chosen another.").arg(token);
    if (!step.draw)
        return WhyPage::tr("%1 came because it has the largest score that was left: greedy "
                           "decoding draws nothing.")
            .arg(token);
    if (step.keptCount == 1)
        return WhyPage::tr("%1 came because the settings left nothing else.").arg(token);
    return WhyPage::tr("%1 came because u = %2 fell into its slice of the bar (%3).")
        .arg(token, QString::number(step.draw->u, 'f', 4), numbersOf(candidate));
}

QString whyNot(const Candidate& candidate, const Step& step)
{
    const QString token = visibleText(candidate.piece);
    if (candidate.removedBy)
        return QStringLiteral("%1. %2").arg(token, removalSentence(candidate, step));
    if (!step.draw)
        return WhyPage::tr("%1 did not come: greedy decoding takes the largest score only.")
            .arg(token);
    return WhyPage::tr("%1 could have come (%2), but u = %3 fell into another slice.")
        .arg(token, numbersOf(candidate), QString::number(step.draw->u, 'f', 4));
}

} // namespace

WhyPage::WhyPage(QWidget* parent)
    : StepPage(parent), m_headline(new QLabel), m_list(new QListWidget), m_ledger(new LedgerView)
{
    m_headline->setProperty("role", QStringLiteral("cardTitle"));
    m_headline->setTextFormat(Qt::PlainText);
    m_headline->setWordWrap(true);
    m_list->setAccessibleName(tr("Candidate to account for"));
    m_list->setToolTip(tr("The arithmetic of the chosen candidate stands beside it"));
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setUniformItemSizes(true);
    auto* row = new QHBoxLayout;
    row->addWidget(m_list);
    row->addWidget(m_ledger, 1);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_headline);
    column->addLayout(row, 1);
    connect(m_list, &QListWidget::currentItemChanged, this, [this](QListWidgetItem* item) {
        if (item)
            explain(engine::TokenId{item->data(idRole).toInt()});
    });
    setTheme(Theme::light());
}

void WhyPage::setTheme(const Theme& theme)
{
    m_theme = theme;
    layout()->setContentsMargins(theme.px(16), theme.px(10), theme.px(8), theme.px(10));
    layout()->setSpacing(theme.px(8));
    m_list->setFixedWidth(theme.px(176));
    m_ledger->setTheme(theme);
    refresh();
}

void WhyPage::showStep(const StepModel& steps)
{
    m_steps = &steps;
    const Step* step = steps.selectedStep();
    const engine::TokenId picked = step ? step->picked : engine::TokenId();
    // Another step, or another pick: first of all why this one.
    if (steps.selected() != m_step || picked != m_picked || !step || !m_explained ||
        !step->find(*m_explained))
        m_explained = step ? std::optional(picked) : std::nullopt;
    m_step = steps.selected();
    m_picked = picked;
    refresh();
}

void WhyPage::explain(engine::TokenId id)
{
    const Step* step = m_steps ? m_steps->selectedStep() : nullptr;
    if (!step || !step->find(id) || id == m_explained)
        return;
    m_explained = id;
    refresh();
}

void WhyPage::refresh()
{
    const Step* step = m_steps ? m_steps->selectedStep() : nullptr;
    fillList();
    if (!step || !m_explained) {
        m_headline->setText(tr("Why this token? Make a step, and its account stands here."));
        m_ledger->setRows({});
        return;
    }
    const Candidate& candidate = *step->find(*m_explained);
    const bool isPicked = candidate.piece.id == step->picked;
    const QString headline = isPicked ? whyPicked(candidate, *step) : whyNot(candidate, *step);
    m_headline->setFont(Theme::withoutLigatures(m_headline->font(), headline));
    m_headline->setText(headline);
    m_ledger->setRows(stepLedger(m_steps->run(), m_steps->selected(), *m_explained));
}

void WhyPage::fillList()
{
    const QSignalBlocker blocker(m_list);
    m_list->clear();
    const Step* step = m_steps ? m_steps->selectedStep() : nullptr;
    if (!step)
        return;
    for (const Candidate& candidate : step->candidates) {
        auto* item = new QListWidgetItem(m_list);
        fill(item, candidate);
        if (candidate.piece.id == m_explained)
            m_list->setCurrentItem(item);
    }
}

void WhyPage::fill(QListWidgetItem* item, const Candidate& candidate) const
{
    const Step& step = *m_steps->selectedStep();
    const bool isPicked = candidate.piece.id == step.picked;
    const QString token = visibleText(candidate.piece, 11);
    // Marks, so that neither the pick nor a cut is told by colour alone.
    const QString mark = isPicked              ? QStringLiteral("●")
                         : candidate.removedBy ? QStringLiteral("✕")
                                               : QStringLiteral(" ");
    // What the draw used, or who took it out: never a probability of another stage beside it.
    const std::string_view remover = candidate.removedBy ? engine::name(*candidate.removedBy) : "";
    const QString outcome =
        candidate.removedBy ? QLatin1String(remover.data(), static_cast<qsizetype>(remover.size()))
                            : percentText(candidate.finalProbability);
    item->setText(QStringLiteral("%1 %2  %3").arg(mark, token, outcome));
    item->setFont(m_theme.tokenFont(12, item->text()));
    item->setData(idRole, candidate.piece.id.value);
    if (candidate.removedBy)
        item->setForeground(m_theme.faintText);
    item->setToolTip(Qt::convertFromPlainText(candidate.removedBy ? removalSentence(candidate, step)
                                                                  : numbersOf(candidate)));
    item->setData(Qt::AccessibleTextRole,
                  tr("%1, %2").arg(visibleText(candidate.piece), removalSentence(candidate, step)));
}

} // namespace ui
