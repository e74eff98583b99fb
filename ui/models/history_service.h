#pragma once

#include "storage/history.h"
#include "ui/base/background.h"

#include <QObject>

#include <filesystem>
#include <functional>
#include <memory>

namespace triaxis::ui
{

/// The history on a thread of its own. Answers come back on the window's thread, in the order of the questions.
class HistoryService : public QObject
{
    Q_OBJECT
public:
    struct Page
    {
        std::vector<RunSummary> runs;
        int total = 0;              ///< rows that match the query, over all pages
    };
    explicit HistoryService(std::filesystem::path home, QObject* parent = nullptr);
    ~HistoryService() override;

    /// Brings the index up to date with the run directories; refreshed() follows.
    void refresh();
    void query(const RunQuery& query, QObject* context, std::function<void(const Page&)> take);

signals:
    void refreshed();
    void failed(const QString& title, const QString& detail);

private:
    /// Touched on the worker's thread only.
    struct Store
    {
        std::filesystem::path home;
        std::unique_ptr<History> history;
        History& open();
    };
    void post(QObject* context, std::function<Background::Delivery(History&)> job);

    std::shared_ptr<Store> m_store;
    Background m_background;
};

} // namespace triaxis::ui
