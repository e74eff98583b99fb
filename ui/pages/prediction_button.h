#pragma once

class QPushButton;

namespace triaxis::ui
{

class RunView;

/// A button for RunView::predictionAction(): the same state, hint and key.
QPushButton* predictionButton(RunView& view);

} // namespace triaxis::ui
