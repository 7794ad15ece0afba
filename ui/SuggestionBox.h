#pragma once

#include "engine/api/ModelNotes.h"

#include <QFrame>

class QLabel;
class QPushButton;

namespace ui {

/// "Model suggests: sample, temperature 0.60, top-p 0.95 (generation_config.json)" and a button
/// that puts these settings in force. Hidden where the model suggests nothing.
class SuggestionBox : public QFrame
{
    Q_OBJECT

public:
    explicit SuggestionBox(QWidget* parent = nullptr);

    /// `current` are the settings in force; whether all that is suggested is among them is said.
    void show(const engine::SamplingDefaults& suggested, const engine::SamplingConfig& current,
              bool editable);
    QString text() const;
    QPushButton* useButton() const { return m_use; }

Q_SIGNALS:
    void useRequested();

private:
    QLabel* m_text;
    QPushButton* m_use;
};

/// "sample, temperature 0.60, top-k 20"
QString suggestionText(const engine::SamplingDefaults& suggested);

} // namespace ui
