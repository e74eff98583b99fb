#pragma once

class QPushButton;

namespace triaxis::ui
{

class RunView;

/// Toggles the prediction over the timeline of a view; says in its hint whether there is one.
QPushButton* predictionButton(RunView& view);

} // namespace triaxis::ui
