#pragma once

#include <QWidget>

class QAction;
class QLabel;

namespace ui {

/// What is on screen before any model is open: what to do next.
class WelcomePage : public QWidget
{
    Q_OBJECT

public:
    WelcomePage(QAction* openModel, QAction* openTrace, QWidget* parent = nullptr);

    void showLoading(const QString& name); ///< empty: nothing is being loaded
    QString headline() const;

private:
    QLabel* m_headline;
    QLabel* m_text;
};

} // namespace ui
