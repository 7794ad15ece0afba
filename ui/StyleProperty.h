#pragma once

class QVariant;
class QWidget;

namespace ui {

/// Sets a property that the style sheet looks at and applies the sheet anew where it changed.
void setStyleProperty(QWidget* widget, const char* name, const QVariant& value);

} // namespace ui
