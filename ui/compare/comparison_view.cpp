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
constexpr double tallestTimeline = 420; // pixels at a text size of 100 %; more lanes scroll

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
            const auto reading = std::make_shared<Reading>(read(directories));
            return [this, reading, request] {
                if (request == m_request)
                    take(std::move(*reading));
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

ComparisonView::Reading ComparisonView::read(const QStringList& directories)
{
    Reading reading;
    for (const QString& directory : directories)
        reading.runs.push_back(comparedRun(RunDirectory::open(directory.toStdString())));
    reading.figures = comparedFigures(reading.runs);
    reading.settings = comparedSettings(reading.runs, false);
    reading.differences = comparedSettings(reading.runs, true);
    reading.losses = comparedLosses(reading.runs);
    int shown = 0;
    for (const ComparedRun& run : reading.runs) {
        const bool isShown = !run.spans.empty() && shown < mostTimelines;
        reading.lanes.push_back(isShown ? lanesOf(run) : nullptr);
        shown += isShown;
    }
    return reading;
}

void ComparisonView::take(Reading read)
{
    m_read = std::move(read);
    m_busy = false;
    m_figures->setTable(m_read.figures);
    m_losses->setText(m_read.losses);
    m_lossPanel->setVisible(m_read.runs.size() > 1);
    drawCharts();
    showTimelines();
    showSettings();
    emit compared();
}

void ComparisonView::showSettings()
{
    const FigureTable& table =
        m_onlyDifferences->isChecked() ? m_read.differences : m_read.settings;
    m_settingsPanel->setHint(
        m_onlyDifferences->isChecked()
            ? (table.rows.empty()
                   ? tr("all are the same")
                   : counted(std::int64_t(table.rows.size()), QStringLiteral("difference")))
            : counted(std::int64_t(table.rows.size()), QStringLiteral("setting")));
    m_settings->setVisible(!table.rows.empty());
    m_settings->setTable(table);
}

void ComparisonView::drawCharts()
{
    m_chartWidth = std::max(320.0, (width() - chartMargin) / fontScale());
    const char* unit = m_read.runs.empty() ? "" : unitOfLoss(m_read.runs.front().plan);
    m_lossChart->setList(
        drawLineChart(chartOf(m_read.runs, unit, [](const StepResult& step) { return step.loss; }),
                      m_chartWidth, chartHeight));
    m_timeChart->setList(drawLineChart(
        chartOf(m_read.runs, "seconds", [](const StepResult& step) { return step.seconds; }),
        m_chartWidth, chartHeight));
    QStringList losses, times;
    for (const ComparedRun& run : m_read.runs) {
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
    for (const auto& lanes : m_read.lanes)
        if (lanes && (!longest || lanes->end() > longest->end()))
            longest = lanes;
    m_timelinesPanel->setVisible(longest != nullptr);
    m_range->setLanes(longest);
    m_range->setFollowing(false);
    for (std::size_t index = 0; index < m_read.lanes.size(); ++index) {
        const auto& lanes = m_read.lanes[index];
        if (!lanes)
            continue;
        const ComparedRun& run = m_read.runs[index];
        auto* name = new QLabel(
            tr("%1, step %2").arg(toQString(letteredName(m_read.runs, index))).arg(run.spansStep));
        auto* view = new LaneView;
        view->setAccessibleName(tr("Timeline of %1").arg(name->text()));
        view->setRange(m_range);
        view->setLanes(lanes);
        view->setFixedHeight(std::min(view->lowestHeight(), scaled(tallestTimeline)));
        m_timelines->addWidget(name);
        m_timelines->addWidget(view);
    }
    m_range->showAll();
}

void ComparisonView::write(const QString& file)
{
    const auto runs = std::make_shared<const std::vector<ComparedRun>>(m_read.runs);
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
