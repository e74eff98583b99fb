#include "ui/history/chip_button.h"

namespace triaxis::ui
{
namespace
{

constexpr int longest = 40; ///< characters

} // namespace

QPushButton* chipButton(const QString& text, const QString& hint)
{
    const QString shown = text.size() > longest ? text.left(longest - 1) + QChar(0x2026) : text;
    auto* button = new QPushButton(shown + QStringLiteral("  ✕"));
    button->setProperty("look", "chip");
    button->setAccessibleName(hint);
    button->setToolTip(hint);
    button->setAutoDefault(false);
    return button;
}

} // namespace triaxis::ui
