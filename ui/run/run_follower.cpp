#include "ui/run/run_follower.h"

#include "engine/core/error.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/run/run_tail.h"

#include <QTimer>

#include <optional>

namespace triaxis::ui
{
namespace
{

constexpr int pollMilliseconds = 33;

/// Lives on the follower's thread.
class Poller : public QObject
{
public:
    Poller(std::filesystem::path directory, int starter, RunFollower& follower)
        : m_directory(std::move(directory)), m_starter(starter), m_follower(follower)
    {
    }

    void begin()
    {
        try {
            m_tail.emplace(m_directory, m_starter);
        } catch (const Error& error) {
            emit m_follower.failed(spoken(error.tried()),
                                   spoken(error.object() + ". " + error.remedy()));
            return;
        }
        emit m_follower.opened(std::make_shared<const RunOpening>(m_tail->opening()));
        m_timer = std::make_unique<QTimer>();
        QObject::connect(m_timer.get(), &QTimer::timeout, this, [this] { poll(); });
        m_timer->start(pollMilliseconds);
        poll();
    }

private:
    void poll()
    {
        auto update = std::make_shared<RunUpdate>(m_tail->poll());
        if (m_tail->isOver())
            m_timer->stop();
        if (!update->empty())
            emit m_follower.updated(std::move(update));
    }

    std::filesystem::path m_directory;
    int m_starter;
    RunFollower& m_follower;
    std::optional<RunTail> m_tail;
    std::unique_ptr<QTimer> m_timer;
};

} // namespace

RunFollower::RunFollower(std::filesystem::path directory, int starter, QObject* parent)
    : QObject(parent), m_directory(std::move(directory)), m_starter(starter)
{
    qRegisterMetaType<std::shared_ptr<const RunOpening>>();
    qRegisterMetaType<std::shared_ptr<const RunUpdate>>();
}

RunFollower::~RunFollower()
{
    m_thread.quit();
    m_thread.wait();
}

void RunFollower::start()
{
    auto* poller = new Poller(m_directory, m_starter, *this);
    poller->moveToThread(&m_thread);
    connect(&m_thread, &QThread::started, poller, &Poller::begin);
    connect(&m_thread, &QThread::finished, poller, &QObject::deleteLater);
    m_thread.start();
}

} // namespace triaxis::ui
