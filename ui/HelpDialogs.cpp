#include "ui/HelpDialogs.h"

#include <QAction>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QStringList>
#include <QVBoxLayout>

#include <utility>
#include <vector>

namespace ui {
namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("HelpDialogs", text);
}

QDialog* makeDialog(const QString& title, QWidget* content, QWidget* parent)
{
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setProperty("surface", QStringLiteral("window"));
    dialog->setWindowTitle(title);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    auto* column = new QVBoxLayout(dialog);
    column->setContentsMargins(20, 16, 20, 16);
    column->setSpacing(16);
    column->addWidget(content);
    column->addWidget(buttons);
    return dialog;
}

QString keysOf(const QAction* action)
{
    QStringList keys;
    for (const QKeySequence& key : action->shortcuts())
        keys << key.toString(QKeySequence::NativeText);
    return keys.join(tr(" or "));
}

QLabel* makeLabel(const QString& text, const QString& role)
{
    auto* label = new QLabel(text);
    label->setTextFormat(Qt::PlainText);
    label->setProperty("role", role);
    return label;
}

/// The keys under one heading: what each does, and the key.
struct KeyGroup
{
    QString heading;
    std::vector<std::pair<QString, QString>> rows;
};

KeyGroup keysOf(const QMenu& menu, const QString& title)
{
    KeyGroup group{QString(title).remove(QLatin1Char('&')).toUpper(), {}};
    for (const QAction* action : menu.actions())
        if (!action->shortcuts().isEmpty())
            group.rows.emplace_back(action->text().remove(QLatin1Char('&')), keysOf(action));
    return group;
}

void addGroup(QGridLayout& grid, int& row, const KeyGroup& group)
{
    if (group.rows.empty())
        return;
    if (row > 0)
        grid.setRowMinimumHeight(row++, 8);
    grid.addWidget(makeLabel(group.heading, QStringLiteral("caption")), row++, 0, 1, 2);
    for (const auto& [what, keys] : group.rows) {
        grid.addWidget(makeLabel(what, QStringLiteral("label")), row, 0);
        grid.addWidget(makeLabel(keys, QStringLiteral("value")), row++, 1);
    }
}

} // namespace

QDialog* showKeyboardHelp(const QMenuBar& menus, QWidget* parent)
{
    std::vector<KeyGroup> groups;
    for (const QAction* menu : menus.actions())
        if (menu->menu() != nullptr)
            groups.push_back(keysOf(*menu->menu(), menu->text()));
    groups.push_back({tr("ELSEWHERE"),
                      {{tr("Start with the prompt, in the editor"), QStringLiteral("Ctrl+Enter")},
                       {tr("Press the button that has the focus"), QStringLiteral("Enter")}}});
    std::size_t all = 0;
    for (const KeyGroup& group : groups)
        all += group.rows.size() + 1;

    auto* content = new QWidget;
    auto* columns = new QHBoxLayout(content);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(40);
    // Two columns of about the same height: one would not fit a small screen.
    std::size_t placed = 0;
    for (auto group = groups.begin(); group != groups.end();) {
        auto* grid = new QGridLayout;
        grid->setHorizontalSpacing(24);
        grid->setVerticalSpacing(4);
        int row = 0;
        const std::size_t until = placed == 0 ? (all + 1) / 2 : all;
        for (; group != groups.end() && placed < until; ++group) {
            placed += group->rows.size() + 1;
            addGroup(*grid, row, *group);
        }
        grid->setRowStretch(row, 1);
        columns->addLayout(grid);
    }
    QDialog* dialog = makeDialog(tr("Keyboard"), content, parent);
    dialog->show();
    return dialog;
}

QDialog* showAbout(QWidget* parent)
{
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    const QString version = QCoreApplication::applicationVersion();
    column->addWidget(
        makeLabel(version.isEmpty() ? tr("Tokenscope") : tr("Tokenscope %1").arg(version),
                  QStringLiteral("headline")));
    QLabel* text = makeLabel(tr("Steps a language model through its text one token at a time and "
                                "shows every value on the way. It runs on this machine; nothing "
                                "leaves it.\n\nFree software under the GNU General Public "
                                "License, version 3."),
                             QStringLiteral("secondary"));
    text->setWordWrap(true);
    text->setMinimumWidth(340);
    column->addWidget(text);
    QDialog* dialog = makeDialog(tr("About Tokenscope"), content, parent);
    dialog->show();
    return dialog;
}

} // namespace ui
