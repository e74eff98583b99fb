#include "ui/timeline/mark_menu.h"

#include "engine/core/units.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/timeline/mark_store.h"
#include "ui/timeline/view_range.h"
#include "ui/widgets/lane_view.h"

#include <QAction>
#include <QInputDialog>
#include <QMenu>

#include <algorithm>

namespace triaxis::ui
{
namespace
{

/// Where a mark goes.
TimeWindow markedRange(const LaneView& view)
{
    if (const auto selection = view.range().selection())
        return *selection;
    if (const auto place = view.focusedSpan()) {
        const Track& track = trackOf(*view.lanes(), *place);
        return {track.begin(place->index), track.end(place->index)};
    }
    const TimeWindow& window = view.window();
    const double at = view.range().cursor().value_or((window.from + window.to) / 2);
    return {at, at};
}

} // namespace

MarkMenu::MarkMenu(LaneView& view, MarkStore& marks, QWidget* window)
    : QObject(window), m_view(view), m_marks(marks), m_window(window)
{
}

void MarkMenu::add()
{
    const TimeMark mark{markedRange(m_view), {}};
    m_marks.add(mark);
    if (!m_marks.canChange())
        return;
    const auto& all = m_marks.marks();
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].range == mark.range && all[i].note.isEmpty()) {
            askNote(i);
            return;
        }
    }
}

/// Does not wait for the answer: a run that goes on is shown on. The mark is found again by its
/// place, as others may have come before it.
void MarkMenu::askNote(std::size_t index)
{
    const TimeMark mark = m_marks.marks()[index];
    auto* dialog = new QInputDialog(m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("markNote"));
    dialog->setWindowTitle(tr("Mark"));
    dialog->setLabelText(tr("Note"));
    dialog->setTextValue(mark.note);
    connect(dialog, &QInputDialog::textValueSelected, this, [this, mark](const QString& note) {
        const auto& all = m_marks.marks();
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (all[i].range == mark.range && all[i].note == mark.note) {
                m_marks.setNote(i, note);
                return;
            }
        }
    });
    dialog->open();
}

void MarkMenu::go(int direction)
{
    ViewRange& range = m_view.range();
    const double time = range.cursor().value_or((range.window().from + range.window().to) / 2);
    const int index = m_marks.next(time, direction);
    if (index < 0)
        return;
    const TimeWindow at = m_marks.marks()[std::size_t(index)].range;
    const double half = range.window().span() / 2;
    const double middle = (at.from + at.to) / 2;
    if (at.from < range.window().from || at.to > range.window().to)
        range.show({middle - half, middle + half});
    range.setCursor(at.from);
}

void MarkMenu::fill(QMenu& menu)
{
    menu.clear();
    qDeleteAll(menu.findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly));
    for (const char* name : {"timeline.mark", "timeline.nextMark", "timeline.previousMark"})
        menu.addAction(m_view.findChild<QAction*>(QLatin1String(name), Qt::FindDirectChildrenOnly));
    if (m_marks.marks().empty())
        return;
    menu.addSeparator();
    for (std::size_t i = 0; i < m_marks.marks().size(); ++i) {
        const TimeMark& mark = m_marks.marks()[i];
        const QString note = mark.note.isEmpty() ? tr("mark") : mark.note;
        QMenu* one =
            menu.addMenu(tr("%1 · %2").arg(spoken(units::seconds(mark.range.from)), note.left(40)));
        connect(one->addAction(tr("Go there")), &QAction::triggered, this,
                [this, range = mark.range] {
                    const double pad = std::max(range.span() * 0.5, m_view.window().span() * 0.1);
                    m_view.range().show({range.from - pad, range.to + pad});
                    m_view.range().setCursor(range.from);
                });
        connect(one->addAction(tr("Edit the note…")), &QAction::triggered, this,
                [this, i] { askNote(i); });
        connect(one->addAction(tr("Remove")), &QAction::triggered, this,
                [this, i] { m_marks.remove(i); });
    }
}

} // namespace triaxis::ui
