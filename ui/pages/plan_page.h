#pragma once

#include "ui/plan/plan_document.h"

#include <QTimer>
#include <QWidget>

#include <filesystem>

class QAction;
class QComboBox;
class QLabel;
class QPushButton;
class QStackedWidget;

namespace triaxis::ui
{

class AxisChip;
class Calibrator;
class Background;
class Banner;
class FigureStrip;
class FloorView;
class LayerBar;
class NoticeList;
class PageHeader;
class Panel;
class PlanFiles;
class PlanForm;
class PlanPredictor;
class PredictedStepPanel;
class RankInspector;
class SchedulePanel;
struct FloorProposal;

/// Where a layout is drawn: the floor of ranks, the settings of the run, what the selected rank
/// holds, and what to look at.
class PlanPage : public QWidget
{
    Q_OBJECT
public:
    /// `home`: where the calibration of this machine lies; empty: the usual place.
    PlanPage(PlanDocument& document, Background& background, std::filesystem::path home = {},
             QWidget* parent = nullptr);
    ~PlanPage() override;

    PlanFiles& files() const { return *m_files; }
    PlanPredictor& predictor() const { return *m_predictor; }
    /// Everything that can be done with the plan, for menus and shortcuts.
    QList<QAction*> planActions() const;
    void showGallery();
    void findLayout();
    void askWhatIf();
    /// Puts the timeline of the predicted step in the place of the schedule's picture, or back.
    void showPredictedStep(bool shown);

    /// While a run is being made the button waits.
    void setStarting(bool starting);
    void showProblem(const QString& title, const QString& detail);

signals:
    void runRequested();

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    QWidget* buildHeader();
    QWidget* buildForm();
    QWidget* buildFloor();
    QWidget* buildChips();
    QWidget* buildInspector();
    void connectChip(AxisChip* chip);
    QWidget* buildBottom();
    void buildMenu();
    void refresh();
    void refreshPredicted();
    void refreshChips();
    void refreshFigures();
    void refreshFloor();
    void takeProposal(const FloorProposal& proposal, int gesture);
    void refreshLayers();
    bool holdsLayers() const;
    void refreshNotices();
    void refreshHeader();
    std::vector<Diagnostic> findings() const;
    void inspect();
    void calibrate();

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
    QPushButton* m_menuButton = nullptr;
    QPushButton* m_search = nullptr;
    QStackedWidget* m_bottom = nullptr;
    PredictedStepPanel* m_step = nullptr;
    PlanPredictor* m_predictor;
    PlanFiles* m_files;
    Calibrator* m_calibrator;
    QAction* m_findAction = nullptr;
    QAction* m_whatIfAction = nullptr;
    QAction* m_stepAction = nullptr;
    std::filesystem::path m_home;
    QTimer m_late; ///< runs while an edit waits for its prediction
    DrawnPlan m_gestureStart;
    int m_gesture = 0;
    bool m_starting = false;
};

} // namespace triaxis::ui
