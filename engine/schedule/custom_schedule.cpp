#include "engine/schedule/compute_program.h"
#include "engine/schedule/named_schedule.h"
#include "engine/schedule/schedule_csv.h"

#include <map>
#include <set>

namespace triaxis
{
namespace
{

void checkAgreement(const ScheduleRequest& request, const char* what, int given, int asked)
{
    if (given != asked)
        refuseRequest(request,
                      "an order of " + std::to_string(given) + " " + what + " for a plan of " +
                          std::to_string(asked),
                      "make both for the same number of " + std::string(what));
}

/// Where the model has copies in opposite directions, each stage sums its gradients with those of
/// one other stage: all its chunks must have their copies there.
void checkTwins(const ScheduleRequest& request, const ComputeProgram& program)
{
    std::map<int, std::set<int>> holders; // of a virtual stage, over the copies
    for (int stage = 0; stage < program.stages; ++stage)
        for (const int position : program.virtualStage[stage])
            holders[position].insert(stage);
    for (int stage = 0; stage < program.stages; ++stage)
        for (const int position : program.virtualStage[stage]) {
            const std::set<int>& held = holders[position];
            if (int(held.size()) != program.replicas ||
                held != holders[program.virtualStage[stage].front()])
                refuseRequest(request,
                              "the copies of virtual stage " + std::to_string(position) +
                                  " do not lie as those of the other chunks of stage " +
                                  std::to_string(stage) + ", each on a stage of its own",
                              "place each copy of the model in mirror order over an even number "
                              "of stages");
        }
}

/// The order that the request brings along.
ComputeProgram custom(const ScheduleRequest& request)
{
    if (request.csv.empty())
        refuseRequest(request, "no order",
                      "give one as CSV: a row a stage, a cell a step, such as 0F0 or 0B0");
    const ComputeProgram program = programFromCsv(request.csv, request.name);
    checkAgreement(request, "stages", program.stages, request.stages);
    checkAgreement(request, "microbatches", program.microbatches, request.microbatches);
    checkAgreement(request, "chunks a stage and replica", program.chunks / program.replicas,
                   request.virtualStages);
    checkTwins(request, program);
    return program;
}

} // namespace

NamedSchedule customSchedule()
{
    ScheduleInfo info;
    info.name = "custom";
    info.title = "Custom";
    info.source = "a CSV file in the form of PyTorch's pipelining";
    info.summary = "The order of your own file, a row a stage; verified before it runs.";
    info.maximumVirtual = maximumChunks;
    return {info, custom};
}

NamedSchedule autoSchedule()
{
    ScheduleInfo info;
    info.name = "auto";
    info.title = "Automatic";
    info.source = "a search for the times and memory of this plan";
    info.summary = "The best order that the search found for the given times and memory limit.";
    info.maximumVirtual = maximumChunks;
    return {info, custom};
}

} // namespace triaxis
