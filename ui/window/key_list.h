#pragma once

#include <QString>

#include <vector>

class QWidget;

namespace triaxis::ui
{

/// A line of the sheet of keys.
struct KeyLine
{
    QString keys; ///< for people; a dash where a command has none
    QString text;
    bool operator==(const KeyLine&) const = default;
};
struct KeySection
{
    QString title;
    std::vector<KeyLine> lines;
};

/// Every key and gesture of a window and of what is in it: of its actions as they are now, of its
/// buttons, and those that its widgets take by themselves (widget_keys.h). One line for each,
/// however many widgets have it.
std::vector<KeySection> keySections(const QWidget& window);

} // namespace triaxis::ui
