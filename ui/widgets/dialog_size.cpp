#include "ui/widgets/dialog_size.h"

#include "ui/theme/fonts.h"

#include <QScreen>
#include <QWidget>

namespace triaxis::ui
{
namespace
{

const QSize frame(24, 56); ///< of the window around a dialog, and some air

} // namespace

void resizeWithinScreen(QWidget& dialog, const QSize& wanted)
{
    const QSize room = dialog.screen()->availableSize() - frame;
    dialog.resize(QSize(scaled(wanted.width()), scaled(wanted.height())).boundedTo(room));
}

} // namespace triaxis::ui
