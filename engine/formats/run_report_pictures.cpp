#include "engine/core/units.h"
#include "engine/formats/run_report_sections.h"
#include "engine/record/step_figures.h"
#include "engine/timeline/charts.h"
#include "engine/timeline/number_text.h"
#include "engine/timeline/timeline_geometry.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <tuple>

namespace triaxis
{
namespace
{

constexpr std::size_t mostLanes = 256;
constexpr double axisHeight = 24;
constexpr double chartHeight = 240;
constexpr double hintHeight = 64;

/// Lanes get lower the more there are; from 65 ranks on communication is left out.
TimelineView stepView(const Lanes& lanes, std::int32_t step)
{
    TimelineView view;
    std::tie(view.from, view.to) = lanes.stepRange(step);
    const std::size_t ranks = lanes.ranks().size();
    if (ranks > 64) {
        view.computeHeight = 9;
        view.communicationHeight = 0;
        view.laneGap = 2;
        view.headerWidth = 130;
    } else if (ranks > 16) {
        view.computeHeight = 14;
        view.communicationHeight = 5;
        view.laneGap = 6;
        view.headerWidth = 130;
    }
    return view;
}

DisplayList drawStep(const Lanes& lanes, TimelineView view, double width)
{
    view.width = width;
    if (lanes.ranks().size() > mostLanes) {
        const TimelineGeometry geometry(lanes, view);
        view.height = geometry.laneTop(mostLanes - 1) + geometry.pitch();
    }
    const bool communication = view.communicationHeight > 0;
    std::vector<DisplayList> parts;
    parts.push_back(drawTimeline(lanes, view));
    parts.push_back(
        drawLegend(categoriesIn(lanes, view.from, view.to, communication), width, communication));
    return stacked(std::move(parts), 10);
}

ReportTable stepTable(const ReportInput& input)
{
    ReportTable table{"steps",
                      "Steps",
                      {{"step", "Step", "number"},
                       {"loss_nats", "Loss", unitOfLoss(input.plan)},
                       {"gradient_norm", "Gradient norm", "L2"},
                       {"begin_s", "Begin"},
                       {"step_s", "Step time"},
                       {"tokens", "Tokens", "count"}}};
    table.fileOnly = true;
    const auto number = [](double value) {
        return ReportCell{figureText(value), std::isfinite(value) ? exactText(value) : ""};
    };
    for (const StepResult& step : input.facts.steps)
        table.rows.push_back({{std::to_string(step.step), std::to_string(step.step)},
                              number(step.loss),
                              number(step.gradientNorm),
                              secondsCell(step.begin),
                              secondsCell(step.seconds),
                              {std::to_string(step.tokens), std::to_string(step.tokens)}});
    return table;
}

using StepValue = double (*)(const StepResult&);

ReportPicture chartOf(const std::string& id, const std::string& title, LineChart chart,
                      const std::vector<StepResult>& steps, StepValue value)
{
    for (const StepResult& step : steps)
        chart.points.emplace_back(step.step, value(step));
    return {id, title, [chart](double width) {
                return drawLineChart(chart, width, chart.points.empty() ? hintHeight : chartHeight);
            }};
}

} // namespace

void addTimeline(ReportSections& sections, const ReportInput& input)
{
    const ReportFacts& facts = input.facts;
    const auto lanes = std::make_shared<Lanes>(input.plan.layout);
    lanes->append(facts.bubble.spans);
    if (lanes->stepRanges().empty()) {
        ReportSection section{"Timeline", {}};
        section.blocks.emplace_back(
            ReportParagraph{"No spans were recorded. They come with the first step: a run "
                            "that ended before it has none.",
                            ReportTone::Note});
        sections.push_back(std::move(section));
        return;
    }
    const TimelineView view = stepView(*lanes, facts.bubble.step);
    std::string remark =
        filled("grouped by replica, then stage · %1", {units::seconds(view.to - view.from)});
    if (lanes->ranks().size() > mostLanes)
        remark += " · " + filled("first %1 of %2 ranks", {std::to_string(mostLanes),
                                                          std::to_string(lanes->ranks().size())});
    if (!(view.communicationHeight > 0))
        remark += " · communication left out";
    ReportSection section{filled("Timeline · step %1", {std::to_string(facts.bubble.step)}),
                          remark};
    section.blocks.emplace_back(ReportPicture{
        "timeline", section.title,
        [lanes, view](double width) { return drawStep(*lanes, view, width); }, axisHeight, true});
    sections.push_back(std::move(section));
}

void addLoss(ReportSections& sections, const ReportInput& input)
{
    LineChart chart;
    chart.xName = "step";
    chart.yName = unitOfLoss(input.plan);
    if (input.plan.data.bestLoss >= 0) {
        chart.reference = input.plan.data.bestLoss;
        chart.referenceName = filled("best reachable %1", {figureText(chart.reference)});
    }
    ReportSection section{"Loss", "mean of the global batch, before the update"};
    section.width = ReportWidth::Half;
    section.blocks.emplace_back(chartOf("loss", "Loss by step", chart, input.facts.steps,
                                        [](const StepResult& step) { return step.loss; }));
    const auto missing =
        std::count_if(input.facts.steps.begin(), input.facts.steps.end(),
                      [](const StepResult& step) { return !std::isfinite(step.loss); });
    if (missing > 0)
        section.blocks.emplace_back(
            ReportParagraph{countedText("%n steps have a loss that is no finite number.",
                                        "%n step has a loss that is no finite number.", missing),
                            ReportTone::Note});
    section.blocks.emplace_back(stepTable(input));
    sections.push_back(std::move(section));

    LineChart times;
    times.xName = "step";
    times.yName = "seconds";
    ReportSection second{"Step time", "on rank 0, every step"};
    second.width = ReportWidth::Half;
    second.blocks.emplace_back(chartOf("step-time", "Step time by step", times, input.facts.steps,
                                       [](const StepResult& step) { return step.seconds; }));
    sections.push_back(std::move(second));
}

} // namespace triaxis
