#pragma once

#include "engine/api/ModelNotes.h"
#include "engine/api/RunConfig.h"
#include "engine/api/Step.h"
#include "ui/SettingOrigins.h"
#include "ui/Theme.h"

#include <QWidget>

#include <optional>

class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace ui {

class SettingSlider;
class SuggestionBox;

/// Edits a SamplingConfig and the length limit. The config that was set is kept as it is, and only
/// what the user changes in it is changed, so that a value finer than a field can show survives.
/// Signals are for changes by the user alone. Thread: GUI.
class SamplingPanel : public QWidget
{
    Q_OBJECT

public:
    /// Why the settings can or cannot be changed.
    enum class Availability
    {
        Editable,
        Recorded, ///< of a trace without its model
    };

    explicit SamplingPanel(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setSampling(const engine::SamplingConfig& sampling);
    void setMaxNewTokens(int count);
    void setVocabularySize(int size); ///< the end of the top-k slider
    void setAvailability(Availability availability);
    /// What the open model's own file suggests; offered, not applied.
    void setSuggestion(const engine::SamplingDefaults& suggested);
    /// The step in view, which tells what each setting does there; null: none.
    void showStep(const engine::Step* step);
    /// By the user, wherever in the window.
    void change(const engine::SamplingConfig& changed);
    bool isEditable() const { return m_availability == Availability::Editable; }
    void toggleRule(); ///< greedy to sample and back, as the user

    const engine::SamplingConfig& sampling() const { return m_sampling; }

    SuggestionBox* suggestion() const { return m_suggestion; }
    QPushButton* greedyButton() const { return m_greedy; }
    QPushButton* sampleButton() const { return m_sample; }
    SettingSlider* temperature() const { return m_temperature; }
    SettingSlider* topK() const { return m_topK; }
    SettingSlider* topP() const { return m_topP; }
    SettingSlider* minP() const { return m_minP; }
    SettingSlider* repetitionPenalty() const { return m_penalty; }
    QLineEdit* seedEdit() const { return m_seed; }
    QToolButton* newSeedButton() const { return m_newSeed; }
    QSpinBox* lengthLimit() const { return m_length; }
    QToolButton* moreButton() const { return m_more; }
    QListWidget* chainOrder() const { return m_order; }
    QToolButton* moveUpButton() const { return m_moveUp; }
    QToolButton* moveDownButton() const { return m_moveDown; }
    QString seedNote() const;
    QString lengthNote() const;
    QString reason() const; ///< why controls are disabled, as shown; empty when none is

Q_SIGNALS:
    void samplingChanged(const engine::SamplingConfig& sampling);
    void maxNewTokensChanged(int count);

private:
    QWidget* makeRuleButtons();
    QWidget* makeSeedRow();
    QWidget* makeLengthRow();
    QWidget* makeMore();
    void connectControls();
    void setRule(engine::DecodingRule rule);
    void useSuggestion();
    void refreshNotes();
    QString note(Setting setting, const QString& effect) const;
    void seedEdited(const QString& text);
    void drawNewSeed();
    void moveStage(int by);
    void showOrder();
    void refresh();

    engine::SamplingConfig m_sampling;
    engine::SamplingDefaults m_suggested;
    SettingOrigins m_origins;
    std::optional<engine::Step> m_step;
    Availability m_availability = Availability::Editable;
    Theme m_theme;
    SuggestionBox* m_suggestion = nullptr;
    QPushButton* m_greedy = nullptr;
    QPushButton* m_sample = nullptr;
    QLabel* m_reason = nullptr;
    SettingSlider* m_temperature = nullptr;
    SettingSlider* m_topK = nullptr;
    SettingSlider* m_topP = nullptr;
    SettingSlider* m_minP = nullptr;
    SettingSlider* m_penalty = nullptr;
    QLabel* m_seedNote = nullptr;
    QLabel* m_lengthNote = nullptr;
    QWidget* m_seedRow = nullptr;
    QLineEdit* m_seed = nullptr;
    QToolButton* m_newSeed = nullptr;
    QWidget* m_lengthRow = nullptr;
    QSpinBox* m_length = nullptr;
    QToolButton* m_more = nullptr;
    QWidget* m_morePart = nullptr;
    QLabel* m_orderLabel = nullptr;
    QListWidget* m_order = nullptr;
    QToolButton* m_moveUp = nullptr;
    QToolButton* m_moveDown = nullptr;
};

} // namespace ui
