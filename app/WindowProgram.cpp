#include "app/WindowProgram.h"

#include "app/AppController.h"
#include "app/Resources.h"
#include "app/Threads.h"
#include "app/commands/Command.h"
#include "ui/MainWindow.h"
#include "ui/Theme.h"

#include <QApplication>
#include <QGuiApplication>
#include <QIcon>
#include <QPixmap>
#include <QSettings>
#include <QStyleHints>
#include <QTimer>

#include <cstdlib>
#include <iostream>

namespace app {

namespace {

/// Qt aborts the process where it finds no display; better one sentence and an exit status.
bool hasDisplay()
{
    const auto isSet = [](const char* name) {
        const char* value = std::getenv(name);
        return value != nullptr && *value != '\0';
    };
    return isSet("QT_QPA_PLATFORM") || isSet("DISPLAY") || isSet("WAYLAND_DISPLAY");
}

bool wantsDark(const WindowOptions& options, const QSettings& settings)
{
    if (!options.theme.empty())
        return options.theme == "dark";
    const QString last = settings.value(QStringLiteral("theme")).toString();
    if (!last.isEmpty())
        return last == QLatin1String("dark");
    // Qt 6.4 does not tell the desktop's preference; its palette does.
    const QPalette palette = QGuiApplication::palette();
    return palette.color(QPalette::WindowText).lightness() >
           palette.color(QPalette::Window).lightness();
}

void restoreGeometry(ui::MainWindow& window, const WindowOptions& options,
                     const QSettings& settings)
{
    window.resize(1280, 800);
    if (options.width > 0)
        window.resize(options.width, options.height);
    else if (options.screenshot.empty())
        window.restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
}

/// Makes the steps asked for, then saves the picture and leaves.
void scheduleSteps(AppController& controller, ui::MainWindow& window, const WindowOptions& options)
{
    const auto stage = std::make_shared<int>(0);
    QObject::connect(&controller, &AppController::settled, &window, [=, &controller, &window] {
        if (*stage == 0 && options.steps > 0) {
            *stage = 1;
            controller.makeSteps(options.steps);
            return;
        }
        if (*stage == 2 || options.screenshot.empty())
            return;
        *stage = 2;
        // One turn of the event loop lets the last values be laid out.
        QTimer::singleShot(50, &window, [&window, options] {
            const bool saved = window.grab().save(QString::fromStdString(options.screenshot));
            if (!saved)
                reportError({engine::ErrorCode::FileWriteFailed,
                             options.screenshot + ": cannot be written as a picture"});
            QCoreApplication::exit(saved ? ExitDone : ExitFailed);
        });
    });
    if (!options.screenshot.empty())
        QObject::connect(&controller, &AppController::openFailed, &window,
                         [](const QString& message) {
                             std::cerr << "tokenscope: error: " << message.toStdString() << '\n';
                             QCoreApplication::exit(ExitFailed);
                         });
}

} // namespace

int runWindow(int& argc, char** argv, const WindowOptions& options)
{
    if (!hasDisplay())
        return reportError({engine::ErrorCode::UnsupportedFeature,
                            "there is no display to open a window on (DISPLAY and WAYLAND_DISPLAY "
                            "are not set); the commands, such as tokenscope generate, need none"});
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("tokenscope"));
    QApplication::setApplicationDisplayName(QStringLiteral("Tokenscope"));
    QApplication::setOrganizationName(QStringLiteral("tokenscope"));
    QApplication::setApplicationVersion(QStringLiteral(TOKENSCOPE_VERSION));
    QApplication::setStyle(QStringLiteral("Fusion"));

    QSettings settings;
    ui::MainWindow window;
    ui::Theme theme = wantsDark(options, settings) ? ui::Theme::dark() : ui::Theme::light();
    if (options.screenshot.empty())
        theme.scale = settings.value(QStringLiteral("textScale"), 1.0).toDouble();
    window.setTheme(theme);
    restoreGeometry(window, options, settings);

    AppController controller(window, defaultThreadCount());
    controller.setInitialRun(
        options.prompt ? QString::fromStdString(*options.prompt)
                       : QStringLiteral("Once upon a time, there was a little girl named"),
        options.sampling, options.maxNewTokens);
    scheduleSteps(controller, window, options);
    QObject::connect(&window, &ui::MainWindow::themeChanged, &window, [](bool dark) {
        QSettings().setValue(QStringLiteral("theme"),
                             dark ? QStringLiteral("dark") : QStringLiteral("light"));
    });

    QObject::connect(&window, &ui::MainWindow::textScaleChanged, &window, [](double scale) {
        QSettings().setValue(QStringLiteral("textScale"), scale);
    });

    window.show();
    if (options.files.empty())
        controller.openPath(QString::fromStdString(defaultModelPath().string()));
    for (const std::string& file : options.files)
        controller.openPath(QString::fromStdString(file));

    const int status = QApplication::exec();
    if (options.screenshot.empty())
        settings.setValue(QStringLiteral("geometry"), window.saveGeometry());
    return status;
}

} // namespace app
