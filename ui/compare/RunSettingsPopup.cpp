#include "ui/compare/RunSettingsPopup.h"

#include "ui/SamplingPanel.h"
#include "ui/compare/CompareModel.h"

#include <QLabel>
#include <QScreen>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

RunSettingsPopup::RunSettingsPopup(QWidget* parent)
    : QFrame(parent, Qt::Popup), m_theme(Theme::light()), m_title(new QLabel),
      m_panel(new SamplingPanel), m_area(new QScrollArea)
{
    setProperty("popup", true);
    setAttribute(Qt::WA_StyledBackground);
    m_title->setProperty("role", QStringLiteral("cardTitle"));
    m_area->setWidget(m_panel);
    m_area->setWidgetResizable(true);
    m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setFocusPolicy(Qt::NoFocus);
    m_area->viewport()->setAutoFillBackground(false);
    m_panel->setAutoFillBackground(false);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_title);
    column->addWidget(m_area, 1);
    connect(m_panel, &SamplingPanel::samplingChanged, this,
            [this](const engine::SamplingConfig& sampling) {
                Q_EMIT samplingChanged(m_run, sampling);
            });
    connect(m_panel, &SamplingPanel::maxNewTokensChanged, this,
            [this](int count) { Q_EMIT maxNewTokensChanged(m_run, count); });
}

void RunSettingsPopup::setTheme(const Theme& theme)
{
    m_theme = theme;
    layout()->setContentsMargins(theme.px(14), theme.px(10), theme.px(8), theme.px(10));
    layout()->setSpacing(theme.px(8));
    m_panel->setTheme(theme);
}

void RunSettingsPopup::open(int run, const engine::RunConfig& config, int vocabularySize,
                            const QPoint& below)
{
    m_run = run;
    m_title->setText(tr("Settings of run %1").arg(runLetter(run)));
    setAccessibleName(m_title->text());
    m_panel->setVocabularySize(vocabularySize);
    m_panel->setSampling(config.sampling);
    m_panel->setMaxNewTokens(config.maxNewTokens);
    m_panel->setAvailability(SamplingPanel::Availability::Editable);
    const QSize size(m_theme.px(272),
                     std::min(m_panel->sizeHint().height() + m_theme.px(64), m_theme.px(520)));
    resize(size);
    const QRect room = parentWidget()->window()->frameGeometry();
    move(std::clamp(below.x(), room.left(), std::max(room.left(), room.right() - size.width())),
         std::clamp(below.y(), room.top(), std::max(room.top(), room.bottom() - size.height())));
    show();
}

} // namespace ui
