#pragma once

#include "engine/record/run_arrangement.h"

#include <QObject>
#include <QTimer>

#include <filesystem>

namespace triaxis::ui
{

class LaneView;

/// Keeps how the lanes of a view are arranged: for each run in its directory; for runs that nobody
/// has arranged yet axis of the groups, colours and streams as they were last chosen (QSettings).
class ArrangementStore : public QObject
{
    Q_OBJECT
public:
    explicit ArrangementStore(LaneView& view, QObject* parent = nullptr);
    ~ArrangementStore() override;

    /// Writes what has not been written of the run before, then arranges the view as it was for
    /// this one; an empty directory: no run. The view must have the lanes of the run already.
    void open(const std::filesystem::path& directory, const Layout& layout);
    /// Writes what has changed now.
    void flush();

signals:
    /// One sentence: what could not be read, and what that means.
    void failed(const QString& message);

private:
    RunArrangement shown() const;
    void show(const RunArrangement& arrangement);
    void noteChange();

    LaneView& m_view;
    std::filesystem::path m_directory;
    bool m_writable = false;
    bool m_loading = false;
    bool m_unwritten = false;
    RunArrangement m_kept;
    QTimer m_delay;
};

} // namespace triaxis::ui
