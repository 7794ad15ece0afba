#pragma once

namespace ui {
class Board;
}

namespace app {

/// Joins the pages that account for a step to the engine's random numbers. Thread: GUI.
void connectWhyPages(ui::Board& board);

} // namespace app
