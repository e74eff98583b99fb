#include "engine/schedule/dualpipe_order.h"

namespace triaxis
{
namespace
{

void overlapBothWays(StageOrder& order, int turns, bool atTheTurn, int in, int out)
{
    for (int i = 0; i < turns; ++i) {
        if (i == 0 && atTheTurn) {
            // Nobody has anything to overlap with yet: the gradient leaves sooner this way.
            order.forward(in);
            order.backward(out);
        } else {
            order.overlapped(in, out);
        }
        order.overlapped(out, in);
    }
}

/// The first half of these backwards is whole, of the second the weights' part comes later.
void drain(StageOrder& order, int turns, int in, int out)
{
    for (int i = 0; i < 2 * turns; ++i) {
        const int chunk = i % 2 == 0 ? out : in;
        if (i < turns)
            order.backward(chunk);
        else
            order.backwardInput(chunk);
    }
}

} // namespace

void writeDualPipe(StageOrder& order, int depth, int at, int microbatches, int in, int out)
{
    const int inner = depth - at - 1; // stages between this one and the turn
    for (int i = 0; i < 2 * inner; ++i)
        order.forward(in);
    for (int i = 0; i < at + 1; ++i) {
        order.forward(in);
        order.forward(out);
    }
    for (int i = 0; i < inner; ++i) {
        order.backwardInput(out);
        order.backwardWeight();
        order.forward(out);
    }
    overlapBothWays(order, microbatches - 2 * depth + at + 1, inner == 0, in, out);
    for (int i = 0; i < inner; ++i) {
        order.backward(out);
        order.overlapped(out, in);
    }
    drain(order, at + 1, in, out);
    for (int i = 0; i < inner; ++i) {
        order.backwardWeight();
        order.backwardInput(in);
    }
    for (int i = 0; i < at + 1; ++i)
        order.backwardWeight();
}

} // namespace triaxis
