#pragma once

#include "storage/history.h"

#include <QObject>
#include <QStringList>

#include <atomic>
#include <functional>
#include <memory>

namespace triaxis::ui
{

class HistoryService;

/// What takes its time with the history: bundles, pruning, making it anew. One at a time, beside
/// everything else, with a way to stop it.
class HistoryJobs : public QObject
{
    Q_OBJECT
public:
    explicit HistoryJobs(HistoryService& service, QObject* parent = nullptr);

    bool isBusy() const { return m_busy; }
    /// One run to one file.
    void exportRun(const QString& id, const QString& file);
    /// Each to a file of its own name in `folder`; nothing there is replaced.
    void exportRuns(const QStringList& ids, const QString& folder);
    void importFiles(const QStringList& files);
    /// Drops the spans of these runs, all but one step.
    void prune(const QStringList& ids);
    /// Makes the index anew from the run directories.
    void rebuild();
    /// What is whole by then stays; the rest is as it was.
    void cancel();

signals:
    /// Now and then; the first time after half a second at the earliest.
    void progress(const QString& text);
    /// `last`: of the runs that came, the last; empty for other jobs. `folder`: where files were
    /// written.
    void finished(const QString& title, const QString& detail, const QString& last,
                  const QString& folder);
    void failed(const QString& title, const QString& detail);

private:
    struct Result
    {
        int done = 0;
        std::int64_t bytes = 0;
        QString last;
        QStringList notes;
        QString problem, detail; ///< of the first that failed
    };
    /// Told on the worker's thread; false: stop.
    using Watch = std::function<bool(std::int64_t done, std::int64_t total)>;
    struct Item
    {
        QString name; ///< what progress says
        std::function<void(History&, const Watch&, Result&)> act;
    };
    using Finish = std::function<void(const Result&)>;
    void run(const std::vector<Item>& items, Finish finish);
    /// Says what went wrong with some of `items`, after `done`; false if nothing did.
    bool tellProblem(const Result& result, const QString& done);
    QString stoppedOr(const QString& done) const;

    HistoryService& m_service;
    std::shared_ptr<std::atomic<bool>> m_cancelled;
    bool m_busy = false;
};

} // namespace triaxis::ui
