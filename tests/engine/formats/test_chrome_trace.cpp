#include <QtTest>

#include "engine/core/random.h"
#include "engine/formats/chrome_trace_lanes.h"
#include "engine/formats/exports.h"
#include "tests/engine/timeline/played_run.h"

#include <clocale>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

using namespace triaxis;
using namespace triaxis::tests;

namespace
{

std::string traceOf(const RunPlan& plan, const RunRecords& records)
{
    std::ostringstream out;
    writeChromeTrace(out, plan, records);
    return out.str();
}

std::vector<std::string> findingsOf(const std::string& trace)
{
    std::istringstream in(trace);
    return checkChromeTrace(in);
}

QByteArray joined(const std::vector<std::string>& findings)
{
    QByteArray text;
    for (const std::string& finding : findings)
        text += QByteArray::fromStdString(finding) + "\n";
    return text;
}

bool mentions(const std::vector<std::string>& findings, const std::string& words)
{
    for (const std::string& finding : findings) {
        if (finding.find(words) != std::string::npos)
            return true;
    }
    return false;
}

/// A sound trace of one process with one thread, around some events.
std::string traceAround(const std::string& events)
{
    return R"({"schemaVersion":1,"displayTimeUnit":"ns","distributedInfo":{"rank":0,"world_size":1},
        "traceEvents":[
        {"ph":"M","pid":0,"tid":0,"name":"process_name","args":{"name":"rank 0"}},
        {"ph":"M","pid":0,"tid":0,"name":"process_sort_index","args":{"sort_index":1}},
        {"ph":"M","pid":0,"tid":1,"name":"thread_name","args":{"name":"compute"}},
        {"ph":"M","pid":0,"tid":1,"name":"thread_sort_index","args":{"sort_index":0}})" +
           (events.empty() ? "" : ",\n" + events) + "]}";
}

std::string slice(const char* ts, const char* dur)
{
    return std::string(R"({"ph":"X","name":"a","cat":"forward","pid":0,"tid":1,"ts":)") + ts +
           ",\"dur\":" + dur + "}";
}

Span transfer(Lane lane, double ready, double begin, double end, int microbatch = 0)
{
    Span s;
    s.id = InstructionId(Kind::SendActivation, Chunk(0), Microbatch(microbatch));
    s.lane = lane;
    s.ready = ready;
    s.begin = begin;
    s.end = end;
    return s;
}

} // namespace

class TestChromeTrace : public QObject
{
    Q_OBJECT

private slots:
    void exportedRunsAreSound_data()
    {
        QTest::addColumn<int>("dp");
        QTest::addColumn<int>("tp");
        QTest::addColumn<int>("pp");
        QTest::addColumn<QString>("schedule");
        for (const char* schedule : {"1f1b", "gpipe"}) {
            QTest::addRow("1x1x1 %s", schedule) << 1 << 1 << 1 << schedule;
            QTest::addRow("2x2x2 %s", schedule) << 2 << 2 << 2 << schedule;
            QTest::addRow("1x4x4 %s", schedule) << 1 << 4 << 4 << schedule;
        }
    }

    void exportedRunsAreSound()
    {
        QFETCH(int, dp);
        QFETCH(int, tp);
        QFETCH(int, pp);
        QFETCH(QString, schedule);
        const RunPlan plan = smallPlan(dp, tp, pp, 8, schedule.toStdString());
        Durations durations;
        durations.jitter = 0.5;
        durations.detail = true;
        const RunRecords records = playRun(plan, 3, durations);
        const std::string trace = traceOf(plan, records);
        const auto findings = findingsOf(trace);
        QVERIFY2(findings.empty(), joined(findings));

        const auto json = nlohmann::json::parse(trace);
        QCOMPARE(json["schemaVersion"], 1);
        QCOMPARE(json["displayTimeUnit"], "ns");
        QCOMPARE(json["distributedInfo"]["world_size"], plan.layout.ranks());
        std::map<std::string, int> phases;
        for (const auto& event : json["traceEvents"])
            ++phases[event["ph"]];
        int sends = 0;
        for (const Span& span : records.all.spans)
            sends += isSend(span.id.kind());
        QCOMPARE(sends, 3 * dp * tp * (pp - 1) * 8 * 2);
        QCOMPARE(phases["s"], sends);
        QCOMPARE(phases["f"], sends);
        QCOMPARE(phases["C"], 3 * plan.layout.ranks() + 3);
        QVERIFY(phases["X"] >= int(records.all.spans.size()) + 3);
    }

    void processesAreNamedAndSortedAsTheyAreShown()
    {
        const RunPlan plan = smallPlan(2, 2, 2, 2);
        const auto json = nlohmann::json::parse(traceOf(plan, playRun(plan, 1, {})));
        std::map<int, std::string> names;
        std::map<int, int> order;
        std::map<std::pair<int, int>, std::string> threads;
        for (const auto& event : json["traceEvents"]) {
            const std::string name = event.value("name", "");
            if (name == "process_name")
                names[event["pid"]] = event["args"]["name"];
            if (name == "process_sort_index")
                order[event["args"]["sort_index"]] = event["pid"];
            if (name == "thread_name")
                threads[{event["pid"], event["tid"]}] = event["args"]["name"];
        }
        QCOMPARE(names[5], "dp0 · pp1 · tp1 — rank 5");
        const int shown[] = {8, 0, 1, 4, 5, 2, 3, 6, 7};
        QCOMPARE(order.size(), std::size_t(9));
        for (int i = 0; i < 9; ++i)
            QCOMPARE(order[i], shown[i]);
        QCOMPARE(threads[std::pair(0, 1)], "compute");
    }

    void waitAndTransferFollowOneAnother()
    {
        const Span span = transfer(Lane::SendNext, 1e-3, 2e-3, 5e-3);
        const auto slices = traceSlices({&span}, 0);
        QCOMPARE(slices.size(), std::size_t(2));
        QVERIFY(slices[0].waiting);
        QCOMPARE(slices[0].begin, std::int64_t(1000000));
        QCOMPARE(slices[0].end, slices[1].begin);
        QCOMPARE(slices[1].end, std::int64_t(5000000));
    }

    void waitsBehindABusyLaneAreClippedAndOverlapsSpill()
    {
        const std::vector<Span> spans{
            transfer(Lane::SendNext, 0, 1, 5, 0), transfer(Lane::SendNext, 2, 6, 7, 1),
            transfer(Lane::SendNext, 2, 4, 8, 2), transfer(Lane::SendNext, 3, 4.5, 6.5, 3)};
        std::vector<const Span*> lane;
        for (const Span& span : spans)
            lane.push_back(&span);
        auto slices = traceSlices(lane, 0);
        std::reverse(lane.begin(), lane.end());
        const auto again = traceSlices(lane, 0);
        std::map<int, std::int64_t> rowEnd;
        std::map<int, int> row;
        for (std::size_t i = 0; i < slices.size(); ++i) {
            QVERIFY(slices[i].begin >= rowEnd[slices[i].spill]);
            rowEnd[slices[i].spill] = slices[i].end;
            QCOMPARE(again[i].spill, slices[i].spill);
            QCOMPARE(again[i].begin, slices[i].begin);
            if (!slices[i].waiting)
                row[slices[i].span->id.microbatch().value] = slices[i].spill;
        }
        QCOMPARE(row[0], 0);
        QCOMPARE(row[2], 1);
        QCOMPARE(row[3], 2);
        QCOMPARE(row[1], 0);
    }

    void randomOverlapsStaySound()
    {
        const CounterRandom random(3, "overlap");
        const RunPlan plan = smallPlan(1, 1, 2, 4);
        RunRecords records;
        for (std::uint64_t i = 0; i < 3000; ++i) {
            Span s = transfer(Lane(random.bits(5 * i) % 8), 0, 0, 0, int(i));
            s.rank = Rank(int(i % 2));
            s.ready = random.uniform(5 * i + 1) - 0.1;
            s.begin = s.ready + 0.01 * random.uniform(5 * i + 2);
            s.end = s.begin + 0.02 * random.uniform(5 * i + 3);
            records.all.spans.push_back(s);
        }
        const auto findings = findingsOf(traceOf(plan, records));
        QVERIFY2(findings.empty(), joined(findings));
    }

    void timesHaveThreeDecimalsInAnyLocale()
    {
        const RunPlan plan = smallPlan(1, 1, 1, 1);
        RunRecords records;
        Span work = transfer(Lane::Compute, 0.25, 0.25, 0.2500123456);
        work.id = InstructionId(Kind::Forward, Chunk(0), Microbatch(0));
        records.all.spans.push_back(work);
        StepResult step;
        step.step = 1;
        step.loss = 2.5;
        step.seconds = 0.5;
        records.all.steps.push_back(step);
        const char* before = std::setlocale(LC_ALL, nullptr);
        const std::string saved = before ? before : "C";
        // Where no comma locale is installed this compares the C locale with itself.
        for (const char* name : {"C", "de_DE.UTF-8", "fr_FR.UTF-8"}) {
            std::setlocale(LC_ALL, name);
            const std::string trace = traceOf(plan, records);
            std::setlocale(LC_ALL, saved.c_str());
            QVERIFY(trace.find("\"ts\":250000.000,\"dur\":12.346") != std::string::npos);
            QVERIFY(trace.find("\"nats per token\":2.5}") != std::string::npos);
        }
    }

    void brokenRecordsGiveASoundTrace()
    {
        RunPlan plan = smallPlan(1, 1, 2, 2);
        plan.label = "a \"label\" with \\ and \x01 and \xff";
        RunRecords records = playRun(plan, 1, {});
        records.all.steps[0].loss = std::nan("");
        records.all.spans[3].end = std::nan("");
        records.all.spans[4].rank = Rank(9);
        records.all.spans[5].end = records.all.spans[5].begin = records.all.spans[5].ready;
        records.all.spans[6].end = records.all.spans[6].begin - 1e-3;
        records.all.spans[7].ready = -1e-5;
        const std::string trace = traceOf(plan, records);
        const auto findings = findingsOf(trace);
        QVERIFY2(findings.empty(), joined(findings));
        QCOMPARE(nlohmann::json::parse(trace)["metadata"]["unusable_spans"], 2);
        const auto ofNothing = findingsOf(traceOf(plan, {}));
        QVERIFY2(ofNothing.empty(), joined(ofNothing));
    }

    void checkerAcceptsWhatIsSound()
    {
        const auto findings =
            findingsOf(traceAround(slice("0", "10") + "," + slice("2.5", "3") + "," +
                                   slice("5.5", "4.5") + "," + slice("10", "1")));
        QVERIFY2(findings.empty(), joined(findings));
    }

    void checkerFindsWhatIsWrong_data()
    {
        QTest::addColumn<QString>("trace");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const std::string& trace, const char* words) {
            QTest::newRow(name) << QString::fromStdString(trace) << QString(words);
        };
        row("no JSON", "{\"traceEvents\":[", "no JSON");
        row("an array", "[]", "top level is no object");
        row("no head", R"({"traceEvents":[]})", "top level lacks: distributedInfo");
        row("no events", R"({"schemaVersion":1,"displayTimeUnit":"ns","distributedInfo":{}})",
            "an array \"traceEvents\"");
        row("overlap", traceAround(slice("0", "10") + "," + slice("5", "10")),
            "overlap without nesting");
        row("absolute times", traceAround(slice("1682725898240982", "10")), "not relative");
        row("negative time", traceAround(slice("-1", "10")), "not relative");
        row("text as time", traceAround(slice("\"1\"", "10")), "time is no number");
        row("text as id", traceAround(R"({"ph":"X","name":"a","pid":"0","tid":1,"ts":0,"dur":1})"),
            "id is no integer");
        row("negative id", traceAround(R"({"ph":"X","name":"a","pid":0,"tid":-1,"ts":0,"dur":1})"),
            "id is no integer");
        row("fractional id",
            traceAround(R"({"ph":"X","name":"a","pid":0,"tid":1.5,"ts":0,"dur":1})"),
            "id is no integer");
        row("nameless thread",
            traceAround(R"({"ph":"X","name":"a","pid":0,"tid":2,"ts":0,"dur":1})"),
            "thread without a name");
        row("nameless process",
            traceAround(R"({"ph":"X","name":"a","pid":3,"tid":1,"ts":0,"dur":1})"),
            "process without a name");
        const std::string begin =
            R"({"ph":"s","id":1,"name":"a","cat":"p","pid":0,"tid":1,"ts":1})";
        const auto end = [](const char* ts, const char* bp) {
            return std::string(R"({"ph":"f","id":1,"name":"a","cat":"p","pid":0,"tid":1,"ts":)") +
                   ts + bp + "}";
        };
        const char* bp = R"(,"bp":"e")";
        row("flow without end", traceAround(slice("0", "10") + "," + begin), "does not end");
        row("flow without begin", traceAround(slice("0", "10") + "," + end("2", bp)),
            "does not begin");
        row("flow to the next slice",
            traceAround(slice("0", "10") + "," + begin + "," + end("2", "")), "lacks \"bp\":\"e\"");
        row("flow outside", traceAround(slice("0", "10") + "," + begin + "," + end("12", bp)),
            "outside of any event");
        row("flow on the edge",
            traceAround(slice("0", "10") + "," + slice("10", "3") + "," + begin + "," +
                        end("10", bp)),
            "outside of any event");
        row("flow back in time", traceAround(slice("0", "10") + "," + begin + "," + end("0.5", bp)),
            "ends before it begins");
        row("flow twice",
            traceAround(slice("0", "10") + "," + begin + "," + begin + "," + end("2", bp)),
            "used twice");
        row("event without phase", traceAround(R"({"name":"a"})"), "without a phase");
        row("event is a number", traceAround("7"), "without a phase");
    }

    void checkerFindsWhatIsWrong()
    {
        QFETCH(QString, trace);
        QFETCH(QString, words);
        const auto findings = findingsOf(trace.toStdString());
        QVERIFY2(mentions(findings, words.toStdString()), joined(findings));
    }

    void checkerKeepsItsAnswerShort()
    {
        std::string events = slice("0", "6");
        for (int i = 0; i < 100; ++i)
            events += "," + slice("5", std::to_string(10 + i).c_str());
        for (int i = 0; i < 100; ++i)
            events += "," + slice(std::to_string(6 + i).c_str(), "200");
        const auto findings = findingsOf(traceAround(events));
        QVERIFY(!findings.empty());
        QVERIFY(findings.size() < 10);
        QVERIFY(mentions(findings, "more"));
    }
};

QTEST_APPLESS_MAIN(TestChromeTrace)
#include "test_chrome_trace.moc"
