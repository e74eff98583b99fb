#include "ui/models/history_service.h"

#include "engine/core/error.h"
#include "ui/base/language.h"
#include "ui/base/text.h"

namespace triaxis::ui
{

History& HistoryService::Store::open()
{
    if (!history)
        history = std::make_unique<History>(home);
    return *history;
}

HistoryService::HistoryService(std::filesystem::path home, QObject* parent)
    : QObject(parent), m_store(std::make_shared<Store>()), m_longStore(std::make_shared<Store>()),
      m_closing(std::make_shared<std::atomic<bool>>(false))
{
    m_store->home = home;
    m_longStore->home = std::move(home);
}

HistoryService::~HistoryService()
{
    *m_closing = true;
    m_background.finish();
}

void HistoryService::post(Background& worker, const std::shared_ptr<Store>& store, QObject* context,
                          Job job)
{
    worker.post(context, [this, store, job = std::move(job)]() -> Background::Delivery {
        try {
            return job(store->open());
        } catch (const Error& error) {
            const QString title = spoken(error.tried());
            const QString detail = spoken(error.object() + ". " + error.remedy());
            return [this, title, detail] { emit failed(title, detail); };
        }
    });
}

void HistoryService::refresh()
{
    post(m_long, m_longStore, this,
         [this, store = m_longStore](History& history) -> Background::Delivery {
             history.refresh();
             history.takeNotes(); // asked again and again: they must not pile up
             const std::int64_t stamp = history.changeStamp();
             const bool changed = std::exchange(store->stamp, stamp) != stamp;
             return [this, changed] { emit refreshed(changed); };
         });
}

void HistoryService::query(const RunQuery& query, QObject* context,
                           std::function<void(const Page&)> take)
{
    ask(context, [query, take = std::move(take)](History& history) -> Background::Delivery {
        Page page{history.runs(query), history.totals(query)};
        return [take, page = std::move(page)] { take(page); };
    });
}

void HistoryService::ask(QObject* context, Job job)
{
    post(m_background, m_store, context, std::move(job));
}

void HistoryService::work(QObject* context, Job job)
{
    post(m_long, m_longStore, context, std::move(job));
}

std::function<bool()> HistoryService::isClosing() const
{
    return [closing = m_closing] { return closing->load(); };
}

} // namespace triaxis::ui
