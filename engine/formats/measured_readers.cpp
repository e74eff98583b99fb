#include "engine/formats/measured_readers.h"

#include "engine/core/units.h"

#include <utility>

namespace triaxis
{

MeasuredCase caseOf(const MeasuredRow& row, std::string label)
{
    MeasuredCase run;
    run.line = row.line();
    run.label = std::move(label);
    return run;
}

void assume(MeasuredCase& run, std::string what)
{
    run.assumptions.push_back(std::move(what));
}

ModelShape gptShape(const std::string& name, int layers, int hidden, int heads, int vocabulary,
                    int sequence)
{
    if (hidden % heads != 0)
        throw RowProblem("a hidden size of " + std::to_string(hidden) + " does not divide by " +
                         std::to_string(heads) + " heads");
    if (hidden > (1 << 24))
        throw RowProblem("a hidden size of " + std::to_string(hidden) + " is beyond reason");
    ModelShape shape;
    shape.name = name;
    shape.layers = layers;
    shape.hidden = hidden;
    shape.heads = heads;
    shape.kvHeads = heads;
    shape.headSize = hidden / heads;
    shape.feedForward = 4 * hidden;
    shape.vocabulary = vocabulary;
    shape.positions = sequence;
    return shape;
}

int paddedVocabulary(MeasuredCase& run, int vocabulary, int tp)
{
    const std::int64_t multiple = std::int64_t(128) * tp;
    const std::int64_t padded = (vocabulary + multiple - 1) / multiple * multiple;
    if (padded > (1 << 26))
        throw RowProblem("a vocabulary of " + std::to_string(vocabulary) + " is beyond reason");
    if (padded != vocabulary)
        assume(run, "vocabulary padded to a multiple of 128 · tp");
    return int(padded);
}

int unstatedVocabulary(MeasuredCase& run, int tp)
{
    assume(run, "vocabulary not stated: 51,200, Megatron's GPT-2 vocabulary, padded");
    const std::int64_t multiple = std::int64_t(128) * tp;
    return int((51200 + multiple - 1) / multiple * multiple);
}

void addTarget(MeasuredCase& run, Quantity quantity, const MeasuredRow& row, const char* column,
               double scale, bool main)
{
    if (row.has(column))
        run.targets.push_back({quantity, column, row.number(column) * scale, main});
}

void addFlops(MeasuredCase& run, const MeasuredRow& row, const char* column,
              FlopConvention convention, bool main)
{
    if (row.has(column))
        run.targets.push_back(
            {Quantity::DeviceFlops, column, row.number(column) * 1e12, main, convention});
}

void addMfu(MeasuredCase& run, const MeasuredRow& row, const char* column,
            FlopConvention convention, bool main)
{
    if (row.has(column))
        run.targets.push_back({Quantity::Mfu, column, row.number(column) / 100, main, convention});
}

void readSizes(ParallelPlan& plan, const MeasuredRow& row)
{
    plan.tp = row.count("tp");
    plan.pp = row.count("pp");
    plan.dp = row.count("dp");
    plan.microbatch = row.count("mbs");
}

void fillDataParallel(MeasuredCase& run)
{
    const double others = double(run.plan.tp) * run.plan.cp * run.plan.pp;
    if (others > run.job.devices || run.job.devices % int(others) != 0)
        throw RowProblem("tensor, context and pipeline sizes do not divide " +
                         std::to_string(run.job.devices) + " devices");
    run.plan.dp = run.job.devices / int(others);
}

void readProblem(MeasuredCase& run, const MeasuredRow& row, int sequenceOtherwise)
{
    run.job.devices = row.count("gpus");
    run.job.globalBatch = row.count("gbs");
    run.job.sequence =
        sequenceOtherwise > 0 ? row.countOr("seq_len", sequenceOtherwise) : row.count("seq_len");
}

std::vector<int> endsLighterByOne(int layers, int stages)
{
    if (stages < 2 || (layers + 2) % stages != 0)
        return {};
    std::vector<int> split(std::size_t(stages), (layers + 2) / stages);
    --split.front();
    --split.back();
    return split;
}

} // namespace triaxis
