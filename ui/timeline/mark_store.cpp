#include "ui/timeline/mark_store.h"

#include "engine/core/error.h"
#include "engine/record/run_marks.h"
#include "ui/base/language.h"
#include "ui/base/text.h"

#include <algorithm>

namespace triaxis::ui
{

MarkStore::MarkStore(QObject* parent) : QObject(parent) {}

void MarkStore::open(const std::filesystem::path& directory)
{
    m_directory = directory;
    m_marks.clear();
    m_writable = !directory.empty();
    try {
        if (m_writable) {
            for (const RunMark& mark : readMarks(directory))
                m_marks.push_back({{mark.from, mark.to}, toQString(mark.note)});
        }
    } catch (const Error& error) {
        m_writable = false;
        emit changed();
        emit failed(tr("%1. The file is left as it is; marks can be added once it has "
                       "been mended or moved away.")
                        .arg(spoken(error.what())));
        return;
    }
    emit changed();
}

void MarkStore::replace(std::vector<TimeMark> marks)
{
    if (!m_writable) {
        emit failed(m_directory.empty()
                        ? tr("Marks are kept with a run: open one first.")
                        : tr("The marks of this run cannot be changed: its marks.json "
                             "could not be read. Mend it or move it away."));
        return;
    }
    std::stable_sort(marks.begin(), marks.end(), [](const TimeMark& a, const TimeMark& b) {
        return a.range.from < b.range.from;
    });
    std::vector<RunMark> kept;
    for (const TimeMark& mark : marks)
        kept.push_back({mark.range.from, mark.range.to, mark.note.toStdString()});
    try {
        writeMarks(m_directory, kept);
    } catch (const Error& error) {
        emit failed(spoken(error.what()));
        return;
    }
    m_marks = std::move(marks);
    emit changed();
}

void MarkStore::add(const TimeMark& mark)
{
    std::vector<TimeMark> marks = m_marks;
    marks.push_back(mark);
    replace(std::move(marks));
}

void MarkStore::setNote(std::size_t index, const QString& note)
{
    if (index >= m_marks.size())
        return;
    std::vector<TimeMark> marks = m_marks;
    marks[index].note = note;
    replace(std::move(marks));
}

void MarkStore::remove(std::size_t index)
{
    if (index >= m_marks.size())
        return;
    std::vector<TimeMark> marks = m_marks;
    marks.erase(marks.begin() + std::ptrdiff_t(index));
    replace(std::move(marks));
}

int MarkStore::next(double time, int direction) const
{
    if (direction > 0) {
        for (std::size_t i = 0; i < m_marks.size(); ++i) {
            if (m_marks[i].range.from > time)
                return int(i);
        }
        return -1;
    }
    for (std::size_t i = m_marks.size(); i > 0; --i) {
        if (m_marks[i - 1].range.from < time)
            return int(i - 1);
    }
    return -1;
}

} // namespace triaxis::ui
