#include "fixtures.h"
#include "interpreter.h"
#include "mutations.h"
#include "queries.h"

#include "engine/schedule/generators.h"
#include "engine/schedule/verifier.h"

#include <QTest>

#include <map>

using namespace triaxis;
using namespace triaxis::tests;

namespace
{

constexpr int batches = 10;
constexpr int orders = 20;

/// Mutations a batch; more of them can be asked for.
int roundsOfABatch()
{
    const int asked = qEnvironmentVariableIntValue("TRIAXIS_MUTATIONS");
    return asked > 0 ? asked : 400;
}

struct Base
{
    std::string name;
    Program program;
};

std::vector<Base> bases()
{
    std::vector<Base> all;
    for (const std::string schedule : {"gpipe", "1f1b"})
        for (const auto& [stages, microbatches] :
             {std::pair(1, 3), {2, 2}, {2, 5}, {3, 4}, {4, 3}, {4, 6}, {5, 2}})
            for (const int dp : {1, 2})
                all.push_back({schedule + " " + std::to_string(stages) + "×" +
                                   std::to_string(microbatches) + " dp " + std::to_string(dp),
                               programFor(schedule, inputsFor(stages, microbatches, dp))});
    for (const std::string schedule : {"interleaved", "zb-h1", "zb-v", "v-min", "chimera",
                                       "chimera-doubling", "dualpipe", "dualpipe-v"})
        for (const auto& [stages, microbatches] : {std::pair(2, 5), {4, 4}})
            all.push_back(
                {schedule + " " + std::to_string(stages) + "×" + std::to_string(microbatches),
                 programOf(schedule, stages, microbatches, 1 + stages / 4)});
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
    int deadlocks = 0; ///< among the refused

    void count(const Verdict& verdict)
    {
        ++(verdict.accepted() ? accepted : refused);
        if (verdict.refusal && verdict.refusal->reason.rfind("deadlock", 0) == 0)
            ++deadlocks;
    }
};

std::string toText(const Outcome& outcome, const Verdict& verdict)
{
    std::string text =
        "interpreter: " + (outcome.sound ? std::string("sound") : outcome.fault) + "; verifier: ";
    if (!verdict.refusal)
        return text + "sound";
    return text + "stage " + std::to_string(verdict.refusal->stage.value) + " position " +
           std::to_string(verdict.refusal->position) + ", " + toText(verdict.refusal->id) + ": " +
           verdict.refusal->reason;
}

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

    void agreesWithTheInterpreterOnMutations_data()
    {
        QTest::addColumn<int>("seed");
        for (int batch = 0; batch < batches; ++batch)
            QTest::addRow("seed %d", batch) << batch;
    }
    void agreesWithTheInterpreterOnMutations()
    {
        QFETCH(int, seed);
        const std::vector<Base> all = bases();
        std::mt19937 random{std::uint32_t(seed)};
        for (int round = 0; round < roundsOfABatch(); ++round) {
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
            const std::string what = base.name + ", " + mutation.name + ", round " +
                                     std::to_string(round) + ": " + toText(outcome, verdict);
            QVERIFY2(agree, what.c_str());
            QVERIFY2(outcome.sound == verdict.accepted(), what.c_str());
            m_tallies[mutation.name].count(verdict);
            m_total.count(verdict);
        }
    }

    /// Both answers, and deadlocks among the refusals, are common enough for the agreement to mean
    /// something.
    void mutationsReachBothAnswers()
    {
        for (const auto& [name, tally] : m_tallies)
            qInfo("%-32s %5d accepted %5d refused", name.c_str(), tally.accepted, tally.refused);
        const int all = m_total.accepted + m_total.refused;
        qInfo("%d mutations: %d accepted, %d refused, %d of these for a deadlock", all,
              m_total.accepted, m_total.refused, m_total.deadlocks);
        QVERIFY(all >= 1000);
        QVERIFY(m_total.accepted >= all / 5);
        QVERIFY(m_total.refused >= all / 5);
        QVERIFY(m_total.deadlocks >= all / 200);
    }

private:
    std::map<std::string, Tally> m_tallies; ///< by mutation
    Tally m_total;
};

QTEST_APPLESS_MAIN(VerifierMutationsTest)
#include "verifier_mutations_test.moc"
