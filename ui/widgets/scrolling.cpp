#include "ui/widgets/scrolling.h"

#include <QScrollArea>

namespace triaxis::ui
{

QScrollArea* scrolling(QWidget* content)
{
    auto* area = new QScrollArea;
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->viewport()->setAutoFillBackground(false);
    area->setWidget(content);
    content->setAutoFillBackground(false); // setWidget() turns it on
    return area;
}

} // namespace triaxis::ui
