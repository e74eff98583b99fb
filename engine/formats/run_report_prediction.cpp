#include "engine/core/units.h"
#include "engine/formats/run_report_sections.h"
#include "engine/timeline/charts.h"
#include "engine/timeline/number_text.h"
#include "engine/timeline/prediction_join.h"
#include "engine/timeline/timeline_geometry.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>

namespace triaxis
{
namespace
{

constexpr int mostLanes = 64;
constexpr std::size_t mostOpenRows = 16;
constexpr double mostApart = 4;

/// "+4.2 %", "−12 %"; "×12" where a percentage is no help any more.
ReportCell errorCell(double error)
{
    if (!std::isfinite(error))
        return {"–", ""};
    const std::string text =
        error > 9.995
            ? "×" + shortText(error + 1, 0)
            : (error < 0 ? "−" : "+") +
                  fixedText(100 * std::abs(error), std::abs(error) < 0.1 ? 1 : 0) + "\u202f%";
    return {text, exactText(error), "", true};
}

/// Steps that a prediction can be held against: whole, the first left out where there are others.
std::vector<Span> comparedSpans(const ReportInput& input)
{
    std::map<std::int32_t, std::set<Rank>> ranks;
    for (const Span& span : input.records.all.spans)
        ranks[span.step].insert(span.rank);
    std::size_t most = 0;
    for (const auto& [step, of] : ranks)
        most = std::max(most, of.size());
    const bool skipFirst = ranks.size() > 1;
    std::vector<Span> spans;
    for (const Span& span : input.records.all.spans)
        if (ranks[span.step].size() == most && !(skipFirst && span.step == ranks.begin()->first))
            spans.push_back(span);
    return spans;
}

std::vector<ReportColumn> errorColumns(const std::string& id, const std::string& first)
{
    return {{id, first, "", false},
            {"measured_s", "Measured"},
            {"predicted_s", "Predicted"},
            {"median_error_share", "Median error"},
            {"worst_error_share", "Worst error"},
            {"spans", "Spans joined", "count"}};
}

std::vector<ReportCell> errorRow(ReportCell name, double measured, double predicted,
                                 const SpanErrors& errors)
{
    const double none = std::numeric_limits<double>::quiet_NaN();
    const bool any = errors.compared > 0;
    return {std::move(name),
            secondsCell(measured),
            secondsCell(predicted),
            errorCell(any ? errors.median : none),
            errorCell(any ? errors.worst : none),
            {units::count(double(errors.spans)), std::to_string(errors.spans)}};
}

ReportTable kindTable(const PredictionJoin& join)
{
    ReportTable table{"prediction-by-kind", "Errors by kind of instruction",
                      errorColumns("kind", "Kind")};
    for (const KindErrors& row : join.byKind)
        table.rows.push_back(errorRow({toText(row.kind), toText(row.kind)}, row.errors.measured,
                                      row.errors.predicted, row.errors));
    return table;
}

ReportTable rankTable(const PredictionJoin& join)
{
    ReportTable table{"prediction-by-rank", "Errors by rank, computations",
                      errorColumns("rank", "Rank")};
    for (const RankErrors& row : join.byRank)
        if (row.errors.spans > 0)
            table.rows.push_back(errorRow({rankText(row.rank), std::to_string(row.rank.value)},
                                          row.measuredSeconds, row.predictedSeconds, row.errors));
    if (table.rows.size() > mostOpenRows) {
        table.title =
            countedText("Errors of all %n ranks, computations",
                        "Errors of all %n rank, computations", std::int64_t(table.rows.size()));
        table.folded = true;
    }
    return table;
}

std::int64_t fullest(const std::vector<PredictedBytes>& ranks)
{
    std::int64_t most = 0;
    for (const PredictedBytes& rank : ranks)
        most = std::max(most, rank.peakTotal);
    return most;
}

ReportTable stepErrorsTable(const ReportInput& input, const PredictionJoin& join)
{
    const MachinePrediction& predicted = *input.source.prediction->prediction;
    ReportTable table{"prediction",
                      "The run, predicted and measured",
                      {{"figure", "Figure", "", false},
                       {"measured", "Measured"},
                       {"predicted", "Predicted"},
                       {"error_share", "Error"}}};
    const auto add = [&table](ReportCell name, ReportCell measured, ReportCell told,
                              ReportCell error) {
        table.rows.push_back(
            {std::move(name), std::move(measured), std::move(told), std::move(error)});
    };
    add({"step time", "step_s"}, secondsCell(input.facts.stepSeconds),
        secondsCell(predicted.stepSeconds),
        errorCell(predicted.stepSeconds / input.facts.stepSeconds - 1));
    const double points = join.predictedBubble - input.facts.bubble.kept.bubble;
    add({"bubble", "bubble_share"}, shareCell(input.facts.bubble.kept.bubble),
        shareCell(join.predictedBubble),
        std::isfinite(points)
            ? ReportCell{filled("%1 points",
                                {(points < 0 ? "−" : "+") + fixedText(100 * std::abs(points), 1)}),
                         exactText(points), "", true}
            : ReportCell{"–", ""});
    std::int64_t peak = 0;
    for (const RankMemory& memory : input.facts.memory)
        peak = std::max(peak, memory.peakTotal);
    const std::int64_t told = fullest(predicted.memory);
    if (peak > 0 && told > 0)
        add({"peak memory of the fullest rank", "peak_bytes"}, bytesCell(peak), bytesCell(told),
            errorCell(double(told) / double(peak) - 1));
    return table;
}

/// Both on one scale, each from its own begin on.
void addTimelines(ReportSection& section, const ReportInput& input)
{
    const Layout& layout = input.plan.layout;
    if (layout.ranks() > mostLanes || input.facts.bubble.step < 0)
        return;
    const auto measured = std::make_shared<Lanes>(layout);
    std::vector<Span> spans = input.facts.bubble.spans;
    const auto begin = [](const std::vector<Span>& all) {
        double first = std::numeric_limits<double>::infinity();
        for (const Span& span : all)
            first = std::min(first, span.ready);
        return std::isfinite(first) ? first : 0;
    };
    const auto fromZero = [&](std::vector<Span>& all) {
        const double zero = begin(all);
        for (Span& span : all) {
            span.ready -= zero;
            span.begin -= zero;
            span.end -= zero;
        }
    };
    fromZero(spans);
    measured->append(spans);
    const auto predicted = std::make_shared<Lanes>(layout);
    std::vector<Span> told = input.source.prediction->prediction->spans;
    fromZero(told);
    predicted->append(told);
    // Far apart, one of them would be too short to be seen.
    const double ratio = measured->end() > 0 ? predicted->end() / measured->end() : 0;
    const bool oneScale = ratio > 1 / mostApart && ratio < mostApart;
    const double longest = std::max(measured->end(), predicted->end());
    TimelineView view;
    view.computeHeight = layout.ranks() > 4 ? 13 : 18;
    view.communicationHeight = layout.ranks() > 4 ? 5 : 8;
    view.laneGap = layout.ranks() > 4 ? 5 : 10;
    const auto draw = [view, oneScale, longest](const std::shared_ptr<Lanes>& lanes, double width) {
        TimelineView wide = view;
        wide.width = width;
        wide.from = 0;
        wide.to = oneScale ? longest : lanes->end();
        return drawTimeline(*lanes, wide);
    };
    const auto heading = [](const std::string& words, double width) {
        DisplayList list;
        list.width = width;
        list.height = 20;
        list.items.emplace_back(DrawText{0, 10, words, Ink::MutedText, 12, Align::Left, true});
        return list;
    };
    const std::string above =
        filled("measured, step %1", {std::to_string(input.facts.bubble.step)});
    const std::string below =
        oneScale ? "predicted, on the same scale" : "predicted, on a scale of its own";
    section.blocks.emplace_back(ReportPicture{
        "prediction-timelines", "Measured and predicted step",
        [=](double width) {
            return stacked({heading(above, width), draw(measured, width), heading(below, width),
                            draw(predicted, width),
                            drawLegend(categoriesIn(*measured, 0, longest, true), width, true)},
                           8);
        },
        0, true});
}

} // namespace

void addPredictionErrors(ReportSections& sections, const ReportInput& input)
{
    const RunPrediction* prediction = input.source.prediction;
    if (!prediction)
        return;
    ReportSection section{"Prediction against measurement", ""};
    if (!prediction->prediction) {
        section.blocks.emplace_back(ReportParagraph{
            filled("No prediction: %1. To get one, %2.", {prediction->problem, prediction->remedy}),
            ReportTone::Note});
        sections.push_back(std::move(section));
        return;
    }
    const PredictionJoin join =
        joinPrediction(prediction->prediction->spans, comparedSpans(input), input.plan.layout);
    section.remark = filled(
        "predicted from %1 · %2",
        {prediction->basis, countedText("%n steps compared", "%n step compared", join.steps)});
    section.blocks.emplace_back(stepErrorsTable(input, join));
    section.blocks.emplace_back(kindTable(join));
    section.blocks.emplace_back(rankTable(join));
    addTimelines(section, input);
    section.blocks.emplace_back(
        ReportParagraph{"Error: predicted over measured − 1, above 0 where the prediction is "
                        "too long. Spans are joined by rank, instruction and step; transfers "
                        "are compared without waiting. Median and worst are of single "
                        "spans.",
                        ReportTone::Note});
    sections.push_back(std::move(section));
}

} // namespace triaxis
