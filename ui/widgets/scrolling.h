#pragma once

class QScrollArea;
class QWidget;

namespace triaxis::ui
{

/// A column that scrolls up and down on the panel it lies on.
QScrollArea* scrolling(QWidget* content);

} // namespace triaxis::ui
