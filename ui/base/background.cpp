#include "ui/base/background.h"

#include <QMetaObject>
#include <QPointer>

#include <memory>

namespace triaxis::ui
{

Background::Background(QObject* parent) : QObject(parent)
{
    m_worker.moveToThread(&m_thread);
    m_thread.start();
}

Background::~Background()
{
    m_thread.quit();
    m_thread.wait();
}

void Background::post(QObject* context, Job job)
{
    // Read on the window's thread only; QPointer itself counts its references atomically.
    const auto guard = std::make_shared<QPointer<QObject>>(context);
    QMetaObject::invokeMethod(
        &m_worker,
        [this, guard, job = std::move(job)] {
            Delivery delivery = job();
            QMetaObject::invokeMethod(
                this,
                [guard, delivery = std::move(delivery)] {
                    if (*guard && delivery)
                        delivery();
                },
                Qt::QueuedConnection);
        },
        Qt::QueuedConnection);
}

void Background::finish()
{
    QMetaObject::invokeMethod(&m_worker, [] {}, Qt::BlockingQueuedConnection);
}

} // namespace triaxis::ui
