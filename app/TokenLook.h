#pragma once

#include <QObject>

#include <memory>

namespace engine {
class LanguageModel;
}
namespace ui {
class MainWindow;
class TokensPage;
} // namespace ui

namespace app {

class GenerationWorker;

/// Joins the page "Tokens" to the worker: the vocabulary of the open model, what a step made of any
/// token, and the tokens that are followed over the steps. Thread: GUI.
class TokenLook : public QObject
{
    Q_OBJECT

public:
    /// Both must outlive this.
    TokenLook(ui::MainWindow& window, GenerationWorker& worker, QObject* parent = nullptr);

    void setModel(const std::shared_ptr<const engine::LanguageModel>& model);
    /// A trace is shown, whose steps are all there is, or a run of the open model again.
    void setRecorded(bool recorded);

private:
    struct Vocabulary;

    ui::TokensPage& m_page;
    std::shared_ptr<const Vocabulary> m_vocabulary; ///< of the open model
};

} // namespace app
