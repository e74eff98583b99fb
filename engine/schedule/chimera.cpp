#include "engine/schedule/chimera_order.h"
#include "engine/schedule/named_schedule.h"

namespace triaxis
{

NamedSchedule chimeraSchedule()
{
    ScheduleInfo info;
    info.name = "chimera";
    info.title = "Chimera";
    info.source = "Li and Hoefler, Chimera, 2021 (direct concatenation)";
    info.summary = "Two pipelines in opposite directions fill each other's bubbles. Twice the "
                   "weights; with backwards of two forwards every P microbatches idle anew.";
    info.replicas = 2;
    return {info, [](const ScheduleRequest& request) { return chimeraOrder(request, 1); }};
}

} // namespace triaxis
