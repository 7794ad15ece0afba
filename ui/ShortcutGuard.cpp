#include "ui/ShortcutGuard.h"

#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTextEdit>

namespace ui {
namespace {

bool isCursorKey(int key)
{
    switch (key) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Home:
    case Qt::Key_End:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
        return true;
    default:
        return false;
    }
}

bool isTypedInto(const QWidget* widget)
{
    if (const auto* line = qobject_cast<const QLineEdit*>(widget))
        return !line->isReadOnly();
    if (const auto* text = qobject_cast<const QPlainTextEdit*>(widget))
        return !text->isReadOnly();
    if (const auto* text = qobject_cast<const QTextEdit*>(widget))
        return !text->isReadOnly();
    const auto* spin = qobject_cast<const QAbstractSpinBox*>(widget);
    return spin && !spin->isReadOnly();
}

} // namespace

bool keepsKey(const QWidget* focused, const QKeyEvent& key)
{
    if (!focused || key.modifiers().testFlag(Qt::ControlModifier) ||
        key.modifiers().testFlag(Qt::AltModifier) || key.modifiers().testFlag(Qt::MetaModifier))
        return false;
    if (isTypedInto(focused)) {
        const QString text = key.text();
        const bool typesSomething = !text.isEmpty() && text.front().isPrint();
        return typesSomething || isCursorKey(key.key()) || key.key() == Qt::Key_Backspace ||
               key.key() == Qt::Key_Delete;
    }
    if (qobject_cast<const QAbstractSlider*>(focused))
        return isCursorKey(key.key());
    // Lists and tables here are chosen from by row: left and right stay free for back and step.
    return qobject_cast<const QAbstractItemView*>(focused) && isCursorKey(key.key()) &&
           key.key() != Qt::Key_Left && key.key() != Qt::Key_Right;
}

} // namespace ui
