// What the page writes to files, and takes from them.

#include "ui/pages/history_page.h"

#include "ui/base/text.h"
#include "ui/compare/comparison_view.h"
#include "ui/history/history_jobs.h"
#include "ui/history/history_list.h"
#include "ui/history/history_text.h"
#include "ui/history/prune_dialog.h"
#include "ui/widgets/banner.h"

#include <QDesktopServices>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QUrl>

namespace triaxis::ui
{
namespace
{

/// Local files of something that is dropped; empty if anything else is among it.
QStringList filesOf(const QMimeData* data)
{
    QStringList files;
    for (const QUrl& url : data->urls()) {
        if (!url.isLocalFile())
            return {};
        files << url.toLocalFile();
    }
    return files;
}

} // namespace

void HistoryPage::sayExported(const QString& title, const QString& detail, const QString& folder)
{
    say(int(Banner::Kind::Good), title, detail, tr("Show folder"),
        [folder] { QDesktopServices::openUrl(QUrl::fromLocalFile(folder)); });
}

void HistoryPage::exportComparison()
{
    const QString file = QFileDialog::getSaveFileName(
        window(), tr("Export"), QDir::home().filePath(QStringLiteral("comparison.html")),
        tr("HTML page (*.html);;Figures (*.csv)"));
    if (!file.isEmpty())
        m_comparison->write(file);
}

void HistoryPage::showFolder()
{
    QDesktopServices::openUrl(QUrl::fromLocalFile(currentDirectory()));
}

void HistoryPage::exportRun(Exporter::Format format)
{
    const QString id = currentId();
    if (id.isEmpty())
        return;
    const QString proposal =
        QDir::home().filePath(id + QLatin1Char('.') + Exporter::suffix(format));
    const QString file =
        QFileDialog::getSaveFileName(window(), tr("Export"), proposal, Exporter::filter(format));
    if (file.isEmpty())
        return;
    m_exporter.write(id, format, file);
    say(int(Banner::Kind::Note), tr("Exporting %1…").arg(id), {});
}

void HistoryPage::exportBundle()
{
    const QStringList ids = isRunOpen() ? QStringList{currentId()} : selectedIds();
    if (ids.isEmpty())
        return;
    if (ids.size() == 1) {
        const QString file = QFileDialog::getSaveFileName(
            window(), tr("Export bundle"),
            QDir::home().filePath(ids.front() + QStringLiteral(".triaxis-run")),
            tr("Bundle of a run (*.triaxis-run)"));
        if (!file.isEmpty())
            m_jobs->exportRun(ids.front(), file);
    } else {
        const QString folder = QFileDialog::getExistingDirectory(
            window(), tr("Export %1 into a folder").arg(runsText(ids.size())), QDir::homePath());
        if (!folder.isEmpty())
            m_jobs->exportRuns(ids, folder);
    }
    refresh();
}

void HistoryPage::askImport()
{
    emit pageRequested();
    const QStringList files =
        QFileDialog::getOpenFileNames(window(), tr("Import bundles"), QDir::homePath(),
                                      tr("Bundles of runs (*.triaxis-run);;All files (*)"));
    if (!files.isEmpty())
        importFiles(files);
}

void HistoryPage::importFiles(const QStringList& files)
{
    if (m_jobs->isBusy()) {
        fail(tr("Something else is under way"), tr("Wait for its end, then import again."));
        return;
    }
    if (!isTable())
        showTable();
    m_list->setTrash(false);
    m_jobs->importFiles(files);
    refresh();
}

void HistoryPage::askPrune()
{
    emit pageRequested();
    PruneDialog dialog(m_service, window());
    if (dialog.exec() == QDialog::Accepted && !dialog.runs().isEmpty()) {
        m_jobs->prune(dialog.runs());
        refresh();
    }
}

void HistoryPage::dragEnterEvent(QDragEnterEvent* event)
{
    if (!filesOf(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void HistoryPage::dropEvent(QDropEvent* event)
{
    const QStringList files = filesOf(event->mimeData());
    if (files.isEmpty())
        return;
    event->acceptProposedAction();
    importFiles(files);
}

} // namespace triaxis::ui
