#pragma once

#include "engine/api/Token.h"
#include "ui/ChipPainter.h"
#include "ui/Theme.h"
#include "ui/TokenStripLayout.h"

#include <QAbstractScrollArea>

#include <vector>

namespace ui {

class StepModel;

/// The growing context as chips, one a token, its id below. Prompt chips are grey; generated ones
/// are tinted by the probability they had, underlined where the pick was not the argmax, dotted and
/// pinned where the user forced them; the selected step's pick is outlined in orange and what comes
/// after it is faded. A mark after the last chip says why the run ended.
/// Thread: GUI.
class TokenStrip : public QAbstractScrollArea
{
    Q_OBJECT

public:
    explicit TokenStrip(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setModel(StepModel* steps);        ///< not owned
    void setEmptyText(const QString& text); ///< shown while there is no token

    int chipCount() const { return static_cast<int>(m_tokens.size()); }
    QRect chipRect(int chip) const;      ///< in viewport coordinates
    QString chipToolTip(int chip) const; ///< plain text
    QString endMarkText() const { return m_endMark; }
    QRect endMarkRect() const; ///< in viewport coordinates; empty without a mark
    const std::vector<JoinedTokens>& joins() const { return m_joins; }

    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void stepActivated(int step);
    void promptTokenActivated(int position); ///< a chip of the starting context, from 0

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    void reload(int fromStep);
    void measureChips(std::size_t from);
    void arrange();
    void showSelected();
    int rowTopAtOrBelow(double y) const;
    void selectInNeighbourRow(int direction);
    int stepOf(int chip) const; ///< -1 for the prompt's chips
    int currentChip() const;    ///< of the token looked at; -1 for none
    void activate(int chip);
    ChipStyle styleOf(int chip) const;
    void paintRow(QPainter& painter, const TokenStripLayout::Row& row) const;
    void paintChipAt(QPainter& painter, int chip) const;
    void paintJoin(QPainter& painter, const JoinedTokens& join,
                   const TokenStripLayout::Row& row) const;
    void paintPin(QPainter& painter, const QRectF& chip) const;
    void updateAccessibleText();

    Theme m_theme;
    StepModel* m_steps = nullptr;
    std::vector<engine::ContextToken> m_tokens;
    std::vector<double> m_widths; ///< natural, of each chip
    std::vector<JoinedTokens> m_joins;
    TokenStripLayout m_layout;
    QString m_endMark;
    QString m_emptyText;
};

} // namespace ui
