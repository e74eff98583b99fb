#pragma once

#include "ui/plan/plan_document.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QSplitter;

namespace triaxis::ui
{

class AxisChip;
class Background;
class Banner;
class FigureStrip;
class FloorView;
class LayerBar;
class NoticeList;
class PageHeader;
class Panel;
class PlanForm;
class RankInspector;
class SchedulePanel;
struct Mend;

/// Where a layout is drawn: the floor of ranks, the settings of the run, what the selected rank holds, and what to look at.
class PlanPage : public QWidget
{
    Q_OBJECT
public:
    PlanPage(PlanDocument& document, Background& background, QWidget* parent = nullptr);

    /// While a run is being made the button waits.
    void setStarting(bool starting);
    void showProblem(const QString& title, const QString& detail);

signals:
    void runRequested();

private:
    QWidget* buildHeader();
    QWidget* buildForm();
    QWidget* buildFloor();
    QWidget* buildChips();
    QWidget* buildInspector();
    void connectChip(AxisChip* chip);
    void refresh();
    void refreshChips();
    void refreshHeader();
    void inspect();

    PlanDocument& m_document;
    Background& m_background;
    PageHeader* m_header;
    Banner* m_banner;
    FigureStrip* m_figures;
    PlanForm* m_form = nullptr;
    AxisChip* m_data = nullptr;
    AxisChip* m_tensor = nullptr;
    AxisChip* m_pipeline = nullptr;
    QComboBox* m_order = nullptr;
    FloorView* m_floor = nullptr;
    LayerBar* m_layers = nullptr;
    QLabel* m_layersTitle = nullptr;
    Panel* m_rankPanel = nullptr;
    RankInspector* m_inspector = nullptr;
    NoticeList* m_notices = nullptr;
    SchedulePanel* m_schedule;
    QPushButton* m_undo = nullptr;
    QPushButton* m_redo = nullptr;
    QPushButton* m_run = nullptr;
    bool m_starting = false;
};

} // namespace triaxis::ui
