#include "ui/compare/VerdictStrip.h"

#include "ui/compare/CompareModel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>

#include <algorithm>

namespace ui {

QString inputName(engine::RunInput input)
{
    switch (input) {
    case engine::RunInput::Context:
        return VerdictStrip::tr("Context");
    case engine::RunInput::Settings:
        return VerdictStrip::tr("Settings");
    case engine::RunInput::Model:
        return VerdictStrip::tr("Model");
    case engine::RunInput::Tokenizer:
        return VerdictStrip::tr("Tokenizer");
    }
    return {};
}

QString inputsSentence(const engine::RunsVerdict& verdict)
{
    QStringList parts;
    for (const engine::InputComparison& input : verdict.inputs) {
        QString part = QStringLiteral("%1 %2").arg(
            inputName(input.input), input.same ? QStringLiteral("=") : QStringLiteral("≠"));
        if (!input.same && input.input == engine::RunInput::Settings) {
            QStringList settings;
            for (const engine::SettingDifference& setting : verdict.settings)
                settings << VerdictStrip::tr("%1: %2, %3")
                                .arg(QString::fromStdString(setting.name),
                                     QString::fromStdString(setting.a),
                                     QString::fromStdString(setting.b));
            if (!settings.isEmpty())
                part += QStringLiteral(" (%1)").arg(settings.join(QStringLiteral("; ")));
        }
        parts << part;
    }
    return parts.join(QStringLiteral("  ·  "));
}

QString firstDifferenceText(const engine::RunsVerdict& verdict)
{
    if (verdict.same)
        return VerdictStrip::tr("the same in every value");
    if (!verdict.partAt)
        return VerdictStrip::tr("the same tokens, but not the same in every value");
    return VerdictStrip::tr("first difference: step %1, %2")
        .arg(*verdict.partAt)
        .arg(QString::fromStdString(verdict.stage));
}

VerdictStrip::VerdictStrip(QWidget* parent)
    : QFrame(parent), m_choice(new QComboBox), m_text(new QLabel),
      m_button(new QPushButton(tr("Prove the cause…")))
{
    setProperty("card", true);
    m_choice->setAccessibleName(tr("The run that is set against run A"));
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setProperty("role", QStringLiteral("secondary"));
    m_button->setToolTip(tr("The inputs of both runs, and what becomes of them when one input at a "
                            "time is exchanged"));
    auto* row = new QHBoxLayout(this);
    row->addWidget(m_choice);
    row->addWidget(m_text, 1);
    row->addWidget(m_button);
    connect(m_button, &QPushButton::clicked, this, &VerdictStrip::verdictRequested);
    connect(m_choice, &QComboBox::currentIndexChanged, this,
            [this] { Q_EMIT otherChosen(other()); });
    setRunCount(2);
    setTheme(Theme::light());
}

void VerdictStrip::setTheme(const Theme& theme)
{
    layout()->setContentsMargins(theme.px(16), theme.px(6), theme.px(12), theme.px(6));
    layout()->setSpacing(theme.px(12));
}

void VerdictStrip::setRunCount(int count)
{
    const int others = std::max(count - 1, 1);
    if (m_choice->count() == others)
        return;
    const QSignalBlocker blocker(m_choice);
    const int chosen = std::clamp(m_choice->currentIndex(), 0, others - 1);
    m_choice->clear();
    for (int run = 1; run <= others; ++run)
        m_choice->addItem(tr("A and %1").arg(runLetter(run)));
    m_choice->setCurrentIndex(chosen);
    m_choice->setVisible(others > 1);
}

int VerdictStrip::other() const
{
    return std::max(m_choice->currentIndex(), 0) + 1;
}

void VerdictStrip::setVerdict(const engine::RunsVerdict& verdict)
{
    m_text->setText(inputsSentence(verdict) + QStringLiteral("  →  ") +
                    firstDifferenceText(verdict));
}

QString VerdictStrip::text() const
{
    return m_text->text();
}

} // namespace ui
