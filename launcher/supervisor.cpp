#include "launcher/supervisor.h"

#include "engine/core/error.h"
#include "launcher/supervision.h"

namespace triaxis
{

RunStatus superviseRun(RunDirectory& run, const ProgramPaths& programs, const RunObserver& observer,
                       const std::atomic<bool>& stop)
{
    const RunStatus before = run.status();
    if (before.state != RunState::Draft)
        throw Error("cannot start the run", run.id() + ": it is " + toText(before.state),
                    "start a new run with the same plan");
    Supervision supervision(run, observer, stop);
    return supervision.run(programs);
}

} // namespace triaxis
