#pragma once

#include "ui/widgets/display_list_player.h"

#include <QImage>
#include <QWidget>

namespace triaxis::ui
{

struct Theme;

/// Shows a display list as it is, at its own size times the text size, on a panel. What was painted is kept until the list, the
/// colours or the text size change; of a long list only what is in sight is painted.
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
    void changeEvent(QEvent* event) override;

private:
    void repaintPicture(const QRect& shown);

    DisplayList m_list;
    DisplayListPlayer m_player;
    QImage m_picture; ///< of m_shown; null: to be painted anew
    QRect m_shown;
    const Theme* m_theme = nullptr; ///< of the picture
};

} // namespace triaxis::ui
