#pragma once

#include <QObject>
#include <QThread>

#include <filesystem>
#include <memory>

namespace triaxis::ui
{

struct RunOpening;
struct RunUpdate;

/// Follows a run directory on a worker thread and hands what is new to the window, at most 30 times a second.
class RunFollower : public QObject
{
    Q_OBJECT
public:
    /// `starter`: see RunTail.
    explicit RunFollower(std::filesystem::path directory, int starter = 0,
                         QObject* parent = nullptr);
    ~RunFollower() override;

    void start();
    const std::filesystem::path& directory() const { return m_directory; }

signals:
    void opened(std::shared_ptr<const triaxis::ui::RunOpening> opening);
    void updated(std::shared_ptr<const triaxis::ui::RunUpdate> update);
    /// It is no run directory.
    void failed(const QString& title, const QString& detail);

private:
    std::filesystem::path m_directory;
    int m_starter;
    QThread m_thread;
};

} // namespace triaxis::ui
