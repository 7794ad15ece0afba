#pragma once

#include <QObject>

namespace ui {
class MainWindow;
}

namespace app {

class GenerationWorker;

/// Shows what the model expected in the places of the prompt's own tokens: for a click on a chip,
/// and for Step and Back while one is looked at. Thread: GUI.
class PromptLook : public QObject
{
    Q_OBJECT

public:
    /// Both must outlive this.
    PromptLook(ui::MainWindow& window, GenerationWorker& worker, QObject* parent = nullptr);

    /// To the token `by` places on, or past the last back to the run. False where no token of the
    /// prompt is looked at.
    bool move(int by);

private:
    void show(int position);

    ui::MainWindow& m_window;
    GenerationWorker& m_worker;
};

} // namespace app
