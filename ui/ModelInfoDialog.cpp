#include "ui/ModelInfoDialog.h"

#include "ui/NumberText.h"
#include "ui/SuggestionBox.h"
#include "ui/TokenText.h"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QStringList>
#include <QVBoxLayout>

namespace ui {
namespace {

QString fromUtf8(const std::string& text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString sizeText(std::uint64_t bytes)
{
    const auto size = static_cast<double>(bytes);
    if (size >= 1e9)
        return ModelInfoDialog::tr("%1 GB").arg(size / 1e9, 0, 'f', 2);
    return ModelInfoDialog::tr("%1 MB").arg(size / 1e6, 0, 'f', 2);
}

QString tokenText(const engine::TokenPiece& piece)
{
    return QStringLiteral("%1  %2").arg(piece.id.value).arg(visibleText(piece, 40));
}

void addNetwork(ModelFacts& facts, const engine::ModelInfo& model, const engine::ModelNotes& notes)
{
    const auto add = [&facts](const QString& name, const QString& value) {
        facts.emplace_back(name, value);
    };
    QStringList types;
    for (const auto& [type, count] : model.tensorTypes)
        types << QStringLiteral("%1 × %2").arg(fromUtf8(type)).arg(count);
    add(ModelInfoDialog::tr("MODEL"), {});
    add(ModelInfoDialog::tr("Name"), fromUtf8(model.name));
    if (!model.path.empty())
        add(ModelInfoDialog::tr("Opened from"), fromUtf8(model.path));
    add(ModelInfoDialog::tr("Architecture"), fromUtf8(model.architecture));
    add(ModelInfoDialog::tr("Parameters"), countText(model.parameters));
    if (notes.fileBytes > 0)
        add(ModelInfoDialog::tr("Size"), sizeText(notes.fileBytes));
    add(ModelInfoDialog::tr("Bits per weight"), QString::number(model.bitsPerWeight, 'f', 2));
    add(ModelInfoDialog::tr("Tensor types"), types.join(QStringLiteral(", ")));
    add(ModelInfoDialog::tr("Layers"), countText(model.layers));
    add(ModelInfoDialog::tr("Width"), countText(model.width));
    add(ModelInfoDialog::tr("Heads"),
        ModelInfoDialog::tr("%1, in %2 key-value groups").arg(model.heads).arg(model.kvHeads));
    add(ModelInfoDialog::tr("Context length"),
        ModelInfoDialog::tr("%1 tokens").arg(countText(model.contextLength)));
    add(ModelInfoDialog::tr("Vocabulary"),
        ModelInfoDialog::tr("%1 tokens").arg(countText(model.vocabularySize)));
}

void addTokenizer(ModelFacts& facts, const engine::TokenizerInfo& tokenizer,
                  const engine::ModelNotes& notes)
{
    const auto add = [&facts](const QString& name, const QString& value) {
        facts.emplace_back(name, value);
    };
    add(ModelInfoDialog::tr("TOKENIZER"), {});
    add(ModelInfoDialog::tr("Kind"), fromUtf8(tokenizer.kind));
    QStringList special;
    for (const engine::NamedToken& token : tokenizer.specialTokens)
        special << QStringLiteral("%1: %2").arg(fromUtf8(token.role), tokenText(token.piece));
    if (!special.isEmpty())
        add(ModelInfoDialog::tr("Special tokens"), special.join(QLatin1Char('\n')));
    QStringList stops;
    for (const engine::StopToken& token : notes.stopTokens)
        stops << QStringLiteral("%1 (%2)").arg(tokenText(token.piece), fromUtf8(token.origin));
    if (!stops.isEmpty())
        add(ModelInfoDialog::tr("Stop tokens"), stops.join(QLatin1Char('\n')));
    add(ModelInfoDialog::tr("Chat template"),
        tokenizer.chatTemplate.empty() ? ModelInfoDialog::tr("none")
        : notes.chat.reason.empty()    ? ModelInfoDialog::tr("yes")
                                       : fromUtf8(notes.chat.reason));
}

} // namespace

QString modelText(const engine::ModelInfo& model)
{
    QStringList parts;
    if (!model.name.empty())
        parts << fromUtf8(model.name);
    if (model.vocabularySize > 0)
        parts << ModelInfoDialog::tr("vocab %1").arg(countText(model.vocabularySize));
    if (!model.quantization.empty())
        parts << fromUtf8(model.quantization);
    return parts.join(QStringLiteral("  ·  "));
}

ModelFacts modelFacts(const engine::ModelInfo& model, const engine::TokenizerInfo& tokenizer,
                      const engine::ModelNotes& notes, const QString& fingerprint)
{
    ModelFacts facts;
    addNetwork(facts, model, notes);
    addTokenizer(facts, tokenizer, notes);
    if (!notes.sampling.isEmpty())
        facts.emplace_back(ModelInfoDialog::tr("Suggested decoding"),
                           QStringLiteral("%1 (%2)").arg(suggestionText(notes.sampling),
                                                         fromUtf8(notes.sampling.origin)));
    for (const std::string& warning : notes.warnings)
        facts.emplace_back(ModelInfoDialog::tr("Warning"), fromUtf8(warning));
    facts.emplace_back(ModelInfoDialog::tr("FINGERPRINTS (SHA-256)"), QString());
    facts.emplace_back(ModelInfoDialog::tr("Model"),
                       model.sha256.empty() ? fingerprint : fromUtf8(model.sha256));
    facts.emplace_back(ModelInfoDialog::tr("Tokenizer"), fromUtf8(tokenizer.sha256));
    return facts;
}

ModelInfoDialog::ModelInfoDialog(QWidget* parent) : QDialog(parent), m_area(new QScrollArea)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setProperty("surface", QStringLiteral("window"));
    setWindowTitle(tr("Model information"));
    m_area->setWidgetResizable(true);
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_area->viewport()->setAutoFillBackground(false);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 16, 20, 16);
    column->setSpacing(16);
    column->addWidget(m_area, 1);
    column->addWidget(buttons);
    resize(640, 560);
}

void ModelInfoDialog::show(const ModelFacts& facts)
{
    if (facts != m_facts) {
        const int scrolled = m_area->verticalScrollBar()->value();
        m_facts = facts;
        m_area->setWidget(makeContent(facts));
        m_area->verticalScrollBar()->setValue(scrolled);
    }
    QDialog::show();
}

QWidget* ModelInfoDialog::makeContent(const ModelFacts& facts) const
{
    auto* content = new QWidget;
    content->setAutoFillBackground(false);
    auto* grid = new QGridLayout(content);
    grid->setContentsMargins(0, 0, 8, 0);
    grid->setHorizontalSpacing(24);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(1, 1);
    const auto makeLabel = [](const QString& text, const char* role) {
        auto* label = new QLabel(text);
        label->setTextFormat(Qt::PlainText);
        label->setProperty("role", QLatin1String(role));
        return label;
    };
    int row = 0;
    for (const auto& [name, value] : facts) {
        if (value.isEmpty()) {
            if (row > 0)
                grid->setRowMinimumHeight(row++, 6);
            grid->addWidget(makeLabel(name, "caption"), row++, 0, 1, 2);
            continue;
        }
        QLabel* shown = makeLabel(value, "value");
        shown->setWordWrap(true);
        shown->setTextInteractionFlags(Qt::TextSelectableByMouse);
        shown->setMinimumWidth(1);
        grid->addWidget(makeLabel(name, "secondary"), row, 0, Qt::AlignTop);
        grid->addWidget(shown, row++, 1);
    }
    grid->setRowStretch(row, 1);
    return content;
}

QString ModelInfoDialog::value(const QString& name) const
{
    for (const auto& [known, value] : m_facts)
        if (known == name)
            return value;
    return {};
}

} // namespace ui
