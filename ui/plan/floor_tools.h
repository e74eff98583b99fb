#pragma once

#include "engine/layout/layout.h"

#include <QWidget>

#include <array>
#include <optional>

class QAction;
class QGridLayout;
class QToolButton;

namespace triaxis::ui
{

/// What dragging on the floor does.
enum class FloorBrush { Select, Tensor, Pipeline, Data, Swap };
inline constexpr std::array<FloorBrush, 5> floorBrushes{FloorBrush::Select, FloorBrush::Tensor,
                                                        FloorBrush::Pipeline, FloorBrush::Data,
                                                        FloorBrush::Swap};

/// The axis that a brush draws; nothing for Select and Swap.
std::optional<Axis> axisOf(FloorBrush brush);
/// How to use it, for the line at the foot of the floor.
QString hintOf(FloorBrush brush, const QString& deviceNoun);

/// The brushes beside the floor, and how much of it is seen. Every button is an action with a key
/// of its own.
class FloorTools : public QWidget
{
    Q_OBJECT
public:
    explicit FloorTools(QWidget* parent = nullptr);

    FloorBrush brush() const { return m_brush; }
    void setBrush(FloorBrush brush);
    QAction* action(FloorBrush brush) const { return m_brushes[std::size_t(brush)]; }
    QAction* zoomIn() const { return m_zoomIn; }
    QAction* zoomOut() const { return m_zoomOut; }
    QAction* fit() const { return m_fit; }
    QAction* fitSelection() const { return m_fitSelection; }
    QAction* fold() const { return m_fold; }
    /// For menus, in their order; nullptr: a separator.
    QList<QAction*> inOrder() const;
    /// Brushes with their names above one another, or two columns of icons where that is too high.
    void arrange(int height);
    bool isLabelled() const { return m_isLabelled; }

signals:
    void brushChanged(triaxis::ui::FloorBrush brush);
    /// By button, menu or key, also the one that there is.
    void brushTaken();

private:
    void addBrushes();
    QAction* add(const char* id, const char* icon, const QString& label);

    FloorBrush m_brush = FloorBrush::Select;
    std::array<QAction*, 5> m_brushes{};
    QAction* m_zoomIn;
    QAction* m_zoomOut;
    QAction* m_fit;
    QAction* m_fitSelection;
    QAction* m_fold;
    QList<QToolButton*> m_buttons;
    QGridLayout* m_grid;
    bool m_isLabelled = false;
};

} // namespace triaxis::ui
