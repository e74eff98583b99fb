#pragma once

#include <QSplitter>

namespace triaxis::ui
{

/// A splitter whose handle is the gap between two panels.
inline QSplitter* panelSplitter(Qt::Orientation orientation)
{
    auto* splitter = new QSplitter(orientation);
    splitter->setHandleWidth(12);
    splitter->setChildrenCollapsible(false);
    return splitter;
}

} // namespace triaxis::ui
