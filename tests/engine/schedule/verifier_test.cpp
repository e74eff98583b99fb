#include "fixtures.h"

#include "engine/schedule/generators.h"
#include "engine/schedule/verifier.h"

#include <QTest>

#include <algorithm>
#include <fstream>
#include <functional>
#include <sstream>

using namespace triaxis;
using namespace triaxis::tests;

namespace
{

using List = std::vector<Instruction>;

InstructionId id(Kind kind, int chunk, int microbatch, int part = 0)
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

/// Leaves every transfer on its own.
void unfuse(Program& program)
{
    for (StageProgram& stage : program.perStage)
        for (Instruction& instruction : stage.instructions)
            instruction.fuse = 0;
}

std::string toText(const Verdict& verdict)
{
    if (!verdict.refusal)
        return "accepted";
    return "stage " + std::to_string(verdict.refusal->stage.value) + " position " +
           std::to_string(verdict.refusal->position) + ", " + triaxis::toText(verdict.refusal->id) +
           ": " + verdict.refusal->reason;
}

/// A sound program, a change that breaks it, and where and why it must be refused.
struct Broken
{
    const char* name;
    Program program;
    std::function<void(Program&)> change;
    int stage;
    InstructionId id;
    const char* reason;
};

/// Reads PyTorch's CSV of a schedule, one row a stage; an overlapped pair counts as its two steps
/// one after the other.
std::vector<std::string> stepsFromCsv(std::istream& file)
{
    std::vector<std::string> rows;
    for (std::string line; std::getline(file, line);) {
        for (char& letter : line)
            if (letter == ',' || letter == ';' || letter == '(' || letter == ')' || letter == '\r')
                letter = ' ';
        std::istringstream words(line);
        std::string row;
        for (std::string word; words >> word;)
            if (word != "OVERLAP_F_B")
                row += word + " ";
        rows.push_back(row);
    }
    return rows;
}

Program oneForward(int stages, int microbatches, int dp = 1)
{
    return programFor("1f1b", inputsFor(stages, microbatches, dp));
}

Program withReplicatedHeads(int dp = 2)
{
    ProgramInputs inputs = inputsFor(2, 2, dp, 1, smallLlama());
    inputs.layout.tp = 8;
    return programFor("1f1b", inputs);
}

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

} // namespace

class VerifierTest : public QObject
{
    Q_OBJECT

    void refuses(const Broken& broken)
    {
        Program program = broken.program;
        QVERIFY2(verify(program).accepted(), toText(verify(program)).c_str());
        broken.change(program);
        const Verdict verdict = verify(program);
        const std::string what = std::string(broken.name) + ": " + toText(verdict);
        QVERIFY2(verdict.refusal.has_value(), what.c_str());
        QVERIFY2(verdict.refusal->stage.value == broken.stage, what.c_str());
        QVERIFY2(verdict.refusal->id == broken.id, what.c_str());
        QVERIFY2(verdict.refusal->reason.find(broken.reason) != std::string::npos, what.c_str());
        const List& list = program.perStage[broken.stage].instructions;
        const int position = verdict.refusal->position;
        QVERIFY2(position == int(list.size()) || list[position].id == broken.id, what.c_str());
    }

private slots:
    void acceptsEveryPipelineUpToSixteenStages_data()
    {
        QTest::addColumn<QString>("schedule");
        QTest::addColumn<int>("stages");
        for (const std::string& schedule : scheduleNames())
            for (int stages = 1; stages <= 16; ++stages)
                QTest::addRow("%s on %d", schedule.c_str(), stages)
                    << QString::fromStdString(schedule) << stages;
    }
    void acceptsEveryPipelineUpToSixteenStages()
    {
        QFETCH(QString, schedule);
        QFETCH(int, stages);
        for (int microbatches = 1; microbatches <= 64; ++microbatches) {
            const ComputeProgram compute = generate(schedule.toStdString(), stages, microbatches);
            const Verdict verdict =
                verify(completeProgram(compute, inputsFor(stages, microbatches, 2)));
            QVERIFY2(verdict.accepted(), toText(verdict).c_str());
            for (int stage = 0; stage < stages; ++stage)
                QCOMPARE(verdict.peakLive[stage], schedule == "gpipe"
                                                      ? microbatches
                                                      : std::min(stages - stage, microbatches));
        }
    }

    void acceptsOtherForms_data()
    {
        QTest::addColumn<int>("form");
        QTest::addColumn<QList<int>>("peaks");
        QTest::newRow("interleaved") << 0 << QList<int>{5, 3};
        QTest::newRow("interleaved on three") << 1 << QList<int>{6, 6, 4};
        QTest::newRow("split backward") << 2 << QList<int>{4, 3, 2};
        QTest::newRow("v-shaped") << 3 << QList<int>{5, 6};
        QTest::newRow("bidirectional") << 4 << QList<int>{3, 4, 4, 3};
    }
    void acceptsOtherForms()
    {
        QFETCH(int, form);
        QFETCH(QList<int>, peaks);
        const ComputeProgram forms[] = {interleaved(), interleavedThree(), splitBackward(),
                                        vShaped(), bidirectional()};
        for (const int dp : {1, 2}) {
            for (const ModelSpec& model : {smallGpt2(), smallLlama()}) {
                const Verdict verdict = verify(complete(forms[form], dp, model));
                QVERIFY2(verdict.accepted(), toText(verdict).c_str());
                QCOMPARE(QList<int>(verdict.peakLive.begin(), verdict.peakLive.end()), peaks);
            }
        }
    }

    /// Split backward: activations live until the weights' part.
    void activationsLiveUntilTheWeightGradients()
    {
        const Program late =
            complete(handWritten({{"0"}}, {"0F0 0I0 0F1 0I1 0F2 0I2 0W0 0W1 0W2"}, 3));
        const Program early =
            complete(handWritten({{"0"}}, {"0F0 0I0 0W0 0F1 0I1 0W1 0F2 0I2 0W2"}, 3));
        QCOMPARE(verify(late).peakLive, std::vector<int>{3});
        QCOMPARE(verify(early).peakLive, std::vector<int>{1});
    }

    void refusesBrokenOrders()
    {
        for (const Broken& broken : brokenOrders())
            refuses(broken);
    }

    void refusesBrokenTransfers()
    {
        for (const Broken& broken : brokenTransfers())
            refuses(broken);
    }

    void refusesBrokenTails()
    {
        for (const Broken& broken : brokenTails())
            refuses(broken);
    }

    /// Both wait for their send before they post their receive: the deadlock that fused transfers
    /// avoid.
    void refusesADeadlockAndTellsItsCycle()
    {
        Program program = oneForward(2, 4);
        moveBehind(listOf(program, 0), waitFor(id(Kind::SendActivation, 0, 2)),
                   id(Kind::SendActivation, 0, 2));
        moveBehind(listOf(program, 1), waitFor(id(Kind::SendGradient, 0, 1)),
                   id(Kind::SendGradient, 0, 1));
        unfuse(program);
        const Verdict verdict = verify(program);
        QVERIFY(verdict.refusal.has_value());
        QCOMPARE(verdict.refusal->stage, Stage(0));
        QCOMPARE(verdict.refusal->id, waitFor(id(Kind::SendActivation, 0, 2)));
        QCOMPARE(
            verdict.refusal->reason,
            std::string(
                "deadlock: stage 0 is waiting for the sent activation of microbatch 2 to reach "
                "stage 1, stage 1 is waiting for the sent gradient of microbatch 1 to reach "
                "stage 0"));
    }

    void refusesDamagedShapes_data()
    {
        QTest::addColumn<int>("change");
        QTest::addColumn<QString>("reason");
        QTest::newRow("no stages") << 0 << "at least one stage";
        QTest::newRow("list missing") << 1 << "no list for every stage";
        QTest::newRow("lists out of order") << 2 << "not in the order";
        QTest::newRow("chunk missing") << 3 << "does not hold 1 chunks";
        QTest::newRow("held twice") << 4 << "another chunk holds";
        QTest::newRow("no place") << 5 << "no place in the model";
        QTest::newRow("layer gap") << 6 << "missing or held twice";
        QTest::newRow("embedding missing") << 7 << "embedding belongs";
        QTest::newRow("head twice") << 8 << "head belongs";
        QTest::newRow("replicas") << 9 << "divide over the replicas";
        QTest::newRow("too many chunks") << 10 << "more chunks or microbatches";
    }
    void refusesDamagedShapes()
    {
        QFETCH(int, change);
        QFETCH(QString, reason);
        Program program = oneForward(3, 2);
        const std::function<void()> changes[] = {
            [&] { program.stages = 0; },
            [&] { program.perStage.pop_back(); },
            [&] { std::swap(program.perStage[0], program.perStage[1]); },
            [&] { program.perStage[1].chunks.clear(); },
            [&] {
                program.perStage[1].chunks[0].virtualStage = 2;
                program.perStage[1].chunks[0].head = true;
            },
            [&] { program.perStage[1].chunks[0].virtualStage = 3; },
            [&] { program.perStage[1].chunks[0].layerCount -= 1; },
            [&] { program.perStage[0].chunks[0].embedding = false; },
            [&] { program.perStage[1].chunks[0].head = true; },
            [&] { program.replicas = 2; },
            [&] { program.chunks = 4097; }};
        changes[change]();
        const Verdict verdict = verify(program);
        QVERIFY(verdict.refusal.has_value());
        QVERIFY2(QString::fromStdString(verdict.refusal->reason).contains(reason),
                 verdict.refusal->reason.c_str());
    }

    void refusesReplicasThatDiffer()
    {
        Program program = complete(bidirectional());
        // Replica 1 holds its first two virtual stages on stages 3 and 2: the layers are all there,
        // cut elsewhere.
        program.perStage[3].chunks[1].layerCount -= 1;
        program.perStage[2].chunks[1].firstLayer -= 1;
        program.perStage[2].chunks[1].layerCount += 1;
        const Verdict verdict = verify(program);
        QVERIFY(verdict.refusal.has_value());
        QCOMPARE(verdict.refusal->stage, Stage(2));
        QCOMPARE(verdict.refusal->reason,
                 std::string("replicas of virtual stage 1 hold different layers"));
    }

    /// Whatever is written into an id, the verifier answers.
    void refusesEveryDamagedId()
    {
        const Program sound = oneForward(2, 2, 2);
        for (int position = 0; position < int(sound.perStage[1].instructions.size()); ++position) {
            for (int bit = 0; bit < 64; ++bit) {
                Program program = sound;
                Instruction& instruction = listOf(program, 1)[position];
                instruction.id = InstructionId(instruction.id.packed ^ (std::uint64_t(1) << bit));
                const Verdict verdict = verify(program);
                QVERIFY2(!verdict.accepted(), triaxis::toText(instruction).c_str());
                QVERIFY(!verdict.refusal->reason.empty());
            }
        }
    }

    /// A schedule of PyTorch's pipelining, where the folder with shared cases is there.
    void acceptsPublishedDualPipeV()
    {
        std::ifstream file(qEnvironmentVariable("TRIAXIS_SHARED").toStdString() +
                           "/schedules/dualpipev_4rank_10mb.csv");
        int cases = 0;
        if (file) {
            const ComputeProgram compute = handWritten(
                {{"0", "7"}, {"1", "6"}, {"2", "5"}, {"3", "4"}}, stepsFromCsv(file), 10);
            const Verdict verdict = verify(complete(compute));
            QVERIFY2(verdict.accepted(), toText(verdict).c_str());
            // The paper's peak: one more than the 2·P chunks.
            QCOMPARE(verdict.peakLive, (std::vector<int>{9, 9, 9, 9}));
            cases = 1;
        }
        qInfo("%d shared cases", cases);
    }
};

QTEST_APPLESS_MAIN(VerifierTest)
#include "verifier_test.moc"
