#include "app/WhyPages.h"

#include "engine/decoding/Philox.h"
#include "ui/Board.h"
#include "ui/why/DrawPage.h"

#include <vector>

namespace app {

void connectWhyPages(ui::Board& board)
{
    ui::DrawPage* page = board.draw();
    // The numbers that "Draw again" would take one after the other.
    QObject::connect(page, &ui::DrawPage::drawsRequested, page,
                     [page](std::uint64_t seed, int step, int count) {
                         std::vector<double> uniforms;
                         for (int attempt = 1; attempt <= count; ++attempt)
                             uniforms.push_back(engine::uniform(seed, step, attempt));
                         page->showDraws(uniforms);
                     });
}

} // namespace app
