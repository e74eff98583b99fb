#include "broken_programs.h"

#include "fixtures.h"

#include "engine/schedule/generators.h"

#include <algorithm>

namespace triaxis::tests
{

InstructionId id(Kind kind, int chunk, int microbatch, int part)
{
    return {kind, Chunk(chunk), Microbatch(microbatch), part};
}

List& listOf(Program& program, int stage)
{
    return program.perStage[stage].instructions;
}

List::iterator at(List& list, InstructionId wanted)
{
    return std::find_if(list.begin(), list.end(),
                        [&](const Instruction& i) { return i.id == wanted; });
}

void moveBefore(List& list, InstructionId what, InstructionId where)
{
    const Instruction moved = *at(list, what);
    list.erase(at(list, what));
    list.insert(at(list, where), moved);
}

void moveBehind(List& list, InstructionId what, InstructionId where)
{
    const Instruction moved = *at(list, what);
    list.erase(at(list, what));
    list.insert(std::next(at(list, where)), moved);
}

void remove(List& list, InstructionId what)
{
    list.erase(at(list, what));
}

void unfuse(Program& program)
{
    for (StageProgram& stage : program.perStage)
        for (Instruction& instruction : stage.instructions)
            instruction.fuse = 0;
}

Program oneForward(int stages, int microbatches, int dp)
{
    return programFor("1f1b", inputsFor(stages, microbatches, dp));
}

namespace
{

Program withReplicatedHeads(int dp = 2)
{
    ProgramInputs inputs = inputsFor(2, 2, dp, 1, smallLlama());
    inputs.layout.tp = 8;
    return programFor("1f1b", inputs);
}

} // namespace

std::vector<Broken> brokenOrders()
{
    return {
        {"forward missing", oneForward(3, 4),
         [](Program& p) { remove(listOf(p, 1), id(Kind::Forward, 0, 2)); }, 1,
         id(Kind::SendActivation, 0, 2), "has not been computed"},
        {"backward missing", oneForward(3, 4),
         [](Program& p) { remove(listOf(p, 0), id(Kind::Backward, 0, 2)); }, 0,
         id(Kind::Backward, 0, 2), "never runs backward"},
        {"last microbatch lost everywhere", oneForward(2, 4),
         [](Program& p) { p.microbatches = 5; }, 0, id(Kind::Forward, 0, 4), "never runs forward"},
        {"backward before forward", oneForward(3, 4),
         [](Program& p) {
             moveBefore(listOf(p, 2), id(Kind::Backward, 0, 1), id(Kind::Forward, 0, 1));
         },
         2, id(Kind::Backward, 0, 1), "has not run forward"},
        {"twice in the list", oneForward(3, 4),
         [](Program& p) { listOf(p, 1).push_back(listOf(p, 1)[3]); }, 1, id(Kind::Forward, 0, 0),
         "twice"},
        {"weights without input", complete(splitBackward()),
         [](Program& p) {
             moveBefore(listOf(p, 1), id(Kind::BackwardWeight, 0, 2), id(Kind::Forward, 0, 3));
         },
         1, id(Kind::BackwardWeight, 0, 2), "gradient of the chunk's input has not been computed"},
        {"weights never", complete(splitBackward()),
         [](Program& p) { remove(listOf(p, 1), id(Kind::BackwardWeight, 0, 3)); }, 1,
         id(Kind::BackwardWeight, 0, 3), "never computed"},
        {"whole and split backward", complete(splitBackward()),
         [](Program& p) {
             at(listOf(p, 1), id(Kind::BackwardWeight, 0, 0))->id = id(Kind::Backward, 0, 0);
         },
         1, id(Kind::Backward, 0, 0), "backward on this chunk twice"},
        {"weights twice", complete(splitBackward()),
         [](Program& p) {
             at(listOf(p, 1), id(Kind::BackwardInput, 0, 0))->id = id(Kind::Backward, 0, 0);
         },
         1, id(Kind::BackwardWeight, 0, 0), "computed twice"},
        {"microbatch on two replicas", complete(bidirectional()),
         [](Program& p) {
             Instruction forward = *at(listOf(p, 3), id(Kind::Forward, 1, 2));
             forward.id = id(Kind::Forward, 1, 0);
             listOf(p, 3).insert(listOf(p, 3).begin(), forward);
         },
         3, id(Kind::Forward, 1, 0), "another replica"},
        {"same-stage input not there", complete(vShaped()),
         [](Program& p) {
             moveBefore(listOf(p, 1), id(Kind::Forward, 1, 1), id(Kind::Forward, 0, 1));
         },
         1, id(Kind::Forward, 1, 1), "not been computed by chunk 0 of this stage"},
        {"same-stage gradient not there", complete(vShaped()),
         [](Program& p) {
             moveBefore(listOf(p, 1), id(Kind::BackwardInput, 0, 1), id(Kind::BackwardInput, 1, 1));
         },
         1, id(Kind::BackwardInput, 0, 1), "not been computed by chunk 1 of this stage"},
        {"other replica's microbatch", complete(bidirectional()),
         [](Program& p) {
             at(listOf(p, 3), id(Kind::Forward, 1, 2))->id = id(Kind::Forward, 1, 1);
         },
         3, id(Kind::SendActivation, 1, 2), "has not been computed"},
    };
}

std::vector<Broken> brokenTransfers()
{
    return {
        {"send missing", oneForward(3, 4),
         [](Program& p) {
             unfuse(p);
             remove(listOf(p, 2), id(Kind::SendGradient, 0, 1));
             remove(listOf(p, 2), waitFor(id(Kind::SendGradient, 0, 1)));
         },
         1, id(Kind::ReceiveGradient, 0, 1), "waits for a gradient that stage 2 never sends"},
        {"receive missing", oneForward(3, 4),
         [](Program& p) {
             remove(listOf(p, 1), id(Kind::ReceiveActivation, 0, 1));
             remove(listOf(p, 1), waitFor(id(Kind::ReceiveActivation, 0, 1)));
         },
         1, id(Kind::Forward, 0, 1), "never receives"},
        {"receive not waited for", oneForward(3, 4),
         [](Program& p) {
             moveBehind(listOf(p, 1), waitFor(id(Kind::ReceiveActivation, 0, 1)),
                        id(Kind::Forward, 0, 1));
         },
         1, id(Kind::Forward, 0, 1), "without waiting for it"},
        {"send never waited for", oneForward(3, 4),
         [](Program& p) { remove(listOf(p, 0), waitFor(id(Kind::SendActivation, 0, 3))); }, 0,
         id(Kind::SendActivation, 0, 3), "never waited for"},
        {"wait before its target", oneForward(3, 4),
         [](Program& p) {
             moveBefore(listOf(p, 0), waitFor(id(Kind::ReceiveGradient, 0, 2)),
                        id(Kind::Forward, 0, 0));
         },
         0, waitFor(id(Kind::ReceiveGradient, 0, 2)), "wait for ever"},
        {"sent before computed", oneForward(3, 4),
         [](Program& p) {
             moveBefore(listOf(p, 0), id(Kind::SendActivation, 0, 1), id(Kind::Forward, 0, 1));
         },
         0, id(Kind::SendActivation, 0, 1), "has not been computed"},
        {"wrong peer", complete(interleavedThree()),
         [](Program& p) { at(listOf(p, 2), id(Kind::SendActivation, 0, 1))->peer = Stage(1); }, 2,
         id(Kind::SendActivation, 0, 1), "on stage 0, not on stage 1"},
        {"peer that is not there", oneForward(3, 4),
         [](Program& p) { at(listOf(p, 0), id(Kind::SendActivation, 0, 1))->peer = Stage(7); }, 0,
         id(Kind::SendActivation, 0, 1), "not on stage 7"},
        {"wrong lane", oneForward(3, 4),
         [](Program& p) { at(listOf(p, 1), id(Kind::SendGradient, 0, 1))->lane = Lane::SendNext; },
         1, id(Kind::SendGradient, 0, 1), "belongs on \"send to previous\""},
        {"counterpart of another chunk", complete(interleaved()),
         [](Program& p) {
             at(listOf(p, 0), id(Kind::SendActivation, 1, 0))->counterpart =
                 id(Kind::ReceiveActivation, 0, 0);
         },
         0, id(Kind::SendActivation, 1, 0), "chunk 1"},
        {"unequal sizes", oneForward(3, 4),
         [](Program& p) { at(listOf(p, 1), id(Kind::ReceiveActivation, 0, 1))->bytes += 4; }, 0,
         id(Kind::SendActivation, 0, 1), "bytes"},
        {"nothing to carry", oneForward(3, 4),
         [](Program& p) {
             at(listOf(p, 0), id(Kind::SendActivation, 0, 1))->bytes = 0;
             at(listOf(p, 1), id(Kind::ReceiveActivation, 0, 1))->bytes = 0;
         },
         0, id(Kind::SendActivation, 0, 1), "at least one byte"},
        {"another order on the channel", oneForward(3, 4),
         [](Program& p) {
             std::swap(*at(listOf(p, 1), id(Kind::ReceiveActivation, 0, 0)),
                       *at(listOf(p, 1), id(Kind::ReceiveActivation, 0, 1)));
         },
         1, id(Kind::ReceiveActivation, 0, 1), "number 1 on the channel from stage 0"},
        {"torn group", oneForward(3, 4),
         [](Program& p) { at(listOf(p, 1), id(Kind::SendGradient, 0, 1))->fuse = 0; }, 1,
         id(Kind::ReceiveActivation, 0, 3), "does not stand beside it"},
        {"group in two places", oneForward(3, 4),
         [](Program& p) {
             for (Instruction& i : listOf(p, 1))
                 i.fuse = i.fuse == 3 ? 1 : i.fuse;
         },
         1, id(Kind::SendActivation, 0, 3), "torn apart"},
        {"group with two stages", oneForward(3, 4),
         [](Program& p) {
             at(listOf(p, 1), id(Kind::SendActivation, 0, 0))->fuse = 77;
             at(listOf(p, 1), id(Kind::ReceiveActivation, 0, 2))->fuse = 77;
         },
         1, id(Kind::ReceiveActivation, 0, 2), "different stages"},
        {"group with a computation", oneForward(3, 4),
         [](Program& p) { at(listOf(p, 1), id(Kind::Forward, 0, 0))->fuse = 77; }, 1,
         id(Kind::Forward, 0, 0), "only transfers"},
        {"nothing lies beyond", oneForward(3, 4),
         [](Program& p) {
             Instruction send = *at(listOf(p, 1), id(Kind::SendActivation, 0, 1));
             listOf(p, 2).push_back(send);
         },
         2, id(Kind::SendActivation, 0, 1), "end of the model"},
        {"to itself", complete(vShaped()),
         [](Program& p) {
             Instruction send = *at(listOf(p, 0), id(Kind::SendActivation, 0, 1));
             listOf(p, 1).push_back(send);
         },
         1, id(Kind::SendActivation, 0, 1), "on the same stage"},
        {"waits for a computation", oneForward(2, 2),
         [](Program& p) {
             Instruction wait;
             wait.target = id(Kind::Forward, 0, 0);
             wait.id = waitFor(wait.target);
             listOf(p, 0).insert(listOf(p, 0).begin() + 2, wait);
         },
         0, waitFor(id(Kind::Forward, 0, 0)), "done when it is issued"},
    };
}

std::vector<Broken> brokenTails()
{
    return {
        {"reduced too early", oneForward(3, 4, 2),
         [](Program& p) {
             moveBefore(listOf(p, 1), id(Kind::GradientReduce, 0, 0, 1), id(Kind::Backward, 0, 3));
         },
         1, id(Kind::GradientReduce, 0, 0, 1), "comes after it"},
        {"reduced before the weights", complete(splitBackward(), 2),
         [](Program& p) {
             moveBehind(listOf(p, 1), id(Kind::BackwardWeight, 0, 3),
                        id(Kind::GradientReduce, 0, 0, 0));
         },
         1, id(Kind::GradientReduce, 0, 0, 0), "comes after it"},
        {"shared table reduced before the head", complete(vShaped(), 2),
         [](Program& p) {
             moveBefore(listOf(p, 0), id(Kind::GradientReduce, 0, 0, 0),
                        id(Kind::BackwardWeight, 1, 2));
         },
         0, id(Kind::GradientReduce, 0, 0, 0), "comes after it"},
        {"bucket missing", oneForward(3, 4, 2),
         [](Program& p) {
             remove(listOf(p, 1), id(Kind::GradientReduce, 0, 0, 1));
             remove(listOf(p, 1), waitFor(id(Kind::GradientReduce, 0, 0, 1)));
         },
         1, id(Kind::GradientReduce, 0, 0, 4), "numbered from 0"},
        {"norm before the gradients are there", oneForward(3, 4, 2),
         [](Program& p) {
             moveBehind(listOf(p, 1), waitFor(id(Kind::GradientReduce, 0, 0, 1)),
                        id(Kind::NormReduce, 0, 0));
         },
         1, id(Kind::NormReduce, 0, 0), "not waited for before"},
        {"tied sum before the data sum", oneForward(3, 4, 2),
         [](Program& p) {
             moveBehind(listOf(p, 2), waitFor(id(Kind::GradientReduce, 0, 0, 0)),
                        id(Kind::TiedReduce, 0, 0));
         },
         2, id(Kind::TiedReduce, 0, 0), "tied gradient over the data axis"},
        {"tied sum with one side only", oneForward(3, 4),
         [](Program& p) {
             remove(listOf(p, 2), id(Kind::TiedReduce, 0, 0));
             remove(listOf(p, 2), waitFor(id(Kind::TiedReduce, 0, 0)));
         },
         0, id(Kind::TiedReduce, 0, 0), "joins stage 2, which never takes part"},
        {"tied sum in the middle", oneForward(3, 4),
         [](Program& p) {
             const Instruction tied = *at(listOf(p, 0), id(Kind::TiedReduce, 0, 0));
             const Instruction wait = *at(listOf(p, 0), waitFor(tied.id));
             listOf(p, 1).insert(at(listOf(p, 1), id(Kind::NormReduce, 0, 0)), {tied, wait});
         },
         1, id(Kind::TiedReduce, 0, 0), "neither the embedding nor the head"},
        {"tied sum of one table", complete(vShaped()),
         [](Program& p) {
             Instruction tied = *at(listOf(p, 0), id(Kind::NormReduce, 0, 0));
             tied.id = id(Kind::TiedReduce, 0, 0);
             Instruction wait = *at(listOf(p, 0), waitFor(id(Kind::NormReduce, 0, 0)));
             wait.target = tied.id;
             wait.id = waitFor(tied.id);
             listOf(p, 0).insert(at(listOf(p, 0), id(Kind::NormReduce, 0, 0)), {tied, wait});
         },
         0, id(Kind::TiedReduce, 0, 0), "nothing is to be summed"},
        {"norm before the tied sum", oneForward(3, 4),
         [](Program& p) {
             moveBehind(listOf(p, 2), waitFor(id(Kind::TiedReduce, 0, 0)),
                        id(Kind::NormReduce, 0, 0));
         },
         2, id(Kind::NormReduce, 0, 0), "tied embedding reduction is not waited for"},
        {"replicated heads before the data sum", withReplicatedHeads(),
         [](Program& p) {
             moveBehind(listOf(p, 1), waitFor(id(Kind::GradientReduce, 0, 0, 0)),
                        id(Kind::ReplicaReduce, 0, 0));
         },
         1, id(Kind::ReplicaReduce, 0, 0), "not waited for before"},
        {"replicated heads before the last backward", withReplicatedHeads(1),
         [](Program& p) {
             moveBefore(listOf(p, 1), id(Kind::ReplicaReduce, 0, 0), id(Kind::Backward, 0, 1));
         },
         1, id(Kind::ReplicaReduce, 0, 0), "a backward that adds to the gradients comes after"},
        {"transfer behind the update", oneForward(2, 4),
         [](Program& p) {
             const InstructionId send = id(Kind::SendGradient, 0, 3);
             moveBehind(listOf(p, 1), send, waitFor(id(Kind::LossReduce, 0, 0)));
             moveBehind(listOf(p, 1), waitFor(send), send);
         },
         1, id(Kind::SendGradient, 0, 3), "behind which only the loss may stand"},
        {"update before the norm", oneForward(3, 4),
         [](Program& p) {
             moveBehind(listOf(p, 1), waitFor(id(Kind::NormReduce, 0, 0)),
                        id(Kind::OptimizerStep, 0, 0));
         },
         1, id(Kind::OptimizerStep, 0, 0), "norm is not waited for"},
        {"no update", oneForward(3, 4),
         [](Program& p) { remove(listOf(p, 1), id(Kind::OptimizerStep, 0, 0)); }, 1,
         id(Kind::OptimizerStep, 0, 0), "once in a step"},
        {"loss before it is known", oneForward(3, 4),
         [](Program& p) {
             moveBefore(listOf(p, 2), id(Kind::LossReduce, 0, 0), id(Kind::Forward, 0, 3));
         },
         2, id(Kind::LossReduce, 0, 0), "adds to the loss"},
        {"norm and loss in two orders", oneForward(3, 4),
         [](Program& p) {
             moveBefore(listOf(p, 1), id(Kind::LossReduce, 0, 0), id(Kind::NormReduce, 0, 0));
         },
         1, id(Kind::NormReduce, 0, 0), "before it on stage 0"},
        {"twins in two orders", complete(bidirectional()),
         [](Program& p) {
             std::swap(*at(listOf(p, 3), id(Kind::GradientReduce, 0, 0, 0)),
                       *at(listOf(p, 3), id(Kind::GradientReduce, 1, 0, 0)));
         },
         3, id(Kind::GradientReduce, 1, 0, 1), "before it on stage 0"},
        {"twin without a sum", complete(bidirectional()),
         [](Program& p) {
             List& list = listOf(p, 3);
             list.erase(std::remove_if(list.begin(), list.end(),
                                       [](const Instruction& i) {
                                           return i.id.kind() == Kind::GradientReduce ||
                                                  i.target.kind() == Kind::GradientReduce;
                                       }),
                        list.end());
         },
         0, id(Kind::GradientReduce, 0, 0, 0), "joins stage 3, which never takes part"},
        {"twins never summed", complete(bidirectional()),
         [](Program& p) {
             for (int stage = 0; stage < 4; ++stage) {
                 List& list = listOf(p, stage);
                 list.erase(std::remove_if(list.begin(), list.end(),
                                           [](const Instruction& i) {
                                               return i.id.kind() == Kind::GradientReduce ||
                                                      i.target.kind() == Kind::GradientReduce;
                                           }),
                            list.end());
             }
         },
         0, id(Kind::GradientReduce, 0, 0), "never summed with its twin's"},
        {"computes after the update", oneForward(1, 1),
         [](Program& p) {
             Instruction reduce;
             reduce.id = id(Kind::TensorCollective, 0, 0);
             reduce.lane = Lane::Tensor;
             listOf(p, 0).push_back(reduce);
         },
         0, id(Kind::TensorCollective, 0, 0), "part of a compute instruction"},
    };
}

} // namespace triaxis::tests
