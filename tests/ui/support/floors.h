#pragma once

#include "ui/plan/floor_view.h"

#include <QUndoStack>

namespace triaxis::tests
{

/// A layout in the order tensor, data, pipeline.
Layout layoutOf(int dp, int tp, int pp);
/// The same in the order tensor, pipeline, data, on nodes that may be more than it needs.
ui::FloorModel floorOf(int dp, int tp, int pp, int nodeSize, int nodes);

/// On screen, with the keyboard.
void showFloor(ui::FloorView& view);
QPoint centreOf(const ui::FloorView& view, int device);
void dragCells(ui::FloorView& view, int from, int to);
void pressFloor(ui::FloorView& view, const QPoint& at);
void moveOverFloor(ui::FloorView& view, const QPoint& at);

/// A floor that can be drawn on, with a way back: proposals of one gesture are one step.
class SmallDocument : public QObject
{
public:
    SmallDocument(ui::FloorView& view, ui::FloorModel model);

    const ui::FloorModel& model() const { return m_model; }
    ui::AxisSizes sizes() const { return ui::sizesOf(m_model.layout); }
    QUndoStack undo;

private:
    class Change;
    void put(const ui::FloorModel& model);

    ui::FloorView& m_view;
    ui::FloorModel m_model;
};

} // namespace triaxis::tests
