#include "ui/HelpDialogs.h"

#include "ui/WindowActions.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
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

} // namespace

QDialog* showKeyboardHelp(const WindowActions& actions, QWidget* parent)
{
    const std::vector<std::pair<QString, std::vector<const QAction*>>> groups = {
        {tr("RUN"),
         {actions.step, actions.back, actions.play, actions.toEnd, actions.reset, actions.stop,
          actions.toggleRule}},
        {tr("FILES"),
         {actions.openModel, actions.openFolder, actions.openTrace, actions.saveTrace,
          actions.modelInfo, actions.quit}},
        {tr("VIEW"),
         {actions.toggleTheme, actions.candidateTable, actions.inspector, actions.largerText,
          actions.smallerText, actions.normalText, actions.keyboardHelp}},
    };
    auto* content = new QWidget;
    auto* grid = new QGridLayout(content);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(24);
    grid->setVerticalSpacing(6);
    int row = 0;
    const auto addRow = [&](const QString& what, const QString& keys) {
        grid->addWidget(makeLabel(what, QStringLiteral("label")), row, 0);
        grid->addWidget(makeLabel(keys, QStringLiteral("value")), row++, 1);
    };
    for (const auto& [heading, members] : groups) {
        if (row > 0)
            grid->setRowMinimumHeight(row++, 8);
        grid->addWidget(makeLabel(heading, QStringLiteral("caption")), row++, 0, 1, 2);
        for (const QAction* action : members)
            addRow(action->text().remove(QLatin1Char('&')), keysOf(action));
    }
    addRow(tr("Start with the prompt, in the editor"), QStringLiteral("Ctrl+Enter"));
    addRow(tr("Press the button that has the focus"), QStringLiteral("Enter"));
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
