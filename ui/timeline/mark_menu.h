#pragma once

#include <QObject>

class QMenu;
class QWidget;

namespace triaxis::ui
{

class LaneView;
class MarkStore;

/// What a person does with the marks of a run: adds one where they are, goes from one to the next,
/// edits notes and removes them.
class MarkMenu : public QObject
{
    Q_OBJECT
public:
    /// `window`: what dialogs belong to.
    MarkMenu(LaneView& view, MarkStore& marks, QWidget* window);

    /// A mark at the marked range, the span that has the focus or the moment; then asks for its
    /// note.
    void add();
    /// To the next (> 0) or previous mark of the moment.
    void go(int direction);
    /// The actions, and a menu for each mark.
    void fill(QMenu& menu);

private:
    void askNote(std::size_t index);

    LaneView& m_view;
    MarkStore& m_marks;
    QWidget* m_window;
};

} // namespace triaxis::ui
