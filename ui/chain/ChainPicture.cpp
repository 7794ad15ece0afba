#include "ui/chain/ChainPicture.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace ui {
namespace {

using engine::Candidate;
using engine::CandidateAtStage;
using engine::SamplingStage;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(ui::ChainPicture)
};

/// A candidate and what the stage saw of it.
struct Seen
{
    const Candidate* candidate;
    const CandidateAtStage* here;
    double after; ///< its probability behind the stage, among those left
};

std::vector<Seen> seenAt(const engine::Step& step, SamplingStage stage)
{
    std::vector<Seen> all;
    for (const Candidate& candidate : step.candidates) {
        const auto here = std::find_if(candidate.path.begin(), candidate.path.end(),
                                       [stage](const auto& seen) { return seen.stage == stage; });
        if (here == candidate.path.end())
            continue;
        const auto next = std::next(here);
        all.push_back(
            {&candidate, &*here,
             next != candidate.path.end() ? next->probability : candidate.finalProbability});
    }
    std::sort(all.begin(), all.end(),
              [](const Seen& a, const Seen& b) { return a.here->rank < b.here->rank; });
    return all;
}

const engine::StageTrace* traceOf(const engine::Step& step, SamplingStage stage)
{
    const auto found = std::find_if(step.stages.begin(), step.stages.end(),
                                    [stage](const auto& trace) { return trace.stage == stage; });
    return found == step.stages.end() ? nullptr : &*found;
}

QString quantityOf(SamplingStage stage)
{
    switch (stage) {
    case SamplingStage::UnnamedIds:
        return {};
    case SamplingStage::RepetitionPenalty:
        return Words::tr("probability; dots: altered");
    case SamplingStage::Temperature:
        return Words::tr("probability; outline: before");
    case SamplingStage::TopK:
        return Words::tr("probability by rank");
    case SamplingStage::TopP:
        return Words::tr("running mass by rank");
    case SamplingStage::MinP:
        return Words::tr("share of the largest");
    }
    return {};
}

/// Heights against the largest of them.
void scaleToLargest(StagePicture& picture)
{
    double largest = 0;
    for (const StagePicture::Bar& bar : picture.bars)
        largest = std::max({largest, bar.height, bar.before.value_or(0)});
    if (largest <= 0)
        return;
    for (StagePicture::Bar& bar : picture.bars) {
        bar.height /= largest;
        if (bar.before)
            *bar.before /= largest;
    }
}

} // namespace

StagePicture StagePicture::of(const engine::Step& step, SamplingStage stage)
{
    StagePicture picture;
    const engine::StageTrace* trace = traceOf(step, stage);
    if (!trace)
        return picture;
    picture.quantity = quantityOf(stage);
    for (const Seen& seen : seenAt(step, stage)) {
        Bar bar;
        bar.isKept = seen.candidate->removedBy != stage;
        switch (stage) {
        case SamplingStage::TopP:
            bar.height = std::min(seen.here->massBefore + seen.here->probability, 1.0);
            break;
        case SamplingStage::MinP:
            bar.height = trace->largestProbability > 0
                             ? std::min(seen.here->probability / trace->largestProbability, 1.0)
                             : 0;
            break;
        case SamplingStage::Temperature:
        case SamplingStage::RepetitionPenalty:
            bar.before = seen.here->probability;
            bar.height = seen.after;
            bar.isMarked = stage == SamplingStage::RepetitionPenalty &&
                           seen.here->scoreAfter != seen.here->scoreBefore;
            break;
        default:
            bar.height = seen.here->probability;
        }
        picture.bars.push_back(bar);
    }
    if (stage == SamplingStage::TopP || stage == SamplingStage::MinP) {
        picture.line = trace->value;
    } else {
        scaleToLargest(picture);
        if (stage == SamplingStage::TopK)
            picture.keptBefore = static_cast<int>(std::min<std::int64_t>(
                trace->after, static_cast<std::int64_t>(picture.bars.size())));
    }
    return picture;
}

ChainPicture::ChainPicture(QWidget* parent) : QWidget(parent), m_theme(Theme::light())
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void ChainPicture::setTheme(const Theme& theme)
{
    m_theme = theme;
    update();
}

void ChainPicture::setPicture(const StagePicture& picture)
{
    m_picture = picture;
    update();
}

QSize ChainPicture::minimumSizeHint() const
{
    return {m_theme.px(110), m_theme.px(34)};
}

void ChainPicture::paintEvent(QPaintEvent*)
{
    if (m_picture.bars.empty())
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF area = QRectF(rect()).adjusted(1, m_theme.px(4), -1, -1);
    const double slot = area.width() / static_cast<double>(m_picture.bars.size());
    const auto bar = [&](std::size_t i, double height) {
        const double tall = std::max(1.0, area.height() * height);
        return QRectF(area.left() + slot * static_cast<double>(i) + slot * 0.14,
                      area.bottom() - tall, slot * 0.72, tall);
    };
    for (std::size_t i = 0; i < m_picture.bars.size(); ++i) {
        const StagePicture::Bar& one = m_picture.bars[i];
        const QRectF rect = bar(i, one.height);
        if (one.isKept) {
            painter.fillRect(rect, m_theme.kept);
        } else {
            painter.setPen(QPen(m_theme.cutHatch, 1));
            painter.setBrush(QBrush(m_theme.cutHatch, Qt::BDiagPattern));
            painter.drawRect(rect);
        }
        painter.setBrush(Qt::NoBrush);
        if (one.before) {
            painter.setPen(QPen(m_theme.text, 1, Qt::DotLine));
            painter.drawRect(bar(i, *one.before));
        }
        if (one.isMarked) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(m_theme.text);
            painter.drawEllipse(QPointF(rect.center().x(), area.top()), 1.6, 1.6);
            painter.setBrush(Qt::NoBrush);
        }
    }
    painter.setPen(QPen(m_theme.text, m_theme.px(1.5), Qt::DashLine));
    if (m_picture.line) {
        const double y = area.bottom() - area.height() * std::clamp(*m_picture.line, 0.0, 1.0);
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    }
    if (m_picture.keptBefore) {
        const double x = area.left() + slot * *m_picture.keptBefore;
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    }
}

} // namespace ui
