#pragma once

#include "engine/timeline/display_list.h"
#include "ui/plan/floor_gestures.h"
#include "ui/plan/floor_scene.h"
#include "ui/plan/floor_tools.h"
#include "ui/plan/rank_share.h"
#include "ui/theme/theme.h"

#include <QAbstractScrollArea>
#include <QPixmap>

namespace triaxis::ui
{

/// Where a layout is drawn: the picture of the cluster, with brushes that draw its axes.
/// Select: the cell under the cursor, or else the selected one, lights up its three groups; arrow
/// keys select, Escape clears. Tensor, Pipeline, Data: dragging over cells proposes another size of
/// the axis; so do the arrow keys and + and −. Swap: one rank dragged onto another; Enter, arrows,
/// Enter. Three handles on the outlines stretch the axes with every brush. Wheel, + and − zoom,
/// Home shows everything, F the selected cell; middle button, or Space and left button, pan.
class FloorView : public QAbstractScrollArea
{
    Q_OBJECT
public:
    explicit FloorView(QWidget* parent = nullptr);
    ~FloorView() override;

    void setModel(FloorModel model);
    const FloorModel& model() const { return m_floor.model(); }
    const FloorIndex& index() const { return m_floor; }
    /// What axes may become. Until it is called: anything that fits on the devices.
    void setLimits(SizeLimits limits);
    SizeLimits limits() const;
    /// What is wrong with the whole floor, at its foot; empty: nothing.
    void setProblem(const QString& problem);
    const QString& problem() const { return m_problem; }
    /// One node, this machine, that holds any layout. `shares` empty: memory is unknown.
    void showLayout(const Layout& layout, const std::vector<RankShare>& shares, int cores);

    FloorBrush brush() const { return m_tools->brush(); }
    void setBrush(FloorBrush brush) { m_tools->setBrush(brush); }
    FloorTools* tools() const { return m_tools; }
    /// The brushes and views, for menus; nullptr: a separator.
    QList<QAction*> floorActions() const { return m_tools->inOrder(); }

    std::optional<Coordinates> selected() const;
    /// The rank under the cursor, or else the selected one.
    std::optional<Coordinates> shown() const;
    void select(std::optional<Coordinates> at);
    std::optional<int> selectedDevice() const { return m_selected; }
    void selectDevice(std::optional<int> device);

    double zoom() const { return m_zoom; }
    void setZoom(double zoom, const QPointF& around);
    FloorDetail detail() const;
    bool isFolded() const { return m_folding.folded; }
    bool isDrawing() const { return m_gesture.has_value(); }
    const FloorGeometry& geometry() const { return m_geometry; }
    /// Cells in the viewport.
    QRect cellOnScreen(int device) const;
    FloorSpot spotAt(const QPointF& position) const;
    /// The handle that stretches an axis, in the viewport; null where there is none.
    QRectF handle(Axis axis) const;
    QString describe(int device) const { return describeDevice(m_floor, device); }

    /// What is shown now, for files.
    DisplayList picture() const;

    QSize sizeHint() const override;

public slots:
    void zoomIn();
    void zoomOut();
    void fit();
    void fitSelection();
    void setFolded(bool folded);
    void cancel();

signals:
    void shownChanged();
    /// Something is about to be drawn: the model must be that of the newest plan.
    void drawingBegins();
    void brushChanged(triaxis::ui::FloorBrush brush);
    /// What the plan would be, while it is drawn and once at the end. All of one gesture have its
    /// number (> 0) and are one step of the history; each takes the place of the one before.
    void proposed(const triaxis::ui::FloorProposal& proposal, int gesture);
    /// The last proposal stays.
    void finished(int gesture);
    /// The first state was proposed again.
    void cancelled(int gesture);

protected:
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override;
    void scrollContentsBy(int dx, int dy) override;
    bool viewportEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    /// From the press of a button to its release.
    struct Gesture
    {
        FloorProposal::By by = FloorProposal::By::Brush;
        Axis axis = Axis::Data;
        int id = 0;
        int first = 0; ///< device
        int last = 0;
        QPointF press;
        QPointF at;
        bool moved = false; ///< far enough to be no click
        FloorProposal base;
        FloorProposal latest;
        std::vector<int> deviceOfRank; ///< at the start
        // Where the floor lay then: what a drag means does not depend on how it is redrawn.
        FloorGeometry geometry;
        double zoom = 1;
        QPointF origin;
        bool emitted = false;
    };

    QPointF origin() const;
    FloorScene scene() const;
    double fittingZoom() const;
    int footHeight() const; ///< of the line below the floor
    void placeTools();
    void rebuild();
    void refit();
    void updateScrollBars();
    void refresh();
    void hover(std::optional<int> device);
    void moveSelection(int across, int down);
    void ensureVisible(int device);
    void tell(const QString& text);
    void updateCursor(const QPointF& position);
    QString toolTipAt(const QPointF& position) const;

    std::optional<Axis> handleAt(const QPointF& position) const;
    void beginStretch(FloorProposal::By by, Axis axis, int device, const QPointF& at);
    void beginSwap(int device, const QPointF& at);
    void startGesture(Gesture gesture);
    void dragTo(const QPointF& position);
    void propose(const FloorProposal& proposal);
    void finishGesture();
    void endGesture();
    void stepAxis(Axis axis, int steps);
    void swapByKey();
    bool brushKey(QKeyEvent* event);
    bool viewKey(QKeyEvent* event);
    QString wordsFor(const FloorProposal& proposal) const;

    void paintGesture(QPainter& painter, const FloorScene& scene) const;
    void paintHandles(QPainter& painter) const;
    void paintFocus(QPainter& painter, const FloorScene& scene) const;
    void paintFoot(QPainter& painter) const;
    QString summary() const;
    void paintPill(QPainter& painter, const QRect& box, const QString& text, const QColor& fill,
                   const QColor& ink) const;

    FloorIndex m_floor;
    FloorGeometry m_geometry;
    FloorFolding m_folding;
    bool m_foldingChosen = false; ///< by hand
    QString m_problem;
    std::optional<SizeLimits> m_limits;
    FloorTools* m_tools;
    mutable FloorSprites m_sprites;
    QPixmap m_picture; ///< everything that does not follow the cursor
    bool m_stale = true;
    double m_zoom = 1;
    bool m_fitted = true; ///< follows the size of the window
    std::optional<int> m_selected;
    std::optional<int> m_hovered;
    std::optional<int> m_marked; ///< rank to be swapped by keys
    std::optional<Gesture> m_gesture;
    std::optional<FloorModel> m_shrunk; ///< to be shown once the gesture has ended
    int m_gestures = 0;
    bool m_panning = false;
    bool m_spaceHeld = false;
    QPointF m_panFrom;
};

} // namespace triaxis::ui
