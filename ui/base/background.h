#pragma once

#include <QObject>
#include <QThread>

#include <functional>

namespace triaxis::ui
{

/// One worker thread for files, database and other things that the window must not wait for. Jobs run one after the
/// other; what a job returns runs afterwards on the window's thread, unless `context` is gone by then.
class Background : public QObject
{
    Q_OBJECT
public:
    using Delivery = std::function<void()>;
    using Job = std::function<Delivery()>;

    explicit Background(QObject* parent = nullptr);
    /// Waits for the job that runs; jobs that wait are dropped.
    ~Background() override;

    void post(QObject* context, Job job);
    /// Waits until all jobs so far have been done. What they return is left out.
    void finish();

private:
    QThread m_thread;
    QObject m_worker;
};

} // namespace triaxis::ui
