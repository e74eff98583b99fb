// The window. Runs are processes of their own: closing or losing the window does not end them.

#include "app/gui/options.h"
#include "app/gui/render_report.h"
#include "engine/core/error.h"
#include "engine/record/demo_plan.h"
#include "engine/record/run_directory.h"
#include "ui/base/language.h"
#include "ui/theme/theme_controller.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QPixmap>
#include <QTimer>

#include <cstdio>

namespace
{

using triaxis::gui::Options;
using triaxis::ui::MainWindow;
using triaxis::ui::ThemeController;

void applyTheme(ThemeController& theme, const Options& options)
{
    theme.load();
    if (const auto choice = triaxis::ui::themeChoiceOf(options.theme))
        theme.setChoice(*choice);
    if (options.textScale > 0)
        theme.setTextScale(options.textScale);
}

void applyLanguage(const Options& options)
{
    using namespace triaxis::ui;
    const QString& wanted = options.language;
    const bool named = !wanted.isEmpty() && wanted != QLatin1String("system");
    const LanguageChoice choice = wanted.isEmpty() ? storedLanguage() : LanguageChoice::System;
    setWindowLanguage(named ? wanted : languageOf(choice));
}

void showWanted(MainWindow& window, const Options& options)
{
    if (!options.runDirectory.isEmpty())
        window.openRun(options.runDirectory);
    if (options.demo)
        window.startRun();
    else
        window.begin(options.page.isEmpty());
    if (options.page == QLatin1String("plan"))
        window.showPage(MainWindow::Page::Plan);
    else if (options.page == QLatin1String("run"))
        window.showPage(MainWindow::Page::Run);
    else if (options.page == QLatin1String("history"))
        window.showPage(MainWindow::Page::History);
}

void takeScreenshot(MainWindow& window, const Options& options)
{
    // First whatever waits to be laid out or drawn, then the picture.
    QTimer::singleShot(int(options.after * 1000), &window, [&window, file = options.screenshot] {
        QCoreApplication::processEvents(QEventLoop::AllEvents, 500);
        const bool written = window.grab().save(file);
        if (!written)
            std::fprintf(stderr, "triaxis-gui: %s cannot be written\n", qPrintable(file));
        QCoreApplication::exit(written ? 0 : 1);
    });
}

int run(QApplication& application, const Options& options)
{
    applyLanguage(options);
    ThemeController theme(application);
    applyTheme(theme, options);
    MainWindow window({triaxis::demoPlan(), triaxis::triaxisHome(), QStringLiteral(TRIAXIS_VERSION),
                       options.plan, options.screenshot.isEmpty() && !options.demo},
                      theme);
    if (options.size.isValid()) {
        window.setWindowState(Qt::WindowNoState);
        window.resize(options.size);
    }
    window.show();
    showWanted(window, options);
    if (!options.screenshot.isEmpty())
        takeScreenshot(window, options);
    else if (!options.demo)
        window.offerTour();
    return QApplication::exec();
}

} // namespace

int main(int count, char** arguments)
{
    QStringList words;
    for (int i = 0; i < count; ++i)
        words << QString::fromLocal8Bit(arguments[i]);
    int exitCode = 0;
    const auto options = triaxis::gui::readOptions(words, exitCode);
    if (!options)
        return exitCode;
    if (!options->render.parcel.isEmpty())
        return triaxis::gui::renderReport(options->render, count, arguments);
    QApplication application(count, arguments);
    QApplication::setApplicationName(QStringLiteral("triaxis"));
    QApplication::setOrganizationName(QStringLiteral("triaxis"));
    QApplication::setApplicationDisplayName(QStringLiteral("Triaxis"));
    QGuiApplication::setDesktopFileName(QStringLiteral("org.triaxis.Triaxis"));
    try {
        return run(application, *options);
    } catch (const triaxis::Error& error) {
        std::fprintf(stderr, "triaxis-gui: %s\n", error.what());
        return 1;
    }
}
