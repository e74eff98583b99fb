#include "broken_programs.h"

#include "queries.h"

#include <algorithm>

namespace triaxis::tests
{
namespace
{

Instruction& step(Program& program, int stage, Kind kind, int chunk, int microbatch)
{
    return *at(listOf(program, stage), id(kind, chunk, microbatch));
}

/// On stage 0: … 3F1 (0F3;3B1) (3F2;0B0) (0F4;3B2) (3F3;0B1) 3B3 …, as chunks 0 and 1.
Program overlapped()
{
    return programOf("dualpipe-v", 2, 5);
}

} // namespace

std::vector<Broken> brokenPairs()
{
    return {
        {"partner lost", overlapped(),
         [](Program& p) { step(p, 0, Kind::Backward, 1, 1).pair = 0; }, 0, id(Kind::Forward, 0, 3),
         "does not stand beside it"},
        {"torn pair", overlapped(),
         [](Program& p) {
             moveBehind(listOf(p, 0), id(Kind::Backward, 1, 1), id(Kind::SendActivation, 0, 3));
         },
         0, id(Kind::Forward, 0, 3), "does not stand beside it"},
        {"one number for two pairs", overlapped(),
         [](Program& p) {
             step(p, 0, Kind::Forward, 1, 2).pair = step(p, 0, Kind::Backward, 0, 0).pair =
                 step(p, 0, Kind::Forward, 0, 3).pair;
         },
         0, id(Kind::Forward, 1, 2), "more than two steps"},
        {"pair of forwards", overlapped(),
         [](Program& p) {
             step(p, 0, Kind::Forward, 0, 0).pair = step(p, 0, Kind::Forward, 0, 1).pair = 99;
             moveBehind(listOf(p, 0), id(Kind::Forward, 0, 1), id(Kind::Forward, 0, 0));
         },
         0, id(Kind::Forward, 0, 1), "overlaps with a backward only"},
        {"half a backward", overlapped(),
         [](Program& p) { step(p, 0, Kind::BackwardInput, 1, 0).pair = 99; }, 0,
         id(Kind::BackwardInput, 1, 0), "only a forward and a full backward"},
        {"overlapped transfer", overlapped(),
         [](Program& p) { step(p, 0, Kind::SendActivation, 0, 0).pair = 99; }, 0,
         id(Kind::SendActivation, 0, 0), "only a forward and a full backward"},
        {"negative number", overlapped(),
         [](Program& p) { step(p, 0, Kind::Forward, 0, 0).pair = -1; }, 0, id(Kind::Forward, 0, 0),
         "only a forward and a full backward"},
        {"with its own forward", oneForward(2, 4),
         [](Program& p) {
             step(p, 1, Kind::Forward, 0, 1).pair = step(p, 1, Kind::Backward, 0, 1).pair = 1;
         },
         1, id(Kind::Backward, 0, 1), "overlaps with the forward whose activations it needs"},
        {"input waited for between the two", overlapped(),
         [](Program& p) {
             const InstructionId wait = waitFor(id(Kind::ReceiveGradient, 0, 0));
             moveBehind(listOf(p, 0), wait, id(Kind::Forward, 1, 2));
         },
         0, id(Kind::Forward, 1, 2), "does not stand beside it"},
    };
}

} // namespace triaxis::tests
