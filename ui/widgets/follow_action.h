#pragma once

class QAbstractButton;
class QAction;

namespace triaxis::ui
{

/// The button does what the action does: click, tick, text, hint, and whether it can be pressed.
/// A tool button keeps its icon and has the text as its name for screen readers.
void followAction(QAbstractButton* button, QAction* action);

} // namespace triaxis::ui
