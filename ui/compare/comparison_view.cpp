#include "ui/compare/comparison_view.h"

#include "engine/core/error.h"
#include "engine/core/units.h"
#include "engine/formats/comparison_html.h"
#include "engine/record/small_file.h"
#include "engine/record/step_figures.h"
#include "engine/timeline/charts.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/compare/comparison_tables.h"
#include "ui/panels/figure_table.h"
#include "ui/theme/fonts.h"
#include "ui/widgets/display_list_view.h"
#include "ui/widgets/icon_button.h"
#include "ui/widgets/lane_view.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/scrolling.h"

#include <QCheckBox>
#include <QLabel>
#include <QResizeEvent>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace triaxis::ui
{
namespace
{

constexpr double chartHeight = 230;
constexpr int chartMargin = 44; // of page and panel, both sides
constexpr int mostTimelines = 12;
constexpr double laneHeight = 36; // pixels at a text size of 100 %
constexpr double axisHeight = 34;
constexpr int mostLanesShown = 8; // more scroll

using StepValue = double (*)(const StepResult&);

LineChart chartOf(const std::vector<ComparedRun>& runs, const char* unit, StepValue value)
{
    LineChart chart;
    chart.xName = "step";
    chart.yName = unit;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        Curve curve{letteredName(runs, i), {}};
        for (const StepResult& step : runs[i].steps)
            curve.points.emplace_back(step.step, value(step));
        chart.curves.push_back(std::move(curve));
    }
    return chart;
}

std::shared_ptr<const Lanes> lanesOf(const ComparedRun& run)
{
    auto lanes = std::make_shared<Lanes>(run.spansLayout);
    lanes->append(run.spans);
    return lanes;
}

} // namespace

ComparisonView::ComparisonView(QWidget* parent)
    : QWidget(parent), m_range(new ViewRange(this)),
      m_figures(new FigureTableView(QStringLiteral("comparedFigures"),
                                    tr("Figures of the compared runs"))),
      m_settings(new FigureTableView(QStringLiteral("comparedSettings"),
                                     tr("Settings of the compared runs"))),
      m_settingsPanel(new Panel(tr("Settings"))),
      m_onlyDifferences(new QCheckBox(tr("Only differences"))),
      m_lossPanel(new Panel(tr("Do they compute the same?"))), m_losses(new QLabel),
      m_lossChart(new DisplayListView), m_timeChart(new DisplayListView),
      m_timelinesPanel(new Panel(tr("One step of each"))), m_timelines(nullptr)
{
    setObjectName(QStringLiteral("comparison"));
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(12);

    auto* figures = new Panel(tr("Figures"));
    figures->setHint(tr("median over the steps · change against the first run"));
    figures->setContent(m_figures);
    column->addWidget(figures);

    m_losses->setObjectName(QStringLiteral("comparedLosses"));
    m_losses->setWordWrap(true);
    m_losses->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_lossPanel->setContent(m_losses);
    column->addWidget(m_lossPanel);

    m_lossChart->setObjectName(QStringLiteral("comparedLossChart"));
    m_lossChart->setAccessibleName(tr("Losses of the compared runs"));
    m_timeChart->setObjectName(QStringLiteral("comparedTimeChart"));
    m_timeChart->setAccessibleName(tr("Step times of the compared runs"));
    auto* loss = new Panel(tr("Loss"));
    loss->setContent(m_lossChart);
    column->addWidget(loss);
    auto* time = new Panel(tr("Step time"));
    time->setContent(m_timeChart);
    column->addWidget(time);

    auto* lanes = new QWidget;
    m_timelines = new QVBoxLayout(lanes);
    m_timelines->setContentsMargins(0, 0, 0, 0);
    m_timelines->setSpacing(6);
    m_timelinesPanel->setHint(tr("aligned at its begin; they zoom together"));
    m_timelinesPanel->setContent(lanes);
    column->addWidget(m_timelinesPanel);

    m_onlyDifferences->setObjectName(QStringLiteral("onlyDifferences"));
    m_onlyDifferences->setChecked(true);
    connect(m_onlyDifferences, &QCheckBox::toggled, this, &ComparisonView::showSettings);
    m_settingsPanel->addHeaderWidget(m_onlyDifferences);
    m_settings->setWidestName(240);
    m_settingsPanel->setContent(m_settings);
    column->addWidget(m_settingsPanel);
    column->addStretch(1);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    QScrollArea* area = scrolling(page);
    area->setAccessibleName(tr("Comparison"));
    layout->addWidget(area);
}

ComparisonView::~ComparisonView() = default;

void ComparisonView::compare(const QStringList& directories)
{
    m_busy = true;
    const int request = ++m_request;
    m_background.post(this, [this, directories, request]() -> Background::Delivery {
        try {
            auto runs = std::make_shared<std::vector<ComparedRun>>();
            for (const QString& directory : directories)
                runs->push_back(comparedRun(RunDirectory::open(directory.toStdString())));
            return [this, runs, request] {
                if (request == m_request)
                    take(std::move(*runs));
            };
        } catch (const Error& error) {
            const QString title = spoken(error.what());
            return [this, title, request] {
                if (request != m_request)
                    return;
                m_busy = false;
                emit failed(tr("The runs cannot be compared"), title);
            };
        }
    });
}

void ComparisonView::clear()
{
    ++m_request;
    take({});
}

void ComparisonView::take(std::vector<ComparedRun> runs)
{
    m_runs = std::move(runs);
    m_busy = false;
    showFigures();
    showLosses();
    drawCharts();
    showTimelines();
    showSettings();
    emit compared();
}

void ComparisonView::showFigures()
{
    m_figures->setTable(comparedFigures(m_runs));
}

void ComparisonView::showLosses()
{
    m_losses->setText(comparedLosses(m_runs));
    m_lossPanel->setVisible(m_runs.size() > 1);
}

void ComparisonView::showSettings()
{
    FigureTable table = comparedSettings(m_runs, m_onlyDifferences->isChecked());
    m_settingsPanel->setHint(
        m_onlyDifferences->isChecked()
            ? (table.rows.empty()
                   ? tr("all are the same")
                   : counted(std::int64_t(table.rows.size()), QStringLiteral("difference")))
            : counted(std::int64_t(table.rows.size()), QStringLiteral("setting")));
    m_settings->setVisible(!table.rows.empty());
    m_settings->setTable(std::move(table));
}

void ComparisonView::drawCharts()
{
    m_chartWidth = std::max(320.0, (width() - chartMargin) / fontScale());
    const char* unit = m_runs.empty() ? "" : unitOfLoss(m_runs.front().plan);
    m_lossChart->setList(
        drawLineChart(chartOf(m_runs, unit, [](const StepResult& step) { return step.loss; }),
                      m_chartWidth, chartHeight));
    m_timeChart->setList(drawLineChart(
        chartOf(m_runs, "seconds", [](const StepResult& step) { return step.seconds; }),
        m_chartWidth, chartHeight));
    QStringList losses, times;
    for (const ComparedRun& run : m_runs) {
        const QString name = toQString(run.name);
        losses << tr("%1 ends at %2").arg(name, lossText(run.finalLoss));
        times << tr("%1 takes %2 in the middle")
                     .arg(name, spoken(units::seconds(run.stepSeconds.middle)));
    }
    m_lossChart->setAccessibleDescription(losses.join(QStringLiteral("; ")));
    m_timeChart->setAccessibleDescription(times.join(QStringLiteral("; ")));
}

void ComparisonView::showTimelines()
{
    while (QLayoutItem* item = m_timelines->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    std::shared_ptr<const Lanes> longest;
    std::vector<std::pair<std::size_t, std::shared_ptr<const Lanes>>> shown;
    for (std::size_t i = 0; i < m_runs.size() && int(shown.size()) < mostTimelines; ++i) {
        if (m_runs[i].spans.empty())
            continue;
        shown.emplace_back(i, lanesOf(m_runs[i]));
        if (!longest || shown.back().second->end() > longest->end())
            longest = shown.back().second;
    }
    m_timelinesPanel->setVisible(!shown.empty());
    m_range->setLanes(longest);
    m_range->setFollowing(false);
    for (const auto& [index, lanes] : shown) {
        const ComparedRun& run = m_runs[index];
        auto* name = new QLabel(
            tr("%1, step %2").arg(toQString(letteredName(m_runs, index))).arg(run.spansStep));
        auto* view = new LaneView;
        view->setAccessibleName(tr("Timeline of %1").arg(name->text()));
        view->setRange(m_range);
        view->setLanes(lanes);
        const int lanesShown =
            std::min(mostLanesShown, run.spansLayout.ranks() + run.spansLayout.dp - 1);
        view->setFixedHeight(int(scaled(int(axisHeight + laneHeight * lanesShown))));
        m_timelines->addWidget(name);
        m_timelines->addWidget(view);
    }
    m_range->showAll();
}

void ComparisonView::write(const QString& file)
{
    const auto runs = std::make_shared<const std::vector<ComparedRun>>(m_runs);
    const bool all = !m_onlyDifferences->isChecked();
    m_background.post(this, [this, runs, file, all]() -> Background::Delivery {
        try {
            const bool csv = file.endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive);
            replaceFile(file.toStdString(),
                        csv ? comparisonCsv(*runs) : comparisonHtml(*runs, all));
            return [this, file] { emit written(file); };
        } catch (const Error& error) {
            const QString detail = spoken(error.what());
            return [this, detail] { emit failed(tr("The comparison was not written"), detail); };
        }
    });
}

void ComparisonView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (std::abs((event->size().width() - chartMargin) / fontScale() - m_chartWidth) > 0.5)
        drawCharts();
}

} // namespace triaxis::ui
