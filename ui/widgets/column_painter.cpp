#include "ui/widgets/column_painter.h"

#include "ui/widgets/box_filler.h"

#include <QColor>
#include <QPainter>

namespace triaxis::ui
{
namespace
{

void paintBoxes(QPainter& painter, const StackedColumns& stack, const std::vector<QRgb>& colours)
{
    for (std::size_t i = 0; i < stack.columns(); ++i) {
        double bottom = stack.top + stack.height;
        for (std::size_t layer = 0; layer < colours.size(); ++layer) {
            const double height = double(stack.heightOf(i, layer));
            bottom -= height;
            painter.fillRect(
                QRectF(stack.edges[i], bottom, stack.edges[i + 1] - stack.edges[i], height),
                QColor::fromRgb(colours[layer]));
        }
    }
}

} // namespace

void paintColumns(QPainter& painter, const StackedColumns& stack, const Palette& palette)
{
    std::vector<QRgb> colours;
    for (const Ink ink : stack.inks)
        colours.push_back(QColor::fromRgb(palette.of(ink)).rgb());
    if (auto filler = BoxFiller::on(painter))
        filler->fill(stack, colours);
    else
        paintBoxes(painter, stack, colours);
}

} // namespace triaxis::ui
