#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;

namespace triaxis::ui
{

class LaneView;

/// Looks for spans of a timeline, one match after the other; hidden while nobody searches.
class SpanSearchBar : public QWidget
{
    Q_OBJECT
public:
    explicit SpanSearchBar(LaneView& view, QWidget* parent = nullptr);

    /// Shows the bar and takes the keyboard.
    void open();
    /// Looks for spans; see parseSpanQuery(). Focuses the first match from the begin of the window
    /// on.
    void search(const QString& text);
    /// The next or the previous match of what is searched for.
    void searchOn(bool forward);
    /// Counts again: the spans are others.
    void refreshCount();

private:
    void close();

    LaneView& m_view;
    QLineEdit* m_edit;
    QLabel* m_count;
};

} // namespace triaxis::ui
