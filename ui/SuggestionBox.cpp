#include "ui/SuggestionBox.h"

#include "ui/NumberText.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStringList>

namespace ui {

QString suggestionText(const engine::SamplingDefaults& suggested)
{
    using engine::SamplingStage;
    QStringList parts;
    if (suggested.rule)
        parts << (*suggested.rule == engine::DecodingRule::Sample ? SuggestionBox::tr("sample")
                                                                  : SuggestionBox::tr("greedy"));
    const auto add = [&parts](SamplingStage stage, const auto& value) {
        if (value)
            parts << stageText(stage, static_cast<double>(*value));
    };
    add(SamplingStage::Temperature, suggested.temperature);
    add(SamplingStage::TopK, suggested.topK);
    add(SamplingStage::TopP, suggested.topP);
    add(SamplingStage::MinP, suggested.minP);
    add(SamplingStage::RepetitionPenalty, suggested.repetitionPenalty);
    return parts.join(QStringLiteral(", "));
}

SuggestionBox::SuggestionBox(QWidget* parent)
    : QFrame(parent), m_text(new QLabel), m_use(new QPushButton(tr("Use")))
{
    setProperty("note", true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setProperty("role", QStringLiteral("hint"));
    m_use->setProperty("small", true);
    m_use->setAccessibleName(tr("Use the settings that the model suggests"));
    m_use->setToolTip(m_use->accessibleName());
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 6, 6, 6);
    row->setSpacing(6);
    row->addWidget(m_text, 1);
    row->addWidget(m_use, 0, Qt::AlignVCenter);
    connect(m_use, &QPushButton::clicked, this, &SuggestionBox::useRequested);
    hide();
}

void SuggestionBox::show(const engine::SamplingDefaults& suggested,
                         const engine::SamplingConfig& current, bool editable)
{
    setVisible(!suggested.isEmpty());
    const bool inForce = suggested.appliedTo(current) == current;
    const QString settings = suggestionText(suggested);
    const QString origin = QString::fromStdString(suggested.origin);
    m_text->setText(inForce ? tr("As the model suggests: %1 (%2)").arg(settings, origin)
                            : tr("Model suggests: %1 (%2)").arg(settings, origin));
    m_use->setVisible(!inForce);
    m_use->setEnabled(editable);
}

QString SuggestionBox::text() const
{
    return m_text->text();
}

} // namespace ui
