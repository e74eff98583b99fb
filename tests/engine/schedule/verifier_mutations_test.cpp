#include "fixtures.h"
#include "interpreter.h"
#include "mutations.h"

#include "engine/schedule/generators.h"
#include "engine/schedule/verifier.h"

#include <QTest>

#include <map>

using namespace triaxis;
using namespace triaxis::tests;

namespace
{

constexpr int rounds = 6000;
constexpr int orders = 20;

struct Base
{
    std::string name;
    Program program;
};

std::vector<Base> bases()
{
    std::vector<Base> all;
    for (const std::string& schedule : scheduleNames())
        for (const auto& [stages, microbatches] :
             {std::pair(1, 3), {2, 2}, {2, 5}, {3, 4}, {4, 3}, {4, 6}, {5, 2}})
            for (const int dp : {1, 2})
                all.push_back({schedule + " " + std::to_string(stages) + "×" +
                                   std::to_string(microbatches) + " dp " + std::to_string(dp),
                               programFor(schedule, inputsFor(stages, microbatches, dp))});
    ProgramInputs replicated = inputsFor(3, 3, 2, 1, smallLlama());
    replicated.layout.tp = 8;
    all.push_back({"1f1b with replicated heads", programFor("1f1b", replicated)});
    for (const int dp : {1, 2}) {
        const std::string text = " dp " + std::to_string(dp);
        all.push_back({"interleaved" + text, complete(interleaved(), dp)});
        all.push_back({"interleaved on three" + text, complete(interleavedThree(), dp)});
        all.push_back({"split backward" + text, complete(splitBackward(), dp)});
        all.push_back({"v-shaped" + text, complete(vShaped(), dp)});
        all.push_back({"bidirectional" + text, complete(bidirectional(), dp)});
    }
    return all;
}

/// Executes in many random orders, which must all come to the same end.
Outcome executeOften(const Program& program, std::uint64_t seed, bool& agree)
{
    Outcome first = execute(program, seed);
    agree = true;
    for (int order = 1; order < orders; ++order) {
        const Outcome other = execute(program, seed + order);
        agree = agree && other.sound == first.sound;
    }
    return first;
}

struct Tally
{
    int accepted = 0;
    int refused = 0;
};

} // namespace

class VerifierMutationsTest : public QObject
{
    Q_OBJECT

private slots:
    void interpreterAndVerifierAcceptTheBases()
    {
        for (const Base& base : bases()) {
            bool agree = false;
            const Outcome outcome = executeOften(base.program, 1, agree);
            const Verdict verdict = verify(base.program);
            QVERIFY2(outcome.sound && agree, (base.name + ": " + outcome.fault).c_str());
            QVERIFY2(verdict.accepted(),
                     (base.name + ": " + (verdict.refusal ? verdict.refusal->reason : "")).c_str());
        }
    }

    void agreesWithTheInterpreterOnMutations()
    {
        const std::vector<Base> all = bases();
        std::mt19937 random(20240607);
        std::map<std::string, Tally> tallies;
        Tally total;
        int deadlocks = 0;
        for (int round = 0; round < rounds; ++round) {
            const Base& base = all[random() % all.size()];
            const Mutation& mutation = mutations()[round % mutations().size()];
            Program program = base.program;
            if (!mutation.apply(program, random))
                continue;
            if (random() % 4 == 0) // now and then a second change on top of the first
                mutations()[random() % mutations().size()].apply(program, random);
            bool agree = false;
            const Outcome outcome = executeOften(program, random(), agree);
            const Verdict verdict = verify(program);
            const std::string what =
                base.name + ", " + mutation.name + ", round " + std::to_string(round) +
                ": interpreter: " + (outcome.sound ? "sound" : outcome.fault) + "; verifier: " +
                (verdict.refusal
                     ? "stage " + std::to_string(verdict.refusal->stage.value) + " position " +
                           std::to_string(verdict.refusal->position) + ", " +
                           toText(verdict.refusal->id) + ": " + verdict.refusal->reason
                     : "sound");
            QVERIFY2(agree, what.c_str());
            QVERIFY2(outcome.sound == verdict.accepted(), what.c_str());
            Tally& tally = tallies[mutation.name];
            ++(outcome.sound ? tally.accepted : tally.refused);
            ++(outcome.sound ? total.accepted : total.refused);
            deadlocks += verdict.refusal && verdict.refusal->reason.rfind("deadlock", 0) == 0;
        }
        for (const auto& [name, tally] : tallies)
            qInfo("%-32s %4d accepted %4d refused", name.c_str(), tally.accepted, tally.refused);
        qInfo("%d mutations: %d accepted, %d refused, %d of these for a deadlock",
              total.accepted + total.refused, total.accepted, total.refused, deadlocks);
        QVERIFY(total.accepted + total.refused >= 1000);
        QVERIFY(total.accepted >= (total.accepted + total.refused) / 5);
        QVERIFY(total.refused >= (total.accepted + total.refused) / 5);
        QVERIFY(deadlocks >= 20);
    }
};

QTEST_APPLESS_MAIN(VerifierMutationsTest)
#include "verifier_mutations_test.moc"
