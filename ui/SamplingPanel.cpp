#include "ui/SamplingPanel.h"

#include "ui/Icons.h"
#include "ui/SettingSlider.h"
#include "ui/SuggestionBox.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QRandomGenerator>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <QValidator>

#include <cmath>
#include <limits>
#include <utility>

namespace ui {
namespace {

constexpr int longestRun = 1'000'000;

/// Digits up to 2^64 - 1; empty is on the way to a number.
class SeedValidator : public QValidator
{
public:
    using QValidator::QValidator;

    State validate(QString& text, int&) const override
    {
        if (text.isEmpty())
            return Intermediate;
        for (const QChar character : std::as_const(text))
            if (character < QLatin1Char('0') || character > QLatin1Char('9'))
                return Invalid;
        bool fits = false;
        text.toULongLong(&fits);
        return fits ? Acceptable : Invalid;
    }
};

QLabel* makeLabel(const QString& text, QWidget* buddy)
{
    auto* label = new QLabel(text);
    label->setProperty("role", QStringLiteral("label"));
    label->setBuddy(buddy);
    return label;
}

QLabel* makeNote()
{
    auto* label = new QLabel;
    label->setProperty("role", QStringLiteral("hint"));
    label->setTextFormat(Qt::PlainText);
    label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    return label;
}

QWidget* makeRow(const QString& name, QWidget* field, QWidget* after = nullptr)
{
    auto* widget = new QWidget;
    auto* row = new QHBoxLayout(widget);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    row->addWidget(makeLabel(name, field));
    row->addStretch(1);
    row->addWidget(field);
    if (after)
        row->addWidget(after);
    return widget;
}

SettingSlider::Range topKRange(int vocabularySize)
{
    return {countStops(vocabularySize), 0, static_cast<double>(vocabularySize), 0, 1,
            SamplingPanel::tr("off")};
}

} // namespace

SamplingPanel::SamplingPanel(QWidget* parent) : QWidget(parent), m_theme(Theme::light())
{
    m_reason = new QLabel(this);
    m_reason->setProperty("role", QStringLiteral("hint"));
    m_reason->setWordWrap(true);
    m_temperature = new SettingSlider(tr("Temperature"), {evenStops(0, 2, 40), 0, 5, 4, 0.05, {}});
    m_topK = new SettingSlider(tr("Top-k"), topKRange(50'000));
    m_topP = new SettingSlider(tr("Top-p"), {evenStops(0, 1, 100), 0, 1, 4, 0.01, {}});
    m_temperature->setToolTip(tr("Divides the logits: below 1 sharpens the distribution, above 1 "
                                 "flattens it, 0 takes the largest"));
    m_topK->setToolTip(tr("Keeps the k most probable tokens; 0 keeps all"));
    m_topP->setToolTip(tr("Keeps the smallest set of tokens whose probability reaches p; 1 keeps "
                          "all"));

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(m_suggestion = new SuggestionBox);
    column->addWidget(makeRuleButtons());
    column->addWidget(m_reason);
    column->addWidget(m_temperature);
    column->addWidget(m_topK);
    column->addWidget(m_topP);
    column->addWidget(makeSeedRow());
    column->addWidget(makeLengthRow());
    column->addWidget(m_more = new QToolButton, 0, Qt::AlignLeft);
    column->addWidget(makeMore());

    connectControls();
    showOrder();
    setSampling(m_sampling);
}

QWidget* SamplingPanel::makeRuleButtons()
{
    m_greedy = new QPushButton(tr("Greedy"));
    m_sample = new QPushButton(tr("Sample"));
    m_greedy->setProperty("segment", QStringLiteral("left"));
    m_sample->setProperty("segment", QStringLiteral("right"));
    m_greedy->setToolTip(tr("Always takes the most probable token (G)"));
    m_sample->setToolTip(tr("Draws a token by its probability (G)"));
    auto* group = new QButtonGroup(this);
    auto* widget = new QWidget;
    auto* row = new QHBoxLayout(widget);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    for (QPushButton* button : {m_greedy, m_sample}) {
        button->setCheckable(true);
        button->setAccessibleName(tr("Decoding rule: %1").arg(button->text()));
        group->addButton(button);
        row->addWidget(button, 1);
    }
    return widget;
}

QWidget* SamplingPanel::makeSeedRow()
{
    m_seed = new QLineEdit;
    m_seed->setProperty("role", QStringLiteral("number"));
    m_seed->setAlignment(Qt::AlignRight);
    m_seed->setValidator(new SeedValidator(m_seed));
    m_seed->setAccessibleName(tr("Seed"));
    m_seed->setToolTip(tr("The same seed draws the same tokens again; 0 to %1")
                           .arg(std::numeric_limits<std::uint64_t>::max()));
    m_newSeed = new QToolButton;
    m_newSeed->setProperty("iconOnly", true);
    m_newSeed->setAccessibleName(tr("New seed"));
    m_newSeed->setToolTip(tr("A new seed by chance"));
    m_seedNote = makeNote();
    QWidget* fields = makeRow(tr("Seed"), m_seed, m_newSeed);
    // The field takes all room: a seed can have twenty digits.
    auto* row = static_cast<QHBoxLayout*>(fields->layout());
    row->setStretch(1, 0);
    row->setStretch(2, 1);
    m_seedRow = new QWidget;
    auto* column = new QVBoxLayout(m_seedRow);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(fields);
    column->addWidget(m_seedNote);
    return m_seedRow;
}

QWidget* SamplingPanel::makeLengthRow()
{
    m_length = new QSpinBox;
    m_length->setProperty("role", QStringLiteral("number"));
    m_length->setButtonSymbols(QAbstractSpinBox::NoButtons);
    m_length->setAlignment(Qt::AlignRight);
    m_length->setLocale(QLocale::c());
    m_length->setRange(0, longestRun);
    m_length->setValue(engine::RunConfig().maxNewTokens);
    m_length->setFixedWidth(62);
    m_length->setAccessibleName(tr("Length limit, in new tokens"));
    m_length->setToolTip(tr("The run ends after this many new tokens"));
    m_lengthNote = makeNote();
    m_lengthRow = makeRow(tr("Length limit"), m_length);
    static_cast<QHBoxLayout*>(m_lengthRow->layout())->insertWidget(2, m_lengthNote);
    return m_lengthRow;
}

QWidget* SamplingPanel::makeMore()
{
    m_more->setText(tr("More"));
    m_more->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_more->setCheckable(true);
    m_more->setProperty("disclosure", true);
    m_more->setAccessibleName(tr("More settings: min-p, repetition penalty, order of the chain"));

    m_minP = new SettingSlider(tr("Min-p"), {evenStops(0, 1, 100), 0, 1, 4, 0.01, tr("off")});
    m_minP->setToolTip(tr("Keeps tokens with at least this share of the largest probability"));
    m_penalty =
        new SettingSlider(tr("Repetition penalty"), {evenStops(1, 2, 20), 0.01, 10, 4, 0.05, {}});
    m_penalty->setToolTip(tr("Lowers the logits of tokens already in the context; 1 is off"));

    m_order = new QListWidget;
    m_order->setAccessibleName(tr("Order of the chain"));
    m_order->setToolTip(tr("The stages of the sampling chain, first to last"));
    m_order->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_moveUp = new QToolButton;
    m_moveDown = new QToolButton;
    m_moveUp->setAccessibleName(tr("Move the stage up"));
    m_moveDown->setAccessibleName(tr("Move the stage down"));
    auto* buttons = new QVBoxLayout;
    buttons->setSpacing(4);
    for (QToolButton* button : {m_moveUp, m_moveDown}) {
        button->setProperty("iconOnly", true);
        button->setToolTip(button->accessibleName());
        buttons->addWidget(button);
    }
    buttons->addStretch(1);
    auto* orderRow = new QHBoxLayout;
    orderRow->setSpacing(6);
    orderRow->addWidget(m_order, 1);
    orderRow->addLayout(buttons);

    m_morePart = new QWidget;
    auto* column = new QVBoxLayout(m_morePart);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(m_minP);
    column->addWidget(m_penalty);
    column->addWidget(m_orderLabel = makeLabel(tr("Order of the chain"), m_order));
    column->addLayout(orderRow);
    m_morePart->hide();
    return m_morePart;
}

void SamplingPanel::connectControls()
{
    connect(m_greedy, &QPushButton::clicked, this,
            [this] { setRule(engine::DecodingRule::Greedy); });
    connect(m_sample, &QPushButton::clicked, this,
            [this] { setRule(engine::DecodingRule::Sample); });

    const auto bind = [this](SettingSlider* control, double engine::SamplingConfig::*setting) {
        connect(control, &SettingSlider::valueChanged, this, [this, setting](double value) {
            engine::SamplingConfig changed = m_sampling;
            changed.*setting = value;
            change(changed);
        });
    };
    bind(m_temperature, &engine::SamplingConfig::temperature);
    bind(m_topP, &engine::SamplingConfig::topP);
    bind(m_minP, &engine::SamplingConfig::minP);
    bind(m_penalty, &engine::SamplingConfig::repetitionPenalty);
    connect(m_topK, &SettingSlider::valueChanged, this, [this](double value) {
        engine::SamplingConfig changed = m_sampling;
        changed.topK = std::llround(value);
        change(changed);
    });

    connect(m_suggestion, &SuggestionBox::useRequested, this, &SamplingPanel::useSuggestion);
    connect(m_seed, &QLineEdit::textEdited, this, &SamplingPanel::seedEdited);
    // Left empty, the field goes back to the seed that is in force.
    connect(m_seed, &QLineEdit::editingFinished, this,
            [this] { m_seed->setText(QString::number(m_sampling.seed)); });
    connect(m_newSeed, &QToolButton::clicked, this, &SamplingPanel::drawNewSeed);
    connect(m_length, &QSpinBox::valueChanged, this, [this](int count) {
        m_origins.set(Setting::LengthLimit, SettingOrigin::User);
        refreshNotes();
        Q_EMIT maxNewTokensChanged(count);
    });

    connect(m_more, &QToolButton::toggled, this, [this](bool open) {
        m_morePart->setVisible(open);
        refresh();
    });
    connect(m_moveUp, &QToolButton::clicked, this, [this] { moveStage(-1); });
    connect(m_moveDown, &QToolButton::clicked, this, [this] { moveStage(1); });
    connect(m_order, &QListWidget::currentRowChanged, this, &SamplingPanel::refresh);
}

void SamplingPanel::setTheme(const Theme& theme)
{
    m_theme = theme;
    m_newSeed->setIcon(tintedIcon(QStringLiteral("dice"), theme));
    m_moveUp->setIcon(tintedIcon(QStringLiteral("arrow-up"), theme));
    m_moveDown->setIcon(tintedIcon(QStringLiteral("arrow-down"), theme));
    for (QToolButton* button : {m_newSeed, m_moveUp, m_moveDown})
        button->setIconSize(QSize(theme.px(16), theme.px(16)));
    for (SettingSlider* slider : {m_temperature, m_topK, m_topP, m_minP, m_penalty}) {
        slider->field()->setFixedWidth(theme.px(62));
        slider->setNoteWidth(theme.px(104));
    }
    m_length->setFixedWidth(theme.px(62));
    const int rowHeight = theme.px(21);
    m_order->setFixedHeight(rowHeight * m_order->count() + theme.px(6));
    refresh();
}

void SamplingPanel::setSampling(const engine::SamplingConfig& sampling)
{
    const bool orderChanged = sampling.order != m_sampling.order;
    m_origins.replaced(m_sampling, sampling);
    m_sampling = sampling;
    m_greedy->setChecked(sampling.rule == engine::DecodingRule::Greedy);
    m_sample->setChecked(sampling.rule == engine::DecodingRule::Sample);
    m_temperature->setValue(sampling.temperature);
    m_topK->setValue(static_cast<double>(sampling.topK));
    m_topP->setValue(sampling.topP);
    m_minP->setValue(sampling.minP);
    m_penalty->setValue(sampling.repetitionPenalty);
    // While the user types a seed the text is theirs, "007" included.
    if (m_seed->text().toULongLong() != sampling.seed || m_seed->text().isEmpty())
        m_seed->setText(QString::number(sampling.seed));
    if (orderChanged)
        showOrder();
    refresh();
}

void SamplingPanel::setMaxNewTokens(int count)
{
    const QSignalBlocker blocker(m_length);
    if (count != m_length->value())
        m_origins.set(Setting::LengthLimit, count == engine::RunConfig().maxNewTokens
                                                ? SettingOrigin::Program
                                                : SettingOrigin::User);
    m_length->setValue(count);
    refreshNotes();
}

void SamplingPanel::setVocabularySize(int size)
{
    if (size > 0)
        m_topK->setRange(topKRange(size));
}

void SamplingPanel::setAvailability(Availability availability)
{
    m_availability = availability;
    refresh();
}

void SamplingPanel::setSuggestion(const engine::SamplingDefaults& suggested)
{
    if (suggested == m_suggested)
        return;
    m_suggested = suggested;
    m_origins.modelChanged();
    refresh();
}

void SamplingPanel::useSuggestion()
{
    if (m_availability != Availability::Editable)
        return;
    setSampling(m_suggested.appliedTo(m_sampling));
    m_origins.suggested(m_suggested);
    refresh();
    Q_EMIT samplingChanged(m_sampling);
}

QString SamplingPanel::note(Setting setting, const QString& effect) const
{
    const SettingOrigin origin =
        m_availability == Availability::Recorded ? SettingOrigin::Trace : m_origins.of(setting);
    const QString who = originText(origin);
    return effect.isEmpty() ? who : QStringLiteral("%1 · %2").arg(who, effect);
}

/// Who each value is from, and what it does at the step in view.
void SamplingPanel::refreshNotes()
{
    using engine::SamplingStage;
    const engine::Step* step = m_step ? &*m_step : nullptr;
    const QString file = QString::fromStdString(m_suggested.origin);
    const auto show = [&](SettingSlider* control, Setting setting, SamplingStage stage) {
        const bool isModels = m_availability == Availability::Editable &&
                              m_origins.of(setting) == SettingOrigin::Model;
        control->setNote(note(setting, effectText(stage, m_sampling, step)),
                         isModels ? tr("As the model's own file suggests (%1)").arg(file)
                                  : tr("Where the value is from, and what it does at this step"));
    };
    show(m_temperature, Setting::Temperature, SamplingStage::Temperature);
    show(m_topK, Setting::TopK, SamplingStage::TopK);
    show(m_topP, Setting::TopP, SamplingStage::TopP);
    show(m_minP, Setting::MinP, SamplingStage::MinP);
    show(m_penalty, Setting::RepetitionPenalty, SamplingStage::RepetitionPenalty);
    m_seedNote->setText(note(Setting::Seed, seedEffectText(step)));
    m_lengthNote->setText(note(Setting::LengthLimit, {}));
    m_orderLabel->setText(tr("Order of the chain · %1").arg(note(Setting::Order, {})));
    // A recorded run may be of another model than the one that suggests.
    const bool editable = m_availability == Availability::Editable;
    m_suggestion->show(editable ? m_suggested : engine::SamplingDefaults(), m_sampling, editable);
}

QString SamplingPanel::seedNote() const
{
    return m_seedNote->text();
}

QString SamplingPanel::lengthNote() const
{
    return m_lengthNote->text();
}

void SamplingPanel::toggleRule()
{
    setRule(m_sampling.rule == engine::DecodingRule::Greedy ? engine::DecodingRule::Sample
                                                            : engine::DecodingRule::Greedy);
}

QString SamplingPanel::reason() const
{
    return m_reason->text();
}

void SamplingPanel::setRule(engine::DecodingRule rule)
{
    if (m_availability != Availability::Editable || rule == m_sampling.rule)
        return;
    engine::SamplingConfig changed = m_sampling;
    changed.rule = rule;
    change(changed);
}

/// The user's own change; what it leaves as it was keeps its origin.
void SamplingPanel::change(const engine::SamplingConfig& changed)
{
    const SettingOrigins before = m_origins;
    const engine::SamplingConfig old = m_sampling;
    setSampling(changed);
    m_origins = before;
    m_origins.changed(old, changed, SettingOrigin::User);
    refresh();
    Q_EMIT samplingChanged(m_sampling);
}

void SamplingPanel::showStep(const engine::Step* step)
{
    m_step = step ? std::optional(*step) : std::nullopt;
    refreshNotes();
}

void SamplingPanel::seedEdited(const QString& text)
{
    bool valid = false;
    const std::uint64_t seed = text.toULongLong(&valid);
    if (!valid || seed == m_sampling.seed)
        return;
    engine::SamplingConfig changed = m_sampling;
    changed.seed = seed;
    change(changed);
}

void SamplingPanel::drawNewSeed()
{
    // Six digits: short enough to be read out and typed again.
    std::uint64_t seed = m_sampling.seed;
    while (seed == m_sampling.seed)
        seed = QRandomGenerator::global()->bounded(1'000'000U);
    engine::SamplingConfig changed = m_sampling;
    changed.seed = seed;
    change(changed);
}

void SamplingPanel::moveStage(int by)
{
    const int row = m_order->currentRow();
    const int target = row + by;
    if (row < 0 || target < 0 || target >= m_order->count())
        return;
    engine::SamplingConfig changed = m_sampling;
    std::swap(changed.order[static_cast<std::size_t>(row)],
              changed.order[static_cast<std::size_t>(target)]);
    change(changed);
    m_order->setCurrentRow(target);
}

void SamplingPanel::showOrder()
{
    m_order->clear();
    for (const engine::SamplingStage stage : m_sampling.order) {
        const std::string_view stageName = engine::name(stage);
        m_order->addItem(
            QStringLiteral("%1  %2")
                .arg(m_order->count() + 1)
                .arg(QLatin1String(stageName.data(), static_cast<qsizetype>(stageName.size()))));
    }
}

void SamplingPanel::refresh()
{
    refreshNotes();
    const bool editable = m_availability == Availability::Editable;
    const bool draws = m_sampling.rule == engine::DecodingRule::Sample;
    m_greedy->setEnabled(editable);
    m_sample->setEnabled(editable);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_temperature, m_topK, m_topP, m_minP,
                                                           m_seedRow, m_orderLabel, m_order})
        widget->setEnabled(editable && draws);
    // Greedy looks at the logits after the penalty, so this one stays.
    m_penalty->setEnabled(editable);
    m_lengthRow->setEnabled(editable);
    const int row = m_order->currentRow();
    m_moveUp->setEnabled(editable && draws && row > 0);
    m_moveDown->setEnabled(editable && draws && row >= 0 && row + 1 < m_order->count());

    if (!editable)
        m_reason->setText(tr("As recorded in the trace, so not to be changed."));
    else if (!draws)
        m_reason->setText(tr("Greedy (%1) takes the most probable token: the rest is not used.")
                              .arg(note(Setting::Rule, {})));
    else if (m_sampling.temperature == 0)
        m_reason->setText(tr("Temperature 0 takes the largest logit: no draw."));
    else
        m_reason->setText(tr("Draws by probability (%1).").arg(note(Setting::Rule, {})));
    m_more->setIcon(tintedIcon(m_more->isChecked() ? QStringLiteral("chevron-down")
                                                   : QStringLiteral("chevron-right"),
                               m_theme, m_theme.mutedText));
}

} // namespace ui
