#pragma once

#include "engine/record/file_lock.h"
#include "ui/base/background.h"

#include <QObject>
#include <QTimer>

#include <filesystem>
#include <memory>
#include <optional>

namespace triaxis::ui
{

class PlanDocument;
class PlanFiles;

/// Keeps what is drawn under the home of Triaxis, so that it comes back after a window that was
/// killed. One file for each window, of a name that no other window has had, beside a lock that it
/// holds while it lives: a plan whose lock nobody holds, on any host, has been left behind. A
/// window that is closed takes its own away.
class PlanAutosave : public QObject
{
    Q_OBJECT
public:
    PlanAutosave(PlanDocument& document, PlanFiles& files, const std::filesystem::path& home,
                 QObject* parent = nullptr);
    ~PlanAutosave() override;

    /// Opens what the latest window has left behind that ended without closing. False: there is
    /// nothing. What cannot be read is set aside; older ones wait for the next window.
    bool restore();
    const std::filesystem::path& file() const { return m_file; }
    /// Writes what is drawn now instead of a moment later.
    void writeNow();

signals:
    /// It is on the disk.
    void written();

private:
    PlanDocument& m_document;
    PlanFiles& m_files;
    std::filesystem::path m_folder;
    std::filesystem::path m_stem; ///< of this window's own files, without an ending
    std::filesystem::path m_file;
    std::optional<FileLock> m_lock;
    QTimer m_delay;
    std::unique_ptr<Background> m_background;
};

} // namespace triaxis::ui
