#include "ui/StyleProperty.h"

#include <QStyle>
#include <QVariant>
#include <QWidget>

namespace ui {

void setStyleProperty(QWidget* widget, const char* name, const QVariant& value)
{
    if (widget->property(name) == value)
        return;
    widget->setProperty(name, value);
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
    widget->updateGeometry();
}

} // namespace ui
