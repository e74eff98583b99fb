#pragma once

#include "ui/plan/plan_findings.h"

#include <QTimer>
#include <QWidget>

#include <filesystem>
#include <functional>

class QAction;
class QMenu;

namespace triaxis::ui
{

class Background;
class Banner;
class Calibrator;
class FigureStrip;
class FloorPanel;
class MachineFinder;
class PlanActions;
class PlanDocument;
class PlanFiles;
class PlanForm;
class PlanPredictor;
class RankPanel;
class StepPanels;

/// Where a layout is drawn: the floor of ranks, the settings of the run, what the selected rank
/// holds, what to look at, and the step that is predicted.
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
    PlanActions& actions() const { return *m_actions; }
    /// The page as menus; every action of it is in one of them.
    QList<QMenu*> menus() const { return m_menus; }
    void showGallery();
    void findLayout();
    void askWhatIf();
    /// Instead of the question that is put to a person, and of the `triaxis` beside this program.
    void setCalibration(std::function<bool()> ask, const QString& program);
    /// Asks triaxis-rank what this machine has.
    void findMachine();

    /// The widget beside which a finding of `where` is shown; null: nowhere but in the list.
    QWidget* placeFor(const std::string& where) const;

    /// While a run is being made the button waits.
    void setStarting(bool starting);
    void showProblem(const QString& title, const QString& detail);

signals:
    void runRequested();
    /// This machine has been measured anew from here.
    void calibrated();

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QWidget* buildForm();
    void buildLayout();
    void buildMenus();
    void connectParts();
    void connectCalibrator();
    void connectFinder();
    void refresh();
    void refreshPredicted();
    void refreshFigures();
    void mend(const DrawnMend& mend);
    void calibrate();

    PlanDocument& m_document;
    std::filesystem::path m_home;
    PlanPredictor* m_predictor;
    PlanFiles* m_files;
    PlanActions* m_actions;
    Calibrator* m_calibrator;
    MachineFinder* m_finder;
    Banner* m_banner;
    FigureStrip* m_figures;
    PlanForm* m_form;
    FloorPanel* m_floor;
    RankPanel* m_rank;
    StepPanels* m_steps;
    FindingPlaces m_places;
    std::function<bool()> m_askCalibrate;
    QString m_program; ///< that calibrates; empty: the one beside this program
    QTimer m_late; ///< runs while an edit waits for its prediction
    QList<QMenu*> m_menus;
};

} // namespace triaxis::ui
