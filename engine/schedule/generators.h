#pragma once

#include "engine/schedule/program.h"

#include <string>
#include <vector>

namespace triaxis
{

/// All forwards, then all backwards (Huang et al., GPipe, 2019). Any P ≥ 1, M ≥ 1. Peak live: M everywhere.
ComputeProgram gpipe(int stages, int microbatches);

/// Warm-up of min(P−1−r, M) forwards, then one forward and one backward in turn, then the remaining backwards
/// (PipeDream-flush; Narayanan et al., 2021). Any P, M. Peak live on stage r: min(P−r, M).
ComputeProgram oneForwardOneBackward(int stages, int microbatches);

/// What a generator starts from. Stages of one replica hold V virtual stages each; a schedule of two replicas (Chimera, DualPipe)
/// has 2·V chunks a stage.
struct ScheduleRequest
{
    std::string name = "1f1b";
    int stages = 1;          ///< P
    int microbatches = 1;    ///< M
    int virtualStages = 1;   ///< V
    int microbatchGroup = 0; ///< interleaved: N; 0: the smallest N in [P, M] with M mod N = 0 or ≥ P
    std::string csv;         ///< "custom" and "auto": the order itself, in the CSV form of PyTorch's pipelining
};

/// What people should know of a schedule.
struct ScheduleInfo
{
    std::string name;         ///< "zb-h1": on command lines and in files
    std::string title;        ///< "ZB-H1": for people
    std::string source;       ///< paper and year
    std::string summary;      ///< one sentence: its order, what it saves and what it costs
    int minimumVirtual = 1;   ///< V it takes, at least …
    int maximumVirtual = 1;   ///< … and at most
    int replicas = 1;         ///< 2: bidirectional
    bool splitsBackward = false;
};

/// All schedules, in the order in which people should see them; "custom" and "auto" last.
const std::vector<ScheduleInfo>& schedules();
/// Throws Error for an unknown name.
const ScheduleInfo& scheduleInfo(const std::string& name);

/// "ZB-H1" for "zb-h1": the name for people; an unknown name itself.
std::string scheduleTitle(const std::string& name);

/// Names that `generate` takes, in the order in which people should see them.
std::vector<std::string> scheduleNames();

/// The schedule by name. Throws Error for an unknown name or a shape the schedule does not allow; the message gives the condition.
ComputeProgram generate(const ScheduleRequest& request);
ComputeProgram generate(const std::string& name, int stages, int microbatches, int virtualStages = 1);

} // namespace triaxis
