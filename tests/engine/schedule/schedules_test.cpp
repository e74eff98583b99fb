#include <QTest>

#include "fixtures.h"
#include "queries.h"

#include "engine/schedule/generators.h"
#include "engine/schedule/schedule_csv.h"
#include "engine/schedule/verifier.h"

#include <algorithm>

using namespace triaxis;
using namespace triaxis::tests;

namespace
{

constexpr int mostStages = 16;
constexpr int mostMicrobatches = 64;
constexpr int mostVirtual = 4;
/// One shape in so many is tried; TRIAXIS_FULL=1 tries all.
constexpr int sampled = 11;

struct Shape
{
    int stages = 1;
    int microbatches = 1;
    int chunks = 1; ///< V
};

std::string toText(const Shape& shape)
{
    return "P=" + std::to_string(shape.stages) + " M=" + std::to_string(shape.microbatches) +
           " V=" + std::to_string(shape.chunks);
}

/// Every sampled-th of the grid, others for other schedules; small and large ones always.
std::vector<Shape> shapes(int offset)
{
    const bool full = qEnvironmentVariableIntValue("TRIAXIS_FULL") != 0;
    std::vector<Shape> all;
    int number = offset;
    for (int stages = 2; stages <= mostStages; ++stages)
        for (int microbatches = 1; microbatches <= mostMicrobatches; ++microbatches)
            for (int chunks = 1; chunks <= mostVirtual; ++chunks)
                if (full || number++ % sampled == 0 || (stages <= 4 && microbatches <= 5) ||
                    (stages == mostStages && microbatches == mostMicrobatches))
                    all.push_back({stages, microbatches, chunks});
    return all;
}

/// The condition under which a schedule is refused, as its message gives it; empty where it exists.
std::string condition(const ScheduleInfo& info, const Shape& shape)
{
    if (shape.chunks < info.minimumVirtual || shape.chunks > info.maximumVirtual)
        return "set the virtual stages to ";
    if (info.replicas > 1 && shape.stages % 2 != 0)
        return "even number of stages";
    if (info.replicas > 1 && shape.microbatches < 2)
        return "at least 2 microbatches";
    return {};
}

ProgramInputs inputsOf(const Shape& shape)
{
    ModelSpec model = smallGpt2();
    model.layers = std::max(model.layers, shape.stages * shape.chunks);
    ProgramInputs inputs = inputsFor(shape.stages, shape.microbatches, 1 + shape.microbatches % 2,
                                     shape.chunks, model);
    inputs.bucketBytes = 1 << 20;
    return inputs;
}

/// How often the steps of all stages train a microbatch on a virtual stage: once each.
bool trainsEachOnce(const ComputeProgram& program)
{
    const int positions = program.stages * program.chunks / program.replicas;
    std::vector<int> forwards(std::size_t(positions) * program.microbatches, 0);
    std::vector<int> halves = forwards; // of a backward: 2 for a full one
    for (int stage = 0; stage < program.stages; ++stage) {
        for (const ComputeStep& step : program.order[stage]) {
            const std::size_t at =
                std::size_t(program.virtualStage[stage][step.chunk.value]) * program.microbatches +
                step.microbatch.value;
            if (step.kind == Kind::Forward)
                ++forwards[at];
            else
                halves[at] += step.kind == Kind::Backward ? 2 : 1;
        }
    }
    return std::all_of(forwards.begin(), forwards.end(), [](int n) { return n == 1; }) &&
           std::all_of(halves.begin(), halves.end(), [](int n) { return n == 2; });
}

std::string reasonOf(const Verdict& verdict)
{
    return verdict.refusal ? verdict.refusal->reason : "accepted";
}

/// Microbatch-chunks that live at once, most of each stage.
std::vector<int> peaks(const std::string& name, int stages, int microbatches, int chunks)
{
    const Shape shape{stages, microbatches, chunks};
    return verify(completeProgram(generate(name, stages, microbatches, chunks), inputsOf(shape)))
        .peakLive;
}

} // namespace

class SchedulesTest : public QObject
{
    Q_OBJECT

private slots:
    void everyShapeIsSoundOrRefusedWithItsCondition_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("offset");
        int offset = 0;
        for (const std::string& name : generatedNames())
            QTest::addRow("%s", name.c_str()) << QString::fromStdString(name) << offset++;
    }
    void everyShapeIsSoundOrRefusedWithItsCondition()
    {
        QFETCH(QString, name);
        QFETCH(int, offset);
        const std::string schedule = name.toStdString();
        const ScheduleInfo& info = scheduleInfo(schedule);
        int sound = 0;
        int refused = 0;
        for (const Shape& shape : shapes(offset)) {
            const std::string what = schedule + " " + toText(shape);
            const auto make = [&] {
                return generate(schedule, shape.stages, shape.microbatches, shape.chunks);
            };
            if (const std::string expected = condition(info, shape); !expected.empty()) {
                QVERIFY2(contains(errorOf(make), expected), what.c_str());
                ++refused;
                continue;
            }
            const ComputeProgram program = make();
            QVERIFY2(trainsEachOnce(program), what.c_str());
            const Verdict verdict = verify(completeProgram(program, inputsOf(shape)));
            QVERIFY2(verdict.accepted(), (what + ": " + reasonOf(verdict)).c_str());
            ++sound;
        }
        QVERIFY(sound > 0);
        qInfo("%d sound, %d refused", sound, refused);
    }

    void singleStagesAreSound()
    {
        for (const std::string& name : generatedNames()) {
            const ScheduleInfo& info = scheduleInfo(name);
            if (info.replicas > 1)
                continue;
            for (const int microbatches : {1, 2, 3, 8}) {
                const Verdict verdict = verify(programOf(name, 1, microbatches));
                QVERIFY2(verdict.accepted(), (name + ": " + reasonOf(verdict)).c_str());
            }
        }
    }

    /// The hand-written orders of the fixtures are the published ones.
    void ordersAreThePublishedOnes()
    {
        QCOMPARE(toCsv(generate("interleaved", 2, 4, 2)), toCsv(interleaved()));
        QCOMPARE(toCsv(generate("chimera", 4, 4)), toCsv(bidirectional()));
        QCOMPARE(toCsv(generate("looped-bfs", 2, 2, 2)),
                 std::string("0F0,0F1,2F0,2F1,2B0,2B1,0B0,0B1\n"
                             "1F0,1F1,3F0,3F1,3B0,3B1,1B0,1B1\n"));
        QCOMPARE(toCsv(generate("zb-h1", 3, 4)),
                 std::string("0F0,0F1,0F2,0I0,0W0,0F3,0I1,0W1,0I2,0W2,0I3,0W3\n"
                             "1F0,1F1,1I0,1F2,1I1,1W0,1F3,1I2,1W1,1I3,1W2,1W3\n"
                             "2F0,2I0,2F1,2I1,2F2,2I2,2W0,2F3,2I3,2W1,2W2,2W3\n"));
        QCOMPARE(toCsv(generate("zb-h2", 2, 3)),
                 std::string("0F0,0F1,0F2,0I0,0W0,0I1,0W1,0I2,0W2\n"
                             "1F0,1I0,1F1,1I1,1F2,1I2,1W0,1W1,1W2\n"));
        QCOMPARE(toCsv(generate("zb-v", 2, 3, 2)),
                 std::string("0F0,0F1,0F2,3F0,3I0,3W0,3F1,3I1,3W1,0I0,0W0,3F2,3I2,3W2,0I1,0W1,"
                             "0I2,0W2\n"
                             "1F0,2F0,1F1,2F1,2I0,2W0,1F2,1I0,1W0,2F2,2I1,2W1,1I1,2I2,1I2,1W1,"
                             "2W2,1W2\n"));
        QCOMPARE(toCsv(generate("chimera-doubling", 2, 4)),
                 std::string("# replicas 2\n"
                             "0F0,0F1,3F2,3F3,3B2,0B0,3B3,0B1\n"
                             "2F2,2F3,1F0,1F1,1B0,2B2,1B1,2B3\n"));
        QCOMPARE(toCsv(generate("dualpipe", 2, 4)),
                 std::string("# replicas 2\n"
                             "0F0,3F2,0F1,3B2,(3F3;0B0)OVERLAP_F_B,3B3,0I1,0W1\n"
                             "2F2,1F0,2F3,1B0,(1F1;2B2)OVERLAP_F_B,1B1,2I3,2W3\n"));
    }

    void halvingIsTheOrderOfDoubling()
    {
        for (const int microbatches : {2, 7, 16, 40}) {
            const ComputeProgram halving = generate("chimera-halving", 4, microbatches);
            QCOMPARE(halving.order, generate("chimera-doubling", 4, microbatches).order);
        }
    }

    /// In units of one chunk of one microbatch; a stage's whole share is V of them.
    void peaksAreThePublishedOnes()
    {
        QCOMPARE(peaks("interleaved", 4, 8, 2), (std::vector<int>{11, 9, 7, 5}));
        QCOMPARE(peaks("looped-bfs", 4, 6, 3), (std::vector<int>{18, 18, 18, 18}));
        QCOMPARE(peaks("zb-h1", 4, 8, 1), (std::vector<int>{4, 4, 4, 4}));
        QCOMPARE(peaks("zb-h2", 4, 8, 1), (std::vector<int>{7, 7, 7, 7}));
        QCOMPARE(peaks("zb-v", 4, 8, 2), (std::vector<int>{8, 8, 8, 8}));
        QCOMPARE(peaks("chimera", 4, 16, 1), (std::vector<int>{3, 4, 4, 3}));
        QCOMPARE(peaks("dualpipe", 4, 12, 1), (std::vector<int>{5, 5, 5, 5}));
        QCOMPARE(peaks("dualpipe-v", 4, 12, 2), (std::vector<int>{9, 9, 9, 9}));
        for (const auto& [stages, half, least] :
             {std::tuple(4, 3, 2), {6, 4, 3}, {8, 5, 4}, {16, 9, 6}}) {
            const std::vector<int> halves = peaks("v-half", stages, 64, 2);
            QCOMPARE(*std::max_element(halves.begin(), halves.end()), 2 * half);
            const std::vector<int> minima = peaks("v-min", stages, 64, 2);
            QCOMPARE(*std::max_element(minima.begin(), minima.end()), 2 * least);
        }
    }

    void interleavedTakesGroupsThatNeitherIdleNorDeadlock()
    {
        const auto make = [](int stages, int microbatches, int group) {
            ScheduleRequest request{"interleaved", stages, microbatches, 2, group, {}};
            return generate(request);
        };
        // The smallest N in [P, M] with M mod N = 0 or at least P.
        QCOMPARE(make(4, 10, 0).order, make(4, 10, 5).order);
        QCOMPARE(make(4, 8, 0).order, make(4, 8, 4).order);
        QCOMPARE(make(4, 9, 0).order, make(4, 9, 5).order);
        QCOMPARE(make(4, 7, 0).order, make(4, 7, 7).order);
        QCOMPARE(make(4, 3, 0).order, make(4, 3, 3).order);
        for (const int group : {-1, 3, 4, 11})
            QVERIFY(contains(errorOf([&] { make(4, 10, group); }), "M mod N = 0"));
        QVERIFY(contains(errorOf([&] { make(4, 3, 2); }), "one group"));
    }

    void ownOrdersMustFitThePlan()
    {
        ScheduleRequest request{"custom", 2, 4, 2, 0, toCsv(interleaved())};
        QCOMPARE(generate(request).order, interleaved().order);
        QCOMPARE(generate(request).schedule, std::string("custom"));
        const auto refusal = [&](auto change) {
            ScheduleRequest other = request;
            change(other);
            return errorOf([&] { generate(other); });
        };
        QVERIFY(contains(refusal([](ScheduleRequest& r) { r.stages = 4; }), "2 stages"));
        QVERIFY(
            contains(refusal([](ScheduleRequest& r) { r.microbatches = 5; }), "4 microbatches"));
        QVERIFY(contains(refusal([](ScheduleRequest& r) { r.virtualStages = 1; }), "2 chunks"));
        QVERIFY(contains(refusal([](ScheduleRequest& r) { r.csv.clear(); }), "no order"));
        request.name = "auto";
        QCOMPARE(generate(request).schedule, std::string("auto"));
    }

    void ownOrdersLayTwinsOnTwoStages()
    {
        const std::string head = "# replicas 2\n";
        ScheduleRequest request{"custom", 2, 2, 1, 0, {}};
        request.csv = head + "0F0,3F1,3B1,0B0\n1F0,1B0,2F1,2B1\n";
        QCOMPARE(generate(request).replicas, 2);
        request.csv = head + "0F0,2F1,2B1,0B0\n1F0,1B0,3F1,3B1\n";
        QVERIFY(contains(errorOf([&] { generate(request); }), "mirror order"));
    }
};

QTEST_APPLESS_MAIN(SchedulesTest)
#include "schedules_test.moc"
