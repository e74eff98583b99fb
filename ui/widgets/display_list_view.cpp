#include "ui/widgets/display_list_view.h"

#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

#include <QPainter>

#include <cmath>

namespace triaxis::ui
{

DisplayListView::DisplayListView(QWidget* parent) : QWidget(parent) {}

void DisplayListView::setList(DisplayList list)
{
    m_list = std::move(list);
    setFixedSize(sizeHint());
    update();
}

QSize DisplayListView::sizeHint() const
{
    return {int(std::ceil(m_list.width * fontScale())), int(std::ceil(m_list.height * fontScale()))};
}

void DisplayListView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(fontScale(), fontScale());
    m_player.play(painter, m_list, themeOf(palette()).painted);
}

} // namespace triaxis::ui
