#include "ui/why/LedgerView.h"

#include <QGridLayout>
#include <QLabel>
#include <QStringList>

namespace ui {
namespace {

QLabel* makeLabel(const char* role)
{
    auto* label = new QLabel;
    label->setTextFormat(Qt::PlainText);
    label->setProperty("role", QLatin1String(role));
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace

LedgerView::LedgerView(QWidget* parent)
    : QScrollArea(parent), m_content(new QWidget), m_grid(new QGridLayout)
{
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Account of this step"));
    m_content->setObjectName(QStringLiteral("ledger"));
    m_content->setLayout(m_grid);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(0);
    m_grid->setColumnStretch(1, 1);
    setWidget(m_content);
    setTheme(Theme::light());
}

void LedgerView::setTheme(const Theme& theme)
{
    m_theme = theme;
    viewport()->setAutoFillBackground(false);
    m_content->setAutoFillBackground(false);
    m_grid->setVerticalSpacing(theme.px(1));
    m_grid->setColumnMinimumWidth(0, theme.px(118));
    setRows(m_rows);
}

void LedgerView::addLine()
{
    Line line;
    const int row = static_cast<int>(m_lines.size());
    line.ground = new QWidget;
    line.ground->setAttribute(Qt::WA_StyledBackground);
    line.stage = makeLabel("secondary");
    line.text = makeLabel("value");
    line.text->setWordWrap(true);
    line.value = makeLabel("secondary");
    line.value->setAlignment(Qt::AlignRight | Qt::AlignTop);
    m_grid->addWidget(line.ground, row, 0, 1, 3);
    m_grid->addWidget(line.stage, row, 0, Qt::AlignTop);
    m_grid->addWidget(line.text, row, 1);
    m_grid->addWidget(line.value, row, 2, Qt::AlignTop);
    m_lines.push_back(line);
}

void LedgerView::setRows(const std::vector<LedgerRow>& rows)
{
    m_rows = rows;
    while (m_lines.size() < rows.size())
        addLine();
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        Line& line = m_lines[i];
        const bool used = i < rows.size();
        for (QWidget* widget :
             std::initializer_list<QWidget*>{line.ground, line.stage, line.text, line.value})
            widget->setVisible(used);
        m_grid->setRowStretch(static_cast<int>(i), 0);
        if (used)
            fill(line, rows[i]);
    }
    m_grid->setRowStretch(static_cast<int>(m_lines.size()), 1);
}

void LedgerView::fill(Line& line, const LedgerRow& row)
{
    const int side = m_theme.px(8);
    const int above = m_theme.px(3);
    line.stage->setText(row.stage);
    line.text->setText(row.text);
    line.value->setText(row.isRemoval ? QStringLiteral("✕ ") + row.value : row.value);
    line.stage->setContentsMargins(side, above, side, above);
    line.text->setContentsMargins(0, above, 0, above);
    line.value->setContentsMargins(side, above, side, above);
    line.text->setStyleSheet(QStringLiteral("font-size: %1px;").arg(m_theme.px(12)));
    // Tokens stand in these lines, and e^(-…) too: no ligatures.
    QFont font = line.text->font();
    font.setStyleStrategy(QFont::StyleStrategy(font.styleStrategy()));
    line.text->setFont(Theme::withoutLigatures(font, row.text));
    line.ground->setStyleSheet(
        row.isOfCandidate ? QStringLiteral("background: %1;").arg(m_theme.accentTint.name())
                          : QStringLiteral("background: transparent;"));
}

QString LedgerView::text() const
{
    QStringList lines;
    for (const LedgerRow& row : m_rows)
        lines << QStringList{row.stage, row.text, row.value}.join(QLatin1Char('\t'));
    return lines.join(QLatin1Char('\n'));
}

} // namespace ui
