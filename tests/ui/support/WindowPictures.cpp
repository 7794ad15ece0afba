// Writes pictures of the window with a sample run, to be looked at: WindowPictures FOLDER
#include "tests/ui/support/SampleRun.h"
#include "ui/Banner.h"
#include "ui/ContextPanel.h"
#include "ui/InspectorPanel.h"
#include "ui/MainWindow.h"
#include "ui/PromptPanel.h"
#include "ui/SamplingPanel.h"

#include <QApplication>
#include <QDir>
#include <QToolButton>

namespace {

class Pictures
{
public:
    explicit Pictures(const QString& folder) : m_folder(folder) { QDir().mkpath(folder); }

    void take(ui::MainWindow& window, const QString& name, const QSize& size) const
    {
        window.resize(size);
        window.show();
        for (int i = 0; i < 3; ++i)
            QApplication::processEvents();
        window.grab().save(m_folder.filePath(name + QStringLiteral(".png")));
    }

private:
    QDir m_folder;
};

void showRun(ui::MainWindow& window, const engine::Run& run)
{
    engine::ModelInfo model = run.model;
    model.path = "/models/pocket-stories.gguf";
    window.setModelInfo(model, run.tokenizer);
    window.setSampling(run.settings.sampling);
    window.setCanStep(!run.stop);
    window.steps().setRun(run);
}

void takeThemes(const Pictures& pictures, const ui::Theme& theme, const QString& name)
{
    ui::MainWindow window;
    window.setTheme(theme);
    pictures.take(window, name + QStringLiteral("-welcome"), {1280, 800});
    showRun(window, support::sampleRun());
    window.steps().select(17);
    pictures.take(window, name + QStringLiteral("-1280"), {1280, 800});
    pictures.take(window, name + QStringLiteral("-1920"), {1920, 1080});
    pictures.take(window, name + QStringLiteral("-1024"), {1024, 700});

    window.steps().select(23);
    window.inspector()->sampling()->moreButton()->setChecked(true);
    window.showError(QStringLiteral("broken.gguf: tensor blk.0.attn_q.weight: expected shape "
                                    "[2048, 2048], found [2048, 1024]"));
    pictures.take(window, name + QStringLiteral("-error-more"), {1280, 800});
    window.clearError();

    showRun(window, support::greedyRun(7));
    window.setPrompt({QStringLiteral("Once upon a time, there was a dragon")});
    window.showLoading(QStringLiteral("pocket-stories-q8.gguf"));
    pictures.take(window, name + QStringLiteral("-greedy-loading"), {1280, 800});
    window.showLoading({});

    showRun(window, support::promptOnlyRun());
    pictures.take(window, name + QStringLiteral("-prompt"), {1280, 800});
    engine::Run forced = support::sampleRun(12);
    forced.steps[6] = support::forcedStep(forced.steps[6], forced.steps[6].candidates[7].piece.id);
    showRun(window, forced);
    window.setTraceMode(true);
    pictures.take(window, name + QStringLiteral("-trace"), {1280, 800});
    window.setTraceMode(false);
    ui::Theme large = theme;
    large.scale = 1.4;
    window.setTheme(large);
    pictures.take(window, name + QStringLiteral("-large"), {1920, 1080});
}

} // namespace

int main(int argc, char** argv)
{
    QApplication app(argc, argv);
    const QStringList arguments = QApplication::arguments();
    const Pictures pictures(arguments.value(1, QStringLiteral(".")));
    takeThemes(pictures, ui::Theme::light(), QStringLiteral("light"));
    takeThemes(pictures, ui::Theme::dark(), QStringLiteral("dark"));
    return 0;
}
