#include "engine/simulate/replay.h"

#include <algorithm>
#include <limits>

namespace triaxis
{
namespace
{

/// What each stage has done: when it is free, and the ends of its last forward and backward. Before
/// and behind the stages stands one more that never holds anybody up.
struct StraightState
{
    StraightState(int stages, ReplayScratch& scratch)
    {
        const auto room = std::size_t(stages) + 2;
        scratch.ends.assign(3 * room, 0);
        free = scratch.ends.data() + 1;
        forwards = free + room;
        backwards = forwards + room;
        forwards[-1] = backwards[stages] = -std::numeric_limits<double>::infinity();
    }

    double* free;
    double* forwards;
    double* backwards;
};

} // namespace

// A stage takes up its steps in slots: its first forwards m < P − r in slot r + m, backward m in
// slot 2P − 1 − r + 2m, and a later forward m in slot 2m + r, one before the backward that follows
// it. Whatever a step consumes was made in an earlier slot, and the stage that made it has made no
// other since, so that the end of each stage's last forward and backward is all that has to be
// kept. Steps of one slot do not depend on each other.
double makespanOneForwardOneBackward(int stages, int microbatches, const double* forward,
                                     const double* backward, double hop, ReplayScratch& scratch)
{
    const StraightState state(stages, scratch);
    double* const free = state.free;
    double* const forwards = state.forwards;
    double* const backwards = state.backwards;
    const int last = stages - 1;
    const auto runForward = [&](int r) {
        forwards[r] = free[r] = std::max(free[r], forwards[r - 1] + hop) + forward[r];
    };
    const auto runBackward = [&](int r) {
        backwards[r] = free[r] = std::max(free[r], backwards[r + 1] + hop) + backward[r];
    };
    // Downwards: the stage before makes its next forward in the same slot.
    for (int slot = 0; slot < stages; ++slot)
        for (int r = slot; r >= std::max(0, slot - microbatches + 1); --r)
            runForward(r);
    const int slots = 2 * stages + 2 * microbatches - 2;
    for (int slot = stages; slot < slots; ++slot) {
        // Forwards: r ≥ 2P − slot and r ≥ slot − 2M + 2, in steps of two from the slot's parity.
        int r = std::max({0, 2 * stages - slot, slot - 2 * microbatches + 2});
        for (r += (slot - r) & 1; r <= last; r += 2)
            runForward(r);
        // Backwards: 2P − 1 − slot ≤ r ≤ 2P + 2M − 3 − slot.
        const int end = std::min(last, 2 * stages + 2 * microbatches - 3 - slot);
        r = std::max(0, 2 * stages - 1 - slot);
        for (r += (slot + 1 - r) & 1; r <= end; r += 2)
            runBackward(r);
    }
    return *std::max_element(free, free + stages);
}

double makespanGpipe(int stages, int microbatches, const double* forward, const double* backward,
                     double hop, ReplayScratch& scratch)
{
    const StraightState state(stages, scratch);
    double* const free = state.free;
    const int last = stages - 1;
    // Diagonals: the steps of one do not depend on each other, from the last stage to the first.
    for (int slot = 0; slot < stages + microbatches - 1; ++slot)
        for (int r = std::min(last, slot); r >= std::max(0, slot - microbatches + 1); --r)
            free[r] = std::max(free[r], r > 0 ? free[r - 1] + hop : 0.0) + forward[r];
    for (int slot = 0; slot < stages + microbatches - 1; ++slot)
        for (int r = std::max(0, last - slot); r <= std::min(last, last - slot + microbatches - 1);
             ++r)
            free[r] = std::max(free[r], r < last ? free[r + 1] + hop : 0.0) + backward[r];
    return *std::max_element(free, free + stages);
}

} // namespace triaxis
