#include "engine/schedule/channels.h"

namespace triaxis
{
namespace
{

/// True if `other` counts as the next stage of `stage`, false if as the previous one.
bool isNext(Stage stage, Stage other, int stages)
{
    const int distance = other.value - stage.value;
    if (distance == 1 || distance == -1)
        return distance == 1;
    const int forwards = distance > 0 ? distance : distance + stages;
    return 2 * forwards <= stages;
}

} // namespace

Lane sendLane(Stage from, Stage to, int stages)
{
    return isNext(from, to, stages) ? Lane::SendNext : Lane::SendPrevious;
}

Lane receiveLane(Stage at, Stage from, int stages)
{
    return isNext(at, from, stages) ? Lane::ReceiveNext : Lane::ReceivePrevious;
}

} // namespace triaxis
