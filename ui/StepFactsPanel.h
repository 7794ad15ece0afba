#pragma once

#include "ui/Theme.h"

#include <QWidget>

#include <array>

class QLabel;

namespace engine {
struct Step;
}

namespace ui {

/// The figures of one step: entropy, perplexity, surprise, rank, draw, kept tokens, time,
/// and what the mask of unnamed ids took out where there is one. Each explains itself in one
/// sentence under the pointer. Thread: GUI.
class StepFactsPanel : public QWidget
{
    Q_OBJECT

public:
    enum Fact
    {
        Entropy,
        Perplexity,
        Surprise,
        PickedRank,
        RandomDraw,
        UnnamedIds, ///< shown only where the mask took ids out
        KeptTokens,
        ForwardTime,
        FactCount,
    };

    explicit StepFactsPanel(QWidget* parent = nullptr);

    /// Null shows dashes.
    void setStep(const engine::Step* step, int vocabularySize);
    QString text(Fact fact) const;
    QString explanation(Fact fact) const;

private:
    std::array<QLabel*, FactCount> m_values{};
    QLabel* m_unnamedLabel = nullptr;
};

} // namespace ui
