// What the window opens over its pages.

#include "ui/pages/history_page.h"
#include "ui/pages/plan_page.h"
#include "ui/plan/plan_files.h"
#include "ui/sweep/sweep_dialog.h"
#include "ui/widgets/navigation_rail.h"
#include "ui/window/first_tour.h"
#include "ui/window/glossary_dialog.h"
#include "ui/window/key_sheet.h"
#include "ui/window/main_window.h"
#include "ui/window/settings_popup.h"

namespace triaxis::ui
{

void MainWindow::showSettings()
{
    m_settings->popUp(m_rail->mapToGlobal(QPoint(m_rail->width() + 6, m_rail->height() - 8)));
}

void MainWindow::showSweep()
{
    if (!m_sweep) {
        std::optional<PlanFile> drawn;
        if (m_document.canRun())
            drawn = m_plan->files().asFile();
        m_sweep = new SweepDialog(std::move(drawn), m_home, this);
        m_sweep->setAttribute(Qt::WA_DeleteOnClose);
        connect(m_sweep, &SweepDialog::comparisonRequested, this,
                [this](const QStringList& directories) {
                    showPage(Page::History);
                    m_history->compareRuns(directories);
                });
        connect(m_sweep, &SweepDialog::sweepEnded, m_history, &HistoryPage::reload);
    }
    m_sweep->show();
    m_sweep->raise();
    m_sweep->activateWindow();
}

void MainWindow::showGlossary()
{
    GlossaryDialog dialog(this);
    dialog.exec();
}

void MainWindow::showTour()
{
    if (!m_tour)
        m_tour = new Tour(firstTour(*this), this);
}

void MainWindow::offerTour()
{
    if (takeFirstTour())
        QTimer::singleShot(0, this, &MainWindow::showTour); // when everything has its place
}

void MainWindow::showKeys()
{
    KeySheet sheet(this);
    sheet.exec();
}

} // namespace triaxis::ui
