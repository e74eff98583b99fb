#include "ui/history/history_jobs.h"

#include "engine/core/error.h"
#include "engine/core/units.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/history/history_text.h"
#include "ui/models/history_service.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QPointer>

namespace triaxis::ui
{
namespace
{

constexpr int quietMilliseconds = 500;
constexpr int eachMilliseconds = 100;

QString freeName(const QString& folder, const QString& id)
{
    for (int copy = 1;; ++copy) {
        const QString suffix = copy == 1 ? QString() : QStringLiteral("-%1").arg(copy);
        const QString file = QDir(folder).filePath(id + suffix + QStringLiteral(".triaxis-run"));
        if (!QFileInfo::exists(file))
            return file;
    }
}

QString importNote(const ImportedRun& run)
{
    const QString id = toQString(run.id);
    switch (run.outcome) {
    case ImportOutcome::Imported:
        return {};
    case ImportOutcome::Renamed:
        return HistoryJobs::tr("Another run has its id; it became %1.").arg(id);
    case ImportOutcome::Known:
        return HistoryJobs::tr("%1 is here already; nothing was changed.").arg(id);
    case ImportOutcome::Restored:
        return HistoryJobs::tr("%1 was in the trash; it was restored.").arg(id);
    }
    return {};
}

} // namespace

HistoryJobs::HistoryJobs(HistoryService& service, QObject* parent)
    : QObject(parent), m_service(service)
{
}

void HistoryJobs::cancel()
{
    if (m_cancelled)
        *m_cancelled = true;
}

void HistoryJobs::run(const std::vector<Item>& items, Finish finish)
{
    if (m_busy)
        return;
    m_busy = true;
    m_cancelled = std::make_shared<std::atomic<bool>>(false);
    // The service outlives its threads; this object may be gone.
    const auto report = [service = &m_service,
                         guard = QPointer<HistoryJobs>(this)](const QString& text) {
        QMetaObject::invokeMethod(
            service,
            [guard, text] {
                if (guard && guard->m_busy)
                    emit guard->progress(text);
            },
            Qt::QueuedConnection);
    };
    const auto stop = [cancelled = m_cancelled, closing = m_service.isClosing()] {
        return *cancelled || closing();
    };
    m_service.work(
        this,
        [this, items, finish = std::move(finish), report,
         stop](History& history) -> Background::Delivery {
            Result result;
            QElapsedTimer clock;
            clock.start();
            qint64 told = quietMilliseconds - eachMilliseconds;
            for (std::size_t i = 0; i < items.size() && !stop(); ++i) {
                const Watch watch = [&](std::int64_t done, std::int64_t total) {
                    if (clock.elapsed() - told >= eachMilliseconds) {
                        told = clock.elapsed();
                        const int percent = total > 0 ? int(100 * done / total) : 0;
                        const QString one = tr("%1: %2 %").arg(items[i].name).arg(percent);
                        report(items.size() == 1
                                   ? one
                                   : tr("%1, %2 of %3").arg(one).arg(i + 1).arg(items.size()));
                    }
                    return !stop();
                };
                watch(0, 1);
                try {
                    items[i].act(history, watch, result);
                } catch (const Error& error) {
                    if (stop() || !result.problem.isEmpty())
                        continue;
                    result.problem = spoken(error.tried());
                    result.detail = spoken(error.object() + ". " + error.remedy());
                }
            }
            return [this, finish, result] {
                m_busy = false;
                finish(result);
            };
        });
}

bool HistoryJobs::tellProblem(const Result& result, const QString& done)
{
    if (result.problem.isEmpty())
        return false;
    emit failed(result.done == 0 ? result.problem : tr("%1; %2").arg(done, result.problem),
                result.detail);
    return true;
}

QString HistoryJobs::stoppedOr(const QString& done) const
{
    return *m_cancelled ? tr("Stopped: %1").arg(done) : done;
}

void HistoryJobs::exportRun(const QString& id, const QString& file)
{
    const auto act = [id, file](History& history, const Watch& watch, Result& result) {
        history.exportRun(id.toStdString(), file.toStdString(), watch);
        ++result.done;
    };
    run({{id, act}}, [this, file](const Result& result) {
        const QString done = tr("%1 exported").arg(runsText(result.done));
        if (!tellProblem(result, done))
            emit finished(stoppedOr(done), file, {}, QFileInfo(file).absolutePath());
    });
}

void HistoryJobs::exportRuns(const QStringList& ids, const QString& folder)
{
    std::vector<Item> items;
    for (const QString& id : ids)
        items.push_back({id, [id, folder](History& history, const Watch& watch, Result& result) {
                             history.exportRun(id.toStdString(), freeName(folder, id).toStdString(),
                                               watch);
                             ++result.done;
                         }});
    run(items, [this, folder](const Result& result) {
        const QString done = tr("%1 exported").arg(runsText(result.done));
        if (!tellProblem(result, done))
            emit finished(stoppedOr(done), folder, {}, folder);
    });
}

void HistoryJobs::importFiles(const QStringList& files)
{
    std::vector<Item> items;
    for (const QString& file : files)
        items.push_back({QFileInfo(file).fileName(),
                         [file](History& history, const Watch& watch, Result& result) {
                             const ImportedRun run = history.importRun(file.toStdString(), watch);
                             result.last = toQString(run.id);
                             result.done += run.outcome != ImportOutcome::Known;
                             if (const QString note = importNote(run); !note.isEmpty())
                                 result.notes << note;
                         }});
    run(items, [this](const Result& result) {
        const QString done = tr("%1 imported").arg(runsText(result.done));
        if (tellProblem(result, done))
            return;
        const bool nothing = result.done == 0 && !*m_cancelled;
        constexpr int mostNotes = 3;
        emit finished(nothing ? tr("Nothing new was imported") : stoppedOr(done),
                      result.notes.mid(0, mostNotes).join(QLatin1Char(' ')), result.last, {});
    });
}

void HistoryJobs::prune(const QStringList& ids)
{
    std::vector<Item> items;
    for (const QString& id : ids)
        items.push_back({id, [id](History& history, const Watch&, Result& result) {
                             result.bytes += history.prune(id.toStdString());
                             ++result.done;
                         }});
    run(items, [this](const Result& result) {
        const QString done = tr("%1 pruned, %2 freed")
                                 .arg(runsText(result.done), spoken(units::bytes(result.bytes)));
        if (!tellProblem(result, done))
            emit finished(
                stoppedOr(done),
                tr("Steps, losses, memory and one step of each timeline are still there."), {}, {});
    });
}

void HistoryJobs::rebuild()
{
    const auto act = [](History& history, const Watch&, Result& result) {
        result.done = history.refresh(true);
        for (const std::string& note : history.takeNotes())
            result.notes << spoken(note);
    };
    run({{tr("The run directories are read"), act}}, [this](const Result& result) {
        if (!tellProblem(result, {}))
            emit finished(tr("The history was made anew from %1").arg(runsText(result.done)),
                          result.notes.mid(0, 3).join(QStringLiteral(". ")), {}, {});
    });
}

} // namespace triaxis::ui
