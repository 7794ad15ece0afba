#pragma once

class QDialog;
class QWidget;

namespace ui {

class WindowActions;

/// Every key of the window, read from its actions. Deletes itself when closed; does not block.
QDialog* showKeyboardHelp(const WindowActions& actions, QWidget* parent);
QDialog* showAbout(QWidget* parent);

} // namespace ui
