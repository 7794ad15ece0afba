#include "app/TokenLook.h"

#include "app/GenerationWorker.h"
#include "engine/generation/LanguageModel.h"
#include "engine/tokenizer/Tokenizer.h"
#include "ui/Board.h"
#include "ui/MainWindow.h"
#include "ui/StepModel.h"
#include "ui/explore/TokensPage.h"

namespace app {

struct TokenLook::Vocabulary
{
    std::vector<engine::TokenPiece> pieces;
};

TokenLook::TokenLook(ui::MainWindow& window, GenerationWorker& worker, QObject* parent)
    : QObject(parent), m_page(*window.board()->tokens())
{
    using ui::TokensPage;
    connect(&m_page, &TokensPage::lookUpRequested, &worker, &GenerationWorker::lookUp);
    connect(&m_page, &TokensPage::pinsChanged, &worker, &GenerationWorker::watch);
    connect(&m_page, &TokensPage::stepActivated, &window, [&window](int step) {
        window.steps().select(step);
        Q_EMIT window.stepSelected(step);
    });
    connect(&worker, &GenerationWorker::lookedUp, &m_page, &TokensPage::showLookUp);
}

void TokenLook::setModel(const std::shared_ptr<const engine::LanguageModel>& model)
{
    auto vocabulary = std::make_shared<Vocabulary>();
    const int size = model->info().vocabularySize;
    vocabulary->pieces.reserve(static_cast<std::size_t>(size));
    for (std::int32_t id = 0; id < size; ++id)
        vocabulary->pieces.push_back(model->tokenizer().piece(engine::TokenId{id}));
    m_vocabulary = std::move(vocabulary);
    setRecorded(false);
}

void TokenLook::setRecorded(bool recorded)
{
    if (recorded || !m_vocabulary)
        m_page.setVocabulary(nullptr);
    else
        m_page.setVocabulary({m_vocabulary, &m_vocabulary->pieces});
}

} // namespace app
