#include "ui/widgets/plot_colours.h"

#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

#include <qcustomplot.h>

namespace triaxis::ui
{

void colourAxes(QCustomPlot& plot, const Theme& theme)
{
    plot.setBackground(theme.panel);
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) {
        axis->setBasePen(QPen(theme.line));
        axis->setTickPen(QPen(theme.line));
        axis->setSubTickPen(Qt::NoPen);
        axis->setTickLength(0, 3);
        axis->setTickLabelColor(theme.muted);
        axis->setLabelColor(theme.muted);
        axis->setTickLabelFont(fontOf(FontRole::Tiny));
        axis->setLabelFont(fontOf(FontRole::Tiny));
        axis->grid()->setPen(QPen(theme.track));
        axis->grid()->setZeroLinePen(Qt::NoPen);
    }
}

} // namespace triaxis::ui
