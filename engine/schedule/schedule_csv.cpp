#include "engine/schedule/schedule_csv.h"

#include "engine/schedule/compute_program.h"

namespace triaxis
{
namespace
{

/// Virtual stages of replica 1 count on from those of replica 0.
std::string cell(const ComputeProgram& program, int stage, const ComputeStep& step)
{
    const int number = program.replica[stage][step.chunk.value] * virtualStages(program) +
                       program.virtualStage[stage][step.chunk.value];
    return std::to_string(number) + shortName(step.kind) + std::to_string(step.microbatch.value);
}

std::string row(const ComputeProgram& program, int stage)
{
    const std::vector<ComputeStep>& order = program.order[stage];
    std::string text;
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i > 0)
            text += ",";
        if (order[i].withNext && i + 1 < order.size()) {
            text += "(" + cell(program, stage, order[i]) + ";" +
                    cell(program, stage, order[i + 1]) + ")OVERLAP_F_B";
            ++i;
        } else {
            text += cell(program, stage, order[i]);
        }
    }
    return text;
}

} // namespace

std::string toCsv(const ComputeProgram& program)
{
    checkShape(program);
    std::string text;
    if (program.replicas > 1)
        text = "# replicas " + std::to_string(program.replicas) + "\n";
    for (int stage = 0; stage < program.stages; ++stage)
        text += row(program, stage) + "\n";
    return text;
}

} // namespace triaxis
