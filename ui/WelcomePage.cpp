#include "ui/WelcomePage.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace ui {

WelcomePage::WelcomePage(QAction* openModel, QAction* openTrace, QWidget* parent)
    : QWidget(parent), m_headline(new QLabel), m_text(new QLabel)
{
    m_headline->setProperty("role", QStringLiteral("headline"));
    m_headline->setTextFormat(Qt::PlainText);
    m_headline->setAlignment(Qt::AlignCenter);
    m_text->setProperty("role", QStringLiteral("secondary"));
    m_text->setAlignment(Qt::AlignCenter);
    m_text->setWordWrap(true);

    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addStretch(1);
    for (QAction* action : {openModel, openTrace}) {
        auto* button = new QPushButton(action->iconText());
        button->setAccessibleName(action->toolTip());
        button->setToolTip(action->toolTip());
        button->setProperty("primary", action == openModel);
        connect(button, &QPushButton::clicked, action, &QAction::trigger);
        buttons->addWidget(button);
    }
    buttons->addStretch(1);

    auto* column = new QVBoxLayout(this);
    column->setSpacing(12);
    column->addStretch(2);
    column->addWidget(m_headline);
    column->addWidget(m_text);
    column->addLayout(buttons);
    column->addStretch(3);
    showLoading({});
}

void WelcomePage::showLoading(const QString& name)
{
    m_headline->setText(name.isEmpty() ? tr("No model is open") : tr("Loading %1…").arg(name));
    m_text->setText(name.isEmpty()
                        ? tr("Open a GGUF file or a Hugging Face folder, or drop one on this "
                             "window. A trace shows a recorded run without its model.")
                        : tr("The window can be used as soon as the model is there."));
}

QString WelcomePage::headline() const
{
    return m_headline->text();
}

} // namespace ui
