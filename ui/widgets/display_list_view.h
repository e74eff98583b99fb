#pragma once

#include "ui/widgets/display_list_player.h"

#include <QWidget>

namespace triaxis::ui
{

/// Shows a display list as it is, at its own size times the text size.
class DisplayListView : public QWidget
{
    Q_OBJECT
public:
    explicit DisplayListView(QWidget* parent = nullptr);

    void setList(DisplayList list);
    const DisplayList& list() const { return m_list; }

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    DisplayList m_list;
    DisplayListPlayer m_player;
};

} // namespace triaxis::ui
