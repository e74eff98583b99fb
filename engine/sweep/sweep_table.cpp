#include "engine/sweep/sweep_table.h"

#include "engine/core/csv_table.h"
#include "engine/core/spread.h"
#include "engine/core/units.h"
#include "engine/record/step_figures.h"
#include "engine/sweep/sweep_layouts.h"
#include "engine/timeline/bubble_phases.h"
#include "engine/timeline/number_text.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace triaxis
{
namespace
{

void addTimes(SweepRow& row, const std::vector<StepResult>& steps, double stretch,
              double tokensOfTarget)
{
    const StepFigures figures = stepFigures(steps);
    row.steps = figures.steps;
    row.stepSeconds = figures.stepSeconds / stretch;
    std::vector<double> seconds;
    for (std::size_t i = steps.size() > 1 ? 1 : 0; i < steps.size(); ++i)
        seconds.push_back(steps[i].seconds / stretch);
    const Spread spread = spreadOf(std::move(seconds));
    row.fastest = spread.lower;
    row.slowest = spread.upper;
    row.tokensPerSecond =
        tokensOfTarget > 0 ? tokensOfTarget / row.stepSeconds : figures.tokensPerSecond * stretch;
    if (!steps.empty())
        row.finalLoss = steps.back().loss;
}

std::map<std::int32_t, std::vector<Span>> byStep(const std::vector<Span>& spans)
{
    std::map<std::int32_t, std::vector<Span>> steps;
    for (const Span& span : spans)
        steps[span.step].push_back(span);
    if (steps.size() > 1)
        steps.erase(steps.begin()); // warms caches up
    return steps;
}

void addShares(SweepRow& row, const std::vector<Span>& spans, const Layout& layout)
{
    double tensor = 0, pipeline = 0, data = 0;
    int counted = 0;
    std::vector<StepShares> all;
    for (const auto& [step, ofStep] : byStep(spans)) {
        all.push_back(stepShares(ofStep, layout));
        const CommunicationShare share = communicationShare(ofStep, all.back(), layout);
        if (!std::isfinite(share.total()))
            continue;
        tensor += share.tensor;
        pipeline += share.pipeline;
        data += share.data;
        ++counted;
    }
    if (counted == 0)
        return;
    row.communication = {tensor / counted, pipeline / counted, data / counted};
    row.bubble = meanBubble(phasesByStage(all, layout));
}

std::string field(double value)
{
    return std::isfinite(value) ? exactText(value) : std::string();
}

} // namespace

const char* toText(SweepForm form)
{
    switch (form) {
    case SweepForm::Cores:
        return "cores";
    case SweepForm::Paced:
        return "paced";
    }
    return "";
}

std::string columnShare(double share)
{
    return std::isfinite(share) ? fixedText(100 * share, 1) + "\u202f%" : "–";
}

SweepRow sweepRow(const Layout& layout, const RunRecords& records, double stretch,
                  double tokensOfTarget)
{
    SweepRow row;
    row.layout = layout;
    addTimes(row, records.all.steps, stretch, tokensOfTarget);
    addShares(row, records.all.spans, layout);
    for (const MemorySample& sample : records.all.memory) {
        const auto bytes = double(sample.peakTotal);
        row.memoryBytes = std::isfinite(row.memoryBytes) ? std::max(row.memoryBytes, bytes) : bytes;
    }
    if (row.steps == 0)
        row.reason = "no step was finished";
    return row;
}

void compareRows(SweepTable& table)
{
    table.base = -1;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const SweepRow& row = table.rows[i];
        if (row.measured() && row.tokensPerSecond > 0 &&
            (table.base < 0 ||
             row.layout.ranks() < table.rows[std::size_t(table.base)].layout.ranks()))
            table.base = int(i);
    }
    if (table.base < 0)
        return;
    const SweepRow base = table.rows[std::size_t(table.base)];
    for (SweepRow& row : table.rows) {
        row.speedUp = row.tokensPerSecond / base.tokensPerSecond;
        row.efficiency = row.speedUp * base.layout.ranks() / row.layout.ranks();
    }
}

std::string memoryWarning(const SweepRow& row)
{
    if (!row.measured() || !(row.memoryBytes > row.memoryLimit))
        return {};
    return "does not fit: " + units::bytes(std::int64_t(row.memoryBytes)) + " of " +
           units::bytes(std::int64_t(row.memoryLimit)) + " of a device";
}

std::string sweepCsv(const std::vector<SweepTable>& tables)
{
    std::string csv =
        "form,layout,dp,tp,pp,ranks,run,state,tokens_per_second,step_s,step_lower_quartile_s,"
        "step_upper_quartile_s,steps,memory_bytes,communication,communication_tensor,"
        "communication_pipeline,communication_data,bubble,speed_up,efficiency,loss,reason,warning\n";
    for (const SweepTable& table : tables)
        for (const SweepRow& row : table.rows) {
            const Layout& layout = row.layout;
            csv += std::string(toText(table.form)) + "," + std::to_string(layout.dp) + "x" +
                   std::to_string(layout.tp) + "x" + std::to_string(layout.pp) + "," +
                   std::to_string(layout.dp) + "," + std::to_string(layout.tp) + "," +
                   std::to_string(layout.pp) + "," + std::to_string(layout.ranks()) + "," +
                   row.runId + "," + toText(row.state);
            for (const double value :
                 {row.tokensPerSecond, row.stepSeconds, row.fastest, row.slowest, double(row.steps),
                  row.memoryBytes, row.communication.total(), row.communication.tensor,
                  row.communication.pipeline, row.communication.data, row.bubble, row.speedUp,
                  row.efficiency, row.finalLoss})
                csv += "," + field(value);
            csv += "," + csvCell(row.reason) + "," + csvCell(memoryWarning(row)) + "\n";
        }
    return csv;
}

} // namespace triaxis
