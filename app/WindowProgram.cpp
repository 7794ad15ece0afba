#include "app/WindowProgram.h"

#include "app/AppController.h"
#include "app/CheckController.h"
#include "app/CompareController.h"
#include "app/Resources.h"
#include "app/Threads.h"
#include "app/VerdictController.h"
#include "app/commands/Command.h"
#include "engine/io/FileWrite.h"
#include "ui/MainWindow.h"
#include "ui/Theme.h"

#include <QApplication>
#include <QBuffer>
#include <QGuiApplication>
#include <QIcon>
#include <QPixmap>
#include <QSettings>
#include <QStyleHints>
#include <QTimer>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

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

/// Why the picture could not be saved; nothing once it is.
std::optional<QString> savePicture(ui::MainWindow& window, const QString& path)
{
    // First into memory: libpng writes a line of its own to standard error where a file fails.
    QBuffer png;
    png.open(QIODevice::WriteOnly);
    window.grab().save(&png, "PNG");
    const auto written = engine::writeWhole(
        path.toStdString(),
        std::string_view(png.data().constData(), static_cast<std::size_t>(png.data().size())));
    if (!written)
        return QString::fromStdString(written.error().message);
    return std::nullopt;
}

void leaveWithError(const QString& message)
{
    reportError({engine::ErrorCode::InvalidArgument, message.toStdString()});
    QCoreApplication::exit(ExitFailed);
}

/// Makes the steps asked for, as far as there are any to make, then saves the picture and leaves.
/// Queued throughout: a trace is open before the event loop begins, and only a loop that runs can
/// be left.
void scheduleSteps(AppController& controller, CompareController& compare, ui::MainWindow& window,
                   const WindowOptions& options)
{
    const auto stepsAsked = std::make_shared<bool>(options.steps == 0);
    const auto isLeaving = std::make_shared<bool>(false);
    const auto goOn = [=, &controller, &compare, &window] {
        if (controller.isBusy() || compare.isBusy() || *isLeaving)
            return;
        if (!std::exchange(*stepsAsked, true) &&
            (window.isComparing() ? compare.makeSteps(options.steps)
                                  : controller.makeSteps(options.steps)))
            return;
        if (options.screenshot.empty())
            return;
        *isLeaving = true;
        // One turn of the event loop lets the last values be laid out.
        QTimer::singleShot(50, &window, [&window, options] {
            const auto fault = savePicture(window, QString::fromStdString(options.screenshot));
            if (fault)
                leaveWithError(*fault);
            else
                QCoreApplication::exit(ExitDone);
        });
    };
    const auto leave = [isLeaving](const QString& message) {
        if (!std::exchange(*isLeaving, true))
            leaveWithError(message);
    };
    QObject::connect(&controller, &AppController::settled, &window, goOn, Qt::QueuedConnection);
    QObject::connect(&compare, &CompareController::settled, &window, goOn, Qt::QueuedConnection);
    if (!options.screenshot.empty())
        QObject::connect(&controller, &AppController::failed, &window, leave, Qt::QueuedConnection);
    if (!options.screenshot.empty())
        QObject::connect(&compare, &CompareController::failed, &window, leave,
                         Qt::QueuedConnection);
}

/// Several traces are compared; all else is opened one after the other.
void openFiles(AppController& controller, CompareController& compare,
               const std::vector<std::string>& files)
{
    QStringList paths;
    for (const std::string& file : files)
        paths << QString::fromStdString(file);
    if (files.size() > 1 && std::all_of(files.begin(), files.end(), isTracePath)) {
        compare.openTraces(paths);
        return;
    }
    for (const QString& path : paths)
        controller.openPath(path);
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
    CompareController compare(window, &controller, defaultThreadCount());
    const CheckController checks(window, controller, defaultThreadCount());
    const VerdictController verdict(window, controller, defaultThreadCount());
    scheduleSteps(controller, compare, window, options);
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
    openFiles(controller, compare, options.files);

    const int status = QApplication::exec();
    if (options.screenshot.empty())
        settings.setValue(QStringLiteral("geometry"), window.saveGeometry());
    return status;
}

} // namespace app
