#pragma once

#include "storage/history.h"
#include "ui/base/background.h"

#include <QObject>

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>

namespace triaxis::ui
{

/// The history on threads of its own. Answers come back on the window's thread. Questions and edits
/// are answered in their order; what takes its time (bringing the index up to date, bundles,
/// pruning) has a thread and a connection to itself, so that neither waits for it.
class HistoryService : public QObject
{
    Q_OBJECT
public:
    struct Page
    {
        std::vector<RunSummary> runs;
        RunTotals totals; ///< of the query, over all pages
    };
    /// Runs on a worker; what it returns runs on the window's thread.
    using Job = std::function<Background::Delivery(History&)>;

    explicit HistoryService(std::filesystem::path home, QObject* parent = nullptr);
    /// Waits for the edits that were asked for; stops what takes its time.
    ~HistoryService() override;

    /// Brings the index up to date with the run directories; refreshed() follows.
    void refresh();
    void query(const RunQuery& query, QObject* context, std::function<void(const Page&)> take);
    /// An edit, or a question of another kind. Errors that the job lets out become failed().
    void ask(QObject* context, Job job);
    /// Something long. It asks isClosing() now and then.
    void work(QObject* context, Job job);
    /// The service is being destroyed. On any thread, from within a job.
    std::function<bool()> isClosing() const;

signals:
    /// `changed`: the tables are not what they were at the last time.
    void refreshed(bool changed);
    void failed(const QString& title, const QString& detail);

private:
    /// Touched on its worker's thread only.
    struct Store
    {
        std::filesystem::path home;
        std::unique_ptr<History> history;
        std::int64_t stamp = -1; ///< of the tables when they were last brought up to date
        History& open();
    };
    void post(Background& worker, const std::shared_ptr<Store>& store, QObject* context, Job job);

    std::shared_ptr<Store> m_store;
    std::shared_ptr<Store> m_longStore;
    std::shared_ptr<std::atomic<bool>> m_closing;
    Background m_background;
    Background m_long;
};

} // namespace triaxis::ui
