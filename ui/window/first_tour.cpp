#include "ui/window/first_tour.h"

#include "ui/pages/plan_page.h"
#include "ui/window/main_window.h"

#include <QSettings>

namespace triaxis::ui
{
namespace
{

/// A part of a page, which is turned to.
std::function<QWidget*()> partOf(MainWindow& window, MainWindow::Page page, const char* name)
{
    return [&window, page, name = QLatin1String(name)]() -> QWidget* {
        window.showPage(page);
        QWidget* shown = page == MainWindow::Page::Plan
                             ? static_cast<QWidget*>(window.planPage())
                             : window.findChild<QWidget*>(QStringLiteral("historyPage"));
        return shown ? shown->findChild<QWidget*>(name) : nullptr;
    };
}

} // namespace

std::vector<TourStop> firstTour(MainWindow& window)
{
    using Page = MainWindow::Page;
    return {
        {MainWindow::tr("Draw"),
         MainWindow::tr("Each box is a rank, a process that trains its part of the model. Set how "
                        "many work as data, tensor and pipeline ranks above the floor, or draw "
                        "the groups with the tools at its left."),
         partOf(window, Page::Plan, "floorPanel")},
        {MainWindow::tr("Predict"),
         MainWindow::tr("With every change these figures tell what a step would take: time, "
                        "bubble, communication and memory. The arrows show what the change did. "
                        "The Glossary in the Help menu defines each number."),
         partOf(window, Page::Plan, "figures")},
        {MainWindow::tr("Run"),
         MainWindow::tr("Run trains the plan for real, through MPI on this machine. The Run page "
                        "shows every span of every rank while it goes on, beside what was "
                        "predicted."),
         partOf(window, Page::Plan, "run")},
        {MainWindow::tr("Compare"),
         MainWindow::tr("Every run is kept here. Select two or more and press Compare. Sweep "
                        "layouts in the Plan menu runs a whole list, one after the other, and "
                        "draws how they scale."),
         partOf(window, Page::History, "compareRuns")}};
}

bool takeFirstTour()
{
    QSettings settings;
    const QString key = QStringLiteral("tour/seen");
    if (settings.value(key).toBool())
        return false;
    settings.setValue(key, true);
    return true;
}

} // namespace triaxis::ui
