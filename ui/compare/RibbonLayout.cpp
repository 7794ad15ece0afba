#include "ui/compare/RibbonLayout.h"

#include "ui/ChipPainter.h"
#include "ui/StopText.h"
#include "ui/compare/PartingText.h"

#include <QFontMetricsF>
#include <QStringList>

#include <algorithm>
#include <map>

namespace ui {
namespace {

constexpr double gapPx = 4;
constexpr double partingGapPx = 16; ///< between what is shared and what is not
constexpr double mostChipPx = 170;
constexpr double markBandPx = 15;
constexpr double rowGapPx = 11; ///< room for the sign of equality
constexpr double flagBandPx = 20;

engine::TokenPiece pieceAt(const engine::Run& run, int step)
{
    const engine::Step& made = run.steps[static_cast<std::size_t>(step)];
    const engine::Candidate* picked = made.find(made.picked);
    return picked != nullptr ? picked->piece : engine::TokenPiece{made.picked, {}, {}};
}

int contextLength(const engine::Run& run)
{
    return static_cast<int>(run.context.tokens.size());
}

} // namespace

double RibbonLayout::widthOf(const engine::TokenPiece& piece) const
{
    ChipStyle style;
    style.fontPx = ribbonChipPx;
    return std::min<double>(chipSize(piece, style, m_theme).width(), m_theme.px(mostChipPx));
}

void RibbonLayout::arrange(const CompareModel& model, const Theme& theme)
{
    *this = {};
    m_theme = theme;
    if (model.isEmpty())
        return;
    ChipStyle style;
    style.fontPx = ribbonChipPx;
    m_chipHeight = chipSize({{}, "x", engine::TokenKind::Normal}, style, theme).height();
    placeRows(model);
    placeShared(model);
    placeRuns(model);
    placeMarks(model);
    placeEnds(model);
    placeFlags(model);
    // Only now is it known how many bands the flags take.
    for (RibbonChip& chip : m_chips)
        chip.rect.translate(0, m_flagHeight);
    for (RibbonMark& mark : m_marks)
        mark.rect.translate(0, m_flagHeight);
    for (double& top : m_rowTops)
        top += m_flagHeight;
    m_height += m_flagHeight;
}

double RibbonLayout::rowTop(int run) const
{
    return m_rowTops.at(static_cast<std::size_t>(run));
}

void RibbonLayout::placeRows(const CompareModel& model)
{
    double y = 0;
    for (int run = 0; run < model.count(); ++run) {
        m_rowTops.push_back(y);
        const engine::ComparedRun& compared = model.compared(run);
        const int bands = (compared.agreements.empty() ? 0 : 1) + (compared.loop ? 1 : 0);
        y += m_chipHeight + bands * m_theme.px(markBandPx) + m_theme.px(rowGapPx);
    }
    m_height = y - m_theme.px(rowGapPx);
}

void RibbonLayout::placeShared(const CompareModel& model)
{
    const engine::RunComparison& comparison = model.comparison();
    const engine::Run& first = model.run(0);
    const double middle = (m_rowTops.front() + m_rowTops.back() + m_chipHeight) / 2;
    double x = 0;
    const auto add = [&](const engine::TokenPiece& piece, int step) {
        RibbonChip chip{
            .piece = piece, .run = -1, .step = step, .isSameAsFirst = false, .rect = {}};
        chip.rect = QRectF(x, middle - m_chipHeight / 2, widthOf(piece), m_chipHeight);
        x += chip.rect.width() + m_theme.px(gapPx);
        m_chips.push_back(std::move(chip));
    };
    for (int i = 0; i < comparison.sharedContext; ++i)
        add(first.context.tokens[static_cast<std::size_t>(i)].piece, -1);
    for (int step = 0; step < comparison.sharedSteps; ++step)
        add(pieceAt(first, step), step);
    m_sharedEnd = x;
    m_width = std::max(0.0, x - m_theme.px(gapPx));
}

/// Columns behind what is shared: what is left of the prompts, ending together, then step by step.
void RibbonLayout::placeRuns(const CompareModel& model)
{
    const engine::RunComparison& comparison = model.comparison();
    int promptColumns = 0;
    for (int run = 0; run < model.count(); ++run)
        promptColumns =
            std::max(promptColumns, contextLength(model.run(run)) - comparison.sharedContext);
    const int stepColumns = model.stepCount() - comparison.sharedSteps;
    double x = m_sharedEnd + m_theme.px(m_chips.empty() ? 0 : partingGapPx - gapPx);
    m_sharedEnd = x;
    for (int column = 0; column < promptColumns + stepColumns; ++column) {
        const bool isStep = column >= promptColumns;
        const int step = isStep ? comparison.sharedSteps + column - promptColumns : -1;
        if (isStep)
            m_columnLefts.push_back(x);
        double widest = 0;
        const std::size_t begin = m_chips.size();
        for (int run = 0; run < model.count(); ++run) {
            const engine::Run& values = model.run(run);
            const int token = contextLength(values) - promptColumns + column;
            const bool exists = isStep ? step < static_cast<int>(values.steps.size())
                                       : token >= comparison.sharedContext;
            if (!exists)
                continue;
            RibbonChip chip;
            chip.piece = isStep ? pieceAt(values, step)
                                : values.context.tokens[static_cast<std::size_t>(token)].piece;
            chip.run = run;
            chip.step = step;
            const bool firstHas = isStep && run > 0 && !m_chips.empty() && begin < m_chips.size() &&
                                  m_chips[begin].run == 0;
            chip.isSameAsFirst = firstHas && m_chips[begin].piece == chip.piece;
            widest = std::max(widest, widthOf(chip.piece));
            m_chips.push_back(std::move(chip));
        }
        for (std::size_t i = begin; i < m_chips.size(); ++i)
            m_chips[i].rect = QRectF(x, rowTop(m_chips[i].run), widest, m_chipHeight);
        x += widest + m_theme.px(gapPx);
        m_width = x - m_theme.px(gapPx);
    }
}

QRectF RibbonLayout::spanOf(int run, int firstStep, int lastStep) const
{
    QRectF span;
    for (const RibbonChip& chip : m_chips)
        if (chip.run == run && chip.step >= firstStep && chip.step <= lastStep)
            span = span.isNull() ? chip.rect : span.united(chip.rect);
    return span;
}

void RibbonLayout::placeMarks(const CompareModel& model)
{
    const double band = m_theme.px(markBandPx);
    for (int run = 0; run < model.count(); ++run) {
        const engine::ComparedRun& compared = model.compared(run);
        double top = rowTop(run) + m_chipHeight;
        const auto add = [&](RibbonMark::Kind kind, int from, int to, const QString& words) {
            QRectF span = spanOf(run, from, to);
            if (span.isNull())
                return;
            span.setTop(top);
            span.setHeight(band);
            m_marks.push_back({kind, run, words, span});
        };
        for (const engine::Reconvergence& agreement : compared.agreements)
            add(RibbonMark::Kind::Agreement, agreement.otherStep,
                agreement.otherStep + agreement.count - 1, agreementText(agreement));
        if (!compared.agreements.empty())
            top += band;
        if (compared.loop)
            add(RibbonMark::Kind::Loop, compared.loop->start,
                compared.loop->start + compared.loop->length - 1, loopText(*compared.loop));
    }
}

void RibbonLayout::placeEnds(const CompareModel& model)
{
    const QFontMetricsF metrics(m_theme.uiFont(11));
    for (int run = 0; run < model.count(); ++run) {
        const QString words = stopText(model.run(run));
        if (words.isEmpty())
            continue;
        double left = m_sharedEnd;
        for (const RibbonChip& chip : m_chips)
            if (chip.run == run)
                left = std::max(left, chip.rect.right() + m_theme.px(gapPx));
        const QRectF rect(left, rowTop(run), metrics.horizontalAdvance(words) + m_theme.px(22),
                          m_chipHeight);
        m_width = std::max(m_width, rect.right());
        m_marks.push_back({RibbonMark::Kind::End, run, words, rect});
    }
}

void RibbonLayout::placeFlags(const CompareModel& model)
{
    std::map<int, QStringList> lettersAt; // by step; -1 for the prompt
    std::map<int, QString> wordsAt;
    for (int run = 0; run < model.count(); ++run) {
        const auto& parting = model.compared(run).parting;
        if (!parting)
            continue;
        const int at = parting->cause == engine::PartingCause::Context ? -1 : parting->step;
        lettersAt[at] << runLetter(run);
        wordsAt[at] = partingFlag(*parting);
    }
    const QFontMetricsF metrics(m_theme.uiFont(11, QFont::DemiBold));
    std::vector<double> bandEnds;
    for (const auto& [at, letters] : lettersAt) {
        RibbonFlag flag;
        flag.step = std::max(at, 0);
        flag.words = model.count() == 2
                         ? wordsAt[at]
                         : letters.join(QStringLiteral(", ")) + QStringLiteral(": ") + wordsAt[at];
        const auto column =
            static_cast<std::size_t>(std::max(0, at - model.comparison().sharedSteps));
        const double left =
            at < 0 || column >= m_columnLefts.size() ? m_sharedEnd : m_columnLefts[column];
        flag.x = std::max(0.0, left - m_theme.px(at < 0 || column == 0 ? partingGapPx / 2 : 2));
        const double width = metrics.horizontalAdvance(flag.words) + m_theme.px(14);
        const auto free = std::find_if(bandEnds.begin(), bandEnds.end(),
                                       [&flag](double end) { return end <= flag.x; });
        const auto band = static_cast<double>(free - bandEnds.begin());
        if (free == bandEnds.end())
            bandEnds.push_back(flag.x + width);
        else
            *free = flag.x + width;
        flag.rect =
            QRectF(flag.x, band * m_theme.px(flagBandPx), width, m_theme.px(flagBandPx - 3));
        m_width = std::max(m_width, flag.rect.right());
        m_flags.push_back(std::move(flag));
    }
    m_flagHeight = static_cast<double>(bandEnds.size()) * m_theme.px(flagBandPx);
    if (!bandEnds.empty())
        m_flagHeight += m_theme.px(3);
}

int RibbonLayout::chipAt(const QPointF& point) const
{
    for (std::size_t i = 0; i < m_chips.size(); ++i)
        if (m_chips[i].rect.contains(point))
            return static_cast<int>(i);
    return -1;
}

} // namespace ui
