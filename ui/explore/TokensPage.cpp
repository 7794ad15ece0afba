#include "ui/explore/TokensPage.h"

#include "ui/NumberText.h"
#include "ui/StepModel.h"
#include "ui/TokenText.h"
#include "ui/explore/PinChart.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QTableWidget>
#include <QTextDocument>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace ui {
namespace {

bool sameStep(const engine::Step& a, const engine::Step& b)
{
    return a.index == b.index && a.logitsSha256 == b.logitsSha256 && a.sampling == b.sampling &&
           a.picked == b.picked;
}

std::vector<engine::TokenId> idsOf(const std::vector<engine::TokenPiece>& pieces)
{
    std::vector<engine::TokenId> ids;
    for (const engine::TokenPiece& piece : pieces)
        ids.push_back(piece.id);
    return ids;
}

QString afterText(const engine::Candidate& candidate, const engine::Step& step)
{
    if (step.index < 0)
        return TokensPage::tr("given");
    if (candidate.removedBy) {
        const std::string_view name = engine::name(*candidate.removedBy);
        return TokensPage::tr("cut by %1")
            .arg(QLatin1String(name.data(), static_cast<qsizetype>(name.size())));
    }
    return percentText(candidate.finalProbability);
}

} // namespace

TokensPage::TokensPage(QWidget* parent)
    : StepPage(parent), m_title(new QLabel(tr("Tokens"))), m_search(new QLineEdit),
      m_message(new QLabel), m_table(new QTableWidget(0, ColumnCount)), m_chartTitle(new QLabel),
      m_chart(new PinChart)
{
    m_title->setProperty("role", QStringLiteral("cardTitle"));
    m_message->setProperty("role", QStringLiteral("secondary"));
    m_message->setTextFormat(Qt::PlainText);
    m_message->setWordWrap(true);
    m_chartTitle->setProperty("role", QStringLiteral("caption"));
    m_search->setPlaceholderText(tr("Find a token by text or id"));
    m_search->setAccessibleName(tr("Find a token of the vocabulary by its text or id"));
    m_search->setToolTip(tr("The text may begin with a space, as most words do in a vocabulary; "
                            "␣ stands for a space too"));
    m_search->setClearButtonEnabled(true);
    m_search->setMaxLength(200);

    m_table->setHorizontalHeaderLabels({tr("Pin"), tr("Token"), tr("Id"), tr("Rank"), tr("Logit"),
                                        tr("Probability"), tr("After the chain")});
    m_table->verticalHeader()->hide();
    m_table->setShowGrid(false);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->setAccessibleName(tr("Tokens found and pinned"));
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->horizontalHeaderItem(Token)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->setTabKeyNavigation(false);
    for (const int column : {Id, Rank, Logit, Probability, After})
        m_table->horizontalHeaderItem(column)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_table->horizontalHeaderItem(Probability)
        ->setToolTip(tr("Softmax of the logits at temperature 1, over the whole vocabulary"));
    m_table->horizontalHeaderItem(After)->setToolTip(
        tr("What the draw used, or the stage that removed the token"));

    auto* head = new QHBoxLayout;
    head->addWidget(m_title);
    head->addWidget(m_search, 1);
    auto* column = new QVBoxLayout(this);
    column->addLayout(head);
    column->addWidget(m_message);
    column->addWidget(m_table, 3);
    column->addWidget(m_chartTitle);
    column->addWidget(m_chart, 2);

    connect(m_search, &QLineEdit::textChanged, this, &TokensPage::find);
    connect(m_table, &QTableWidget::cellClicked, this, &TokensPage::pinClicked);
    connect(m_table, &QTableWidget::cellActivated, this, [this](int row) { pinClicked(row, Pin); });
    connect(m_chart, &PinChart::stepActivated, this, &TokensPage::stepActivated);
    setTheme(Theme::light());
    refreshRows();
}

void TokensPage::setTheme(const Theme& theme)
{
    m_theme = theme;
    layout()->setContentsMargins(theme.px(16), theme.px(10), theme.px(16), theme.px(12));
    layout()->setSpacing(theme.px(6));
    static_cast<QHBoxLayout*>(layout()->itemAt(0)->layout())->setSpacing(theme.px(12));
    m_table->verticalHeader()->setDefaultSectionSize(theme.px(24));
    m_chart->setTheme(theme);
    refreshRows();
    layOutColumns();
}

void TokensPage::setVocabulary(const Vocabulary& vocabulary)
{
    if (vocabulary != m_vocabulary) {
        m_pins.clear(); // ids are other tokens in another vocabulary
        m_lookedUp.clear();
    }
    m_vocabulary = vocabulary;
    find();
}

void TokensPage::showStep(const StepModel& steps)
{
    m_steps = &steps;
    const engine::Step* step = steps.selectedStep();
    if (!step || !m_step || !sameStep(*step, *m_step)) {
        m_lookedUp.clear();
        m_askedFor.clear();
    }
    m_step = step ? std::optional(*step) : std::nullopt;
    if (!m_vocabulary)
        find(); // what there is to find may be more now
    else
        refreshValues();
}

/// Without a model: those that any step lists.
std::vector<engine::TokenPiece> TokensPage::knownTokens() const
{
    std::vector<engine::TokenPiece> known;
    if (!m_steps)
        return known;
    for (const engine::Step& step : m_steps->run().steps)
        for (const auto* list : {&step.candidates, &step.watched})
            for (const engine::Candidate& candidate : *list)
                known.push_back(candidate.piece);
    std::sort(known.begin(), known.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    known.erase(std::unique(known.begin(), known.end(),
                            [](const auto& a, const auto& b) { return a.id == b.id; }),
                known.end());
    return known;
}

void TokensPage::find()
{
    m_matches = m_vocabulary ? findTokens(*m_vocabulary, m_search->text(), mostShown)
                             : findTokens(knownTokens(), m_search->text(), mostShown);
    refreshRows();
}

void TokensPage::refreshRows()
{
    m_rows = m_pins;
    for (const engine::TokenPiece& piece : m_matches.shown)
        if (!isPinned(piece.id))
            m_rows.push_back(piece);
    m_table->setRowCount(static_cast<int>(m_rows.size()));
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const engine::TokenPiece& piece = m_rows[static_cast<std::size_t>(row)];
        const bool pinned = isPinned(piece.id);
        setCell(row, Pin, pinned ? QStringLiteral("●") : QStringLiteral("○"));
        const QString text = visibleText(piece, 40);
        setCell(row, Token, text);
        setCell(row, Id, QString::number(piece.id.value));
        QTableWidgetItem* pin = m_table->item(row, Pin);
        pin->setTextAlignment(Qt::AlignCenter);
        pin->setForeground(pinned ? m_theme.accent : m_theme.mutedText);
        pin->setToolTip(pinned ? tr("Unpin (Enter)") : tr("Pin: follow it over the steps (Enter)"));
        pin->setData(Qt::AccessibleTextRole, pinned ? tr("pinned") : tr("not pinned"));
        m_table->item(row, Token)->setFont(m_theme.tokenFont(13, text));
    }
    refreshValues();
}

void TokensPage::setCell(int row, int column, const QString& text)
{
    QTableWidgetItem* item = m_table->item(row, column);
    if (!item) {
        item = new QTableWidgetItem;
        m_table->setItem(row, column, item);
    }
    item->setText(text);
    item->setToolTip(Qt::convertFromPlainText(text));
    if (column >= Id) {
        item->setFont(m_theme.monoFont(12));
        item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    }
}

const engine::Candidate* TokensPage::candidate(engine::TokenId id) const
{
    if (!m_step)
        return nullptr;
    if (const engine::Candidate* listed = m_step->find(id))
        return listed;
    const auto found = std::find_if(m_lookedUp.begin(), m_lookedUp.end(),
                                    [id](const auto& one) { return one.piece.id == id; });
    return found == m_lookedUp.end() ? nullptr : &*found;
}

void TokensPage::fillValues(int row, const engine::TokenPiece& piece)
{
    const engine::Candidate* seen = candidate(piece.id);
    const QString none = m_step && !m_vocabulary ? tr("not recorded") : QString(QChar(0x2013));
    setCell(row, Rank, seen ? countText(seen->rank) : QString(QChar(0x2013)));
    setCell(row, Logit,
            seen ? logitText(static_cast<double>(seen->logit)) : QString(QChar(0x2013)));
    setCell(row, Probability, seen ? percentText(seen->probability) : none);
    setCell(row, After, seen ? afterText(*seen, *m_step) : QString(QChar(0x2013)));
}

void TokensPage::refreshValues()
{
    for (int row = 0; row < m_table->rowCount(); ++row)
        fillValues(row, m_rows[static_cast<std::size_t>(row)]);
    refreshMessage();
    refreshChart();
    askFor();
}

/// The engine, for what the step does not list.
void TokensPage::askFor()
{
    if (!m_vocabulary || !m_step || m_step->index < 0)
        return;
    std::vector<engine::TokenId> ids;
    for (const engine::TokenPiece& piece : m_rows)
        if (!candidate(piece.id))
            ids.push_back(piece.id);
    if (ids.empty() || ids == m_askedFor)
        return;
    m_askedFor = ids;
    Q_EMIT lookUpRequested(m_step->index, ids);
}

void TokensPage::showLookUp(int step, const std::vector<engine::Candidate>& found)
{
    if (!m_step || m_step->index != step)
        return;
    m_lookedUp = found;
    for (int row = 0; row < m_table->rowCount(); ++row)
        fillValues(row, m_rows[static_cast<std::size_t>(row)]);
}

void TokensPage::refreshMessage()
{
    const QString query = m_search->text();
    QString text;
    if (!m_steps || (!m_vocabulary && m_steps->isEmpty()))
        text = tr("There is no run yet.");
    else if (query.isEmpty())
        text = m_pins.empty()
                   ? tr("Type text or an id to find any token of the vocabulary. Pin a token to "
                        "follow its probability over the steps.")
                   : tr("%1 of at most %2 tokens are pinned.").arg(m_pins.size()).arg(mostPins);
    else if (m_matches.count == 0)
        text = m_vocabulary ? tr("No token of the vocabulary has this text or id.")
                            : tr("No step of this trace lists a token with this text or id.");
    else if (m_matches.count > static_cast<std::int64_t>(m_matches.shown.size()))
        text = tr("%1 tokens match, the first %2 are shown.")
                   .arg(countText(m_matches.count))
                   .arg(m_matches.shown.size());
    else
        text = m_matches.count == 1 ? tr("1 token matches.")
                                    : tr("%1 tokens match.").arg(countText(m_matches.count));
    if (!m_vocabulary && m_steps && !m_steps->isEmpty())
        text += tr(" A trace holds only the candidates that its steps list.");
    m_message->setText(text);
}

QString TokensPage::message() const
{
    return m_message->text();
}

void TokensPage::refreshChart()
{
    std::vector<PinLine> lines;
    bool hasGaps = false;
    for (const engine::TokenPiece& pin : m_pins) {
        PinLine line{pin, {}};
        if (m_steps)
            for (const engine::Step& step : m_steps->run().steps) {
                const engine::Candidate* seen = step.find(pin.id);
                line.values.push_back(seen ? std::optional(seen->probability) : std::nullopt);
                hasGaps |= seen == nullptr;
            }
        lines.push_back(std::move(line));
    }
    m_chartTitle->setText(hasGaps ? tr("PROBABILITY OVER THE STEPS · GAPS ARE NOT RECORDED")
                                  : tr("PROBABILITY OVER THE STEPS"));
    m_chart->setLines(std::move(lines), m_step ? m_step->index : -1);
    m_chartTitle->setVisible(!m_pins.empty());
    m_chart->setVisible(!m_pins.empty());
}

bool TokensPage::isPinned(engine::TokenId id) const
{
    return std::any_of(m_pins.begin(), m_pins.end(),
                       [id](const engine::TokenPiece& pin) { return pin.id == id; });
}

void TokensPage::pinClicked(int row, int column)
{
    if (column != Pin || row < 0 || row >= static_cast<int>(m_rows.size()))
        return;
    const engine::TokenPiece piece = m_rows[static_cast<std::size_t>(row)];
    setPinned(piece, !isPinned(piece.id));
}

void TokensPage::setPinned(const engine::TokenPiece& piece, bool pinned)
{
    if (pinned == isPinned(piece.id))
        return;
    if (pinned && m_pins.size() >= mostPins) {
        m_message->setText(tr("%1 tokens are pinned already; unpin one first.").arg(mostPins));
        return;
    }
    if (pinned)
        m_pins.push_back(piece);
    else
        std::erase_if(m_pins, [&piece](const auto& pin) { return pin.id == piece.id; });
    refreshRows();
    Q_EMIT pinsChanged(idsOf(m_pins));
}

void TokensPage::resizeEvent(QResizeEvent* event)
{
    StepPage::resizeEvent(event);
    layOutColumns();
}

void TokensPage::layOutColumns()
{
    const int width = m_table->viewport()->width();
    const int pin = m_theme.px(40);
    const int id = m_theme.px(64);
    const int rank = m_theme.px(76);
    const int logit = m_theme.px(76);
    const int probability = m_theme.px(96);
    const int after = m_theme.px(128);
    const int token =
        std::max(m_theme.px(80), width - pin - id - rank - logit - probability - after);
    const std::array<int, ColumnCount> widths = {pin, token, id, rank, logit, probability, after};
    for (int column = 0; column < ColumnCount; ++column)
        m_table->setColumnWidth(column, widths[static_cast<std::size_t>(column)]);
}

} // namespace ui
