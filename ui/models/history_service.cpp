#include "ui/models/history_service.h"

#include "engine/core/error.h"
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
    : QObject(parent), m_store(std::make_shared<Store>())
{
    m_store->home = std::move(home);
}

HistoryService::~HistoryService() = default;

void HistoryService::post(QObject* context, std::function<Background::Delivery(History&)> job)
{
    m_background.post(
        context, [this, store = m_store, job = std::move(job)]() -> Background::Delivery {
            try {
                return job(store->open());
            } catch (const Error& error) {
                const QString title = toQString(error.tried());
                const QString detail = toQString(error.object() + ". " + error.remedy());
                return [this, title, detail] { emit failed(title, detail); };
            }
        });
}

void HistoryService::refresh()
{
    post(this, [this](History& history) -> Background::Delivery {
        history.refresh();
        history.takeNotes(); // asked again and again: they must not pile up
        return [this] { emit refreshed(); };
    });
}

void HistoryService::query(const RunQuery& query, QObject* context,
                           std::function<void(const Page&)> take)
{
    post(context, [query, take = std::move(take)](History& history) -> Background::Delivery {
        Page page{history.runs(query), history.count(query)};
        return [take, page = std::move(page)] { take(page); };
    });
}

} // namespace triaxis::ui
