#pragma once

#include "ui/widgets/lane_view.h"

#include <QObject>

#include <filesystem>
#include <vector>

namespace triaxis::ui
{

/// The marks of the run that is shown, kept in its directory. A file that cannot be read is told of and left as it is:
/// nothing can be added until it has been mended or moved away.
class MarkStore : public QObject
{
    Q_OBJECT
public:
    explicit MarkStore(QObject* parent = nullptr);

    /// Reads the marks of a run directory; an empty path: no run.
    void open(const std::filesystem::path& directory);
    const std::vector<TimeMark>& marks() const { return m_marks; }
    bool canChange() const { return m_writable; }

    void add(const TimeMark& mark);
    void setNote(std::size_t index, const QString& note);
    void remove(std::size_t index);
    /// The nearest one after (direction > 0) or before a time; none there: −1.
    int next(double time, int direction) const;

signals:
    void changed();
    /// One sentence: what could not be read or written, and what to do.
    void failed(const QString& message);

private:
    void replace(std::vector<TimeMark> marks);

    std::filesystem::path m_directory;
    std::vector<TimeMark> m_marks;
    bool m_writable = false;
};

} // namespace triaxis::ui
