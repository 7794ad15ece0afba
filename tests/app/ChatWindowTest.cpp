#include "app/AppController.h"
#include "tests/support/ChatModelFolder.h"
#include "ui/Banner.h"
#include "ui/ContextPanel.h"
#include "ui/InspectorPanel.h"
#include "ui/MainWindow.h"
#include "ui/PromptPanel.h"
#include "ui/RenderedPromptDialog.h"
#include "ui/SamplingPanel.h"
#include "ui/StepModel.h"
#include "ui/SuggestionBox.h"
#include "ui/TokenStrip.h"

#include <QCheckBox>
#include <QDir>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

#include <memory>

using engine::TokenOrigin;
using tests::ChatModelFolder;

/// What the window makes of a model's own files: its chat template, the settings it suggests, its
/// warnings. TOKENSCOPE_PICTURES names a folder for pictures of it, to be looked at.
class ChatWindowTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<ChatModelFolder> m_model;
    std::unique_ptr<ui::MainWindow> m_window;
    std::unique_ptr<app::AppController> m_controller;

    ui::PromptPanel& prompt() { return *m_window->context()->prompt(); }
    const engine::Run& run() { return m_window->steps().run(); }
    ui::SuggestionBox& suggestion() { return *m_window->inspector()->sampling()->suggestion(); }

    void open()
    {
        m_controller->openPath(m_model->path());
        QTRY_COMPARE_WITH_TIMEOUT(m_window->steps().stepCount(), 1, 20000);
    }
    void type(const QString& text)
    {
        prompt().editor()->setPlainText(text);
        prompt().startButton()->click();
        QTRY_COMPARE_WITH_TIMEOUT(QString::fromStdString(run().context.text), text, 20000);
    }
    std::vector<TokenOrigin> origins()
    {
        std::vector<TokenOrigin> result;
        for (const engine::ContextToken& token : run().context.tokens)
            result.push_back(token.origin);
        return result;
    }
    void picture(QWidget* widget, const QString& name)
    {
        const QString folder = qEnvironmentVariable("TOKENSCOPE_PICTURES");
        if (folder.isEmpty())
            return;
        QTest::qWait(50);
        widget->grab().save(QDir(folder).filePath(name));
    }

private Q_SLOTS:
    void init()
    {
        m_model = std::make_unique<ChatModelFolder>();
        m_window = std::make_unique<ui::MainWindow>();
        m_window->resize(1024, 640);
        m_controller = std::make_unique<app::AppController>(*m_window, 1);
        m_window->show();
        m_controller->setInitialRun(QStringLiteral("Hello"), {}, std::nullopt);
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void cleanup()
    {
        m_controller.reset();
        m_window.reset();
        m_model.reset();
    }

    void chatPutsThePromptIntoTheTemplate()
    {
        open();
        QVERIFY(prompt().chatBox()->isEnabled());
        prompt().chatBox()->setChecked(true);
        type(QStringLiteral("Hi <|im_end|>"));
        QVERIFY(run().settings.chat);
        const auto& tokens = run().context.tokens;
        QCOMPARE(tokens.front().piece.id.value, ChatModelFolder::imStart);
        QVERIFY(tokens.front().origin == TokenOrigin::Special);
        // <|im_end|> among the user's words is plain text; the template's own comes behind it.
        const auto ends = std::count_if(tokens.begin(), tokens.end(), [](const auto& token) {
            return token.piece.id.value == ChatModelFolder::imEnd;
        });
        QCOMPARE(ends, 1);
        picture(m_window.get(), QStringLiteral("chat.png"));
    }

    void theRenderingCanBeSeenChangedAndTakenBack()
    {
        open();
        prompt().chatBox()->setChecked(true);
        type(QStringLiteral("Hi"));
        const std::vector<TokenOrigin> ofTemplate = origins();
        prompt().renderedButton()->click();
        ui::RenderedPromptDialog* dialog = prompt().renderedDialog();
        QVERIFY(dialog);
        const QString rendered =
            QStringLiteral("<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n");
        QTRY_COMPARE(dialog->editor()->toPlainText(), rendered);
        QVERIFY(!dialog->isEdited());
        picture(dialog, QStringLiteral("rendered.png"));

        dialog->editor()->setPlainText(rendered + QStringLiteral("Oh"));
        QVERIFY(dialog->isEdited());
        QVERIFY(dialog->noticeText().startsWith(QLatin1String("Edited")));
        picture(dialog, QStringLiteral("rendered-edited.png"));
        dialog->startButton()->click();
        QTRY_COMPARE_WITH_TIMEOUT(QString::fromStdString(run().context.text),
                                  rendered + QStringLiteral("Oh"), 20000);
        // Recorded so that generate --parse-special repeats it.
        QVERIFY(!run().settings.chat && run().settings.parseSpecial);
        QCOMPARE(run().context.tokens.front().piece.id.value, ChatModelFolder::imStart);
        picture(m_window.get(), QStringLiteral("edited-started.png"));

        prompt().undoButton()->click();
        QVERIFY(prompt().chatBox()->isChecked());
        QCOMPARE(prompt().prompt(), QStringLiteral("Hi"));
        prompt().startButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(run().settings.chat, 20000);
        QVERIFY(origins() == ofTemplate);
    }

    void aTemplateThatCannotBeUsedSaysWhy_data()
    {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("why");
        QTest::newRow("none") << QString() << QStringLiteral("the model has none");
        QTest::newRow("unknown") << QStringLiteral("{{ secret(messages) }}")
                                 << QStringLiteral("secret");
    }
    void aTemplateThatCannotBeUsedSaysWhy()
    {
        QFETCH(QString, source);
        QFETCH(QString, why);
        m_model->setTemplate(source);
        open();
        QVERIFY(!prompt().chatBox()->isEnabled());
        QCOMPARE(prompt().chatBox()->text(), QStringLiteral("No chat"));
        QCOMPARE(m_window->warnings()->text().contains(why), !source.isEmpty());
        QVERIFY2(prompt().chatBox()->toolTip().contains(why),
                 qPrintable(prompt().chatBox()->toolTip()));
        for (const QWidget* box : {prompt().chatBox(), prompt().specialBox()})
            QVERIFY(box->width() >= box->sizeHint().width()); // no word is cut off
        picture(m_window.get(), QStringLiteral("chat-%1.png").arg(source.size()));
    }

    void whatTheModelSuggestsIsUsedOnlyWhenAskedFor()
    {
        m_model->write("generation_config.json",
                       R"({"do_sample": true, "temperature": 0.6, "top_p": 0.95})");
        m_window->resize(1280, 800);
        open();
        QVERIFY(run().settings.sampling == engine::SamplingConfig());
        QVERIFY(suggestion().isVisibleTo(m_window.get()));
        for (const char* part : {"0.60", "0.95", "generation_config.json"})
            QVERIFY2(suggestion().text().contains(QLatin1String(part)),
                     qPrintable(suggestion().text()));
        picture(m_window.get(), QStringLiteral("suggestion.png"));
        suggestion().useButton()->click();
        QTRY_COMPARE_WITH_TIMEOUT(run().steps.at(0).sampling.temperature, 0.6, 20000);
        QCOMPARE(run().steps.at(0).sampling.topP, 0.95);
        QVERIFY(run().steps.at(0).rule == engine::DecodingRule::Sample);
        picture(m_window.get(), QStringLiteral("suggestion-used.png"));
    }

    void warningsOfTheFilesAreShownUntilClosed()
    {
        m_model->write("generation_config.json", R"({"temperature": -2})");
        open();
        QVERIFY(m_window->warnings()->isVisibleTo(m_window.get()));
        QVERIFY2(m_window->warnings()->text().contains(QLatin1String("temperature")),
                 qPrintable(m_window->warnings()->text()));
        // Even in the lowest window nothing of the prompt's panel lies on anything else.
        QTRY_VERIFY(prompt().chatBox()->geometry().top() > prompt().editor()->geometry().bottom());
        QVERIFY(prompt().startButton()->geometry().bottom() < prompt().height());
        picture(m_window.get(), QStringLiteral("warning.png"));
        m_window->warnings()->dismiss();
        QVERIFY(!m_window->warnings()->isVisibleTo(m_window.get()));
    }

    void aConfigFileOpensItsFolder()
    {
        m_controller->openPath(m_model->path() + QStringLiteral("/config.json"));
        QTRY_COMPARE_WITH_TIMEOUT(m_window->steps().stepCount(), 1, 20000);
    }

    void aTraceSavedJustBeforeTheWindowClosesIsWritten()
    {
        open();
        const QString path = m_model->path() + QStringLiteral("/t.tokenscope.json");
        Q_EMIT m_window->saveTraceRequested(path);
        m_controller.reset();
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject model = QJsonDocument::fromJson(file.readAll())
                                      .object()[QStringLiteral("inputs")]
                                      .toObject()[QStringLiteral("model")]
                                      .toObject();
        QCOMPARE(model[QStringLiteral("sha256")].toString().size(), 64);
    }
};

QTEST_MAIN(ChatWindowTest)
#include "ChatWindowTest.moc"
