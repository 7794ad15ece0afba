#pragma once

class QDialog;
class QMenuBar;
class QWidget;

namespace ui {

/// Every key of the window, read from its menus. Deletes itself when closed; does not block.
QDialog* showKeyboardHelp(const QMenuBar& menus, QWidget* parent);
QDialog* showAbout(QWidget* parent);

} // namespace ui
