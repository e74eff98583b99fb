#pragma once

#include "engine/compare/compared_run.h"
#include "engine/timeline/lanes.h"
#include "ui/base/background.h"
#include "ui/panels/figure_table.h"
#include "ui/timeline/view_range.h"

#include <QWidget>

#include <memory>
#include <vector>

class QCheckBox;
class QLabel;
class QVBoxLayout;

namespace triaxis::ui
{

class DisplayListView;
class Panel;

/// Stored runs side by side: figures with change and spread, whether they compute the same, curves
/// over each other, the timelines of one step each that zoom together, and what their settings
/// differ in. The first run is what the others are compared with.
class ComparisonView : public QWidget
{
    Q_OBJECT
public:
    explicit ComparisonView(QWidget* parent = nullptr);
    ~ComparisonView() override;

    /// Reads the runs in the background; compared() or failed() follows.
    void compare(const QStringList& directories);
    void clear();
    const std::vector<ComparedRun>& runs() const { return m_read.runs; }
    bool isBusy() const { return m_busy; }
    /// Writes the comparison as one HTML page or, for a name that ends with .csv, its figures;
    /// written() or failed() follows.
    void write(const QString& file);

signals:
    void compared();
    void written(const QString& file);
    void failed(const QString& title, const QString& detail);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    /// The runs, and all of what is shown of them that can be made beside the window.
    struct Reading
    {
        std::vector<ComparedRun> runs;
        FigureTable figures;
        FigureTable settings;
        FigureTable differences;
        QString losses;
        std::vector<std::shared_ptr<const Lanes>> lanes; ///< by run; null: not shown
    };
    static Reading read(const QStringList& directories);
    void take(Reading read);
    void showSettings();
    void drawCharts();
    void showTimelines();

    Background m_background;
    Reading m_read;
    bool m_busy = false;
    int m_request = 0;  ///< answers to older questions are dropped
    ViewRange* m_range; ///< of all timelines
    FigureTableView* m_figures;
    FigureTableView* m_settings;
    Panel* m_settingsPanel;
    QCheckBox* m_onlyDifferences;
    Panel* m_lossPanel;
    QLabel* m_losses;
    DisplayListView* m_lossChart;
    DisplayListView* m_timeChart;
    Panel* m_timelinesPanel;
    QVBoxLayout* m_timelines;
    double m_chartWidth = 0;
};

} // namespace triaxis::ui
