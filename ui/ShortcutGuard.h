#pragma once

class QKeyEvent;
class QWidget;

namespace ui {

/// Whether the focused widget needs this key for itself, so that the window's one-key shortcuts
/// must not take it: characters and cursor keys in a text field, arrows in a slider, up and down in
/// a list. Space is left to the window wherever nothing is typed, so that one press is one step.
bool keepsKey(const QWidget* focused, const QKeyEvent& key);

} // namespace ui
