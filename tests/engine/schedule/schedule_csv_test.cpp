#include <QTest>

#include "fixtures.h"
#include "queries.h"

#include "engine/schedule/generators.h"
#include "engine/schedule/schedule_csv.h"
#include "engine/schedule/verifier.h"

#include <fstream>
#include <sstream>

using namespace triaxis;
using namespace triaxis::tests;

namespace
{

bool same(const ComputeProgram& a, const ComputeProgram& b)
{
    return a.stages == b.stages && a.microbatches == b.microbatches && a.chunks == b.chunks &&
           a.replicas == b.replicas && a.order == b.order && a.virtualStage == b.virtualStage &&
           a.replica == b.replica;
}

/// What the reader says against a text; empty if it takes it.
std::string complaint(const std::string& text)
{
    return errorOf([&] { programFromCsv(text); });
}

} // namespace

class ScheduleCsvTest : public QObject
{
    Q_OBJECT

private slots:
    void everyScheduleComesBackAsItWas()
    {
        for (const std::string& name : generatedNames())
            for (const int stages : {2, 4, 8})
                for (const int microbatches : {2, 5, 16, 33})
                    for (const int more : {0, 1}) {
                        const ScheduleInfo& info = scheduleInfo(name);
                        const int chunks =
                            std::min(info.minimumVirtual + more, info.maximumVirtual);
                        const ComputeProgram program = generate(name, stages, microbatches, chunks);
                        const ComputeProgram back = programFromCsv(toCsv(program), name);
                        QVERIFY2(same(back, program), name.c_str());
                        QCOMPARE(back.schedule, name);
                        QCOMPARE(toCsv(back), toCsv(program));
                    }
        for (const ComputeProgram& program :
             {interleaved(), interleavedThree(), splitBackward(), vShaped(), bidirectional()})
            QVERIFY(same(programFromCsv(toCsv(program)), program));
    }

    void writesOneRowAStage()
    {
        QCOMPARE(toCsv(oneForwardOneBackward(2, 2)),
                 std::string("0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1\n"));
        QCOMPARE(toCsv(generate("dualpipe-v", 1, 2, 2)),
                 std::string("0F0,1F0,0F1,1B0,(1F1;0B0)OVERLAP_F_B,1B1,0I1,0W1\n"));
        QCOMPARE(toCsv(generate("chimera", 2, 2)),
                 std::string("# replicas 2\n0F0,3F1,3B1,0B0\n2F1,1F0,1B0,2B1\n"));
    }

    void leavesOutWhatThePassesMake()
    {
        const ComputeProgram program =
            programFromCsv("0UNSHARD,0F0,0SEND_F0,,0F1,0SEND_F1,0RECV_B0,0B0,0RECV_B1,0B1,0REDUCE_"
                           "GRAD,0RESHARD\r\n"
                           " 1RECV_F0 ,1F0,1B0,1SEND_B0,1RECV_F1,1F1,1B1,1SEND_B1,\r\n\r\n");
        QVERIFY(same(program, oneForwardOneBackward(2, 2)));
        QCOMPARE(program.schedule, std::string("custom"));
    }

    void takesPairsInEitherOrder()
    {
        const ComputeProgram program =
            programFromCsv("0F0,1F0,0F1,1B0,( 0B0 ; 1F1 )OVERLAP_F_B,1B1,0B1");
        QCOMPARE(program.chunks, 2);
        QVERIFY(program.order[0][4].withNext);
        QCOMPARE(program.order[0][4].kind, Kind::Backward);
        QVERIFY(verify(complete(program)).accepted());
    }

    void placesChunksByTheRowsThatNameThem()
    {
        const ComputeProgram program = programFromCsv("1F0,0F0,1B0,0B0\n3F0,2F0,3B0,2B0\n");
        QCOMPARE(program.virtualStage, (std::vector<std::vector<int>>{{0, 1}, {2, 3}}));
        QCOMPARE(program.order[0][0].chunk, Chunk(1));
    }

    void refusesWhatItCannotRead_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* name, const char* text, const char* reason) {
            QTest::newRow(name) << QString(text) << QString(reason);
        };
        row("nothing", "", "empty file");
        row("blank lines only", "\n \r\n", "empty file");
        row("a word", "0F0,hello,0B0", "line 1, cell 2: \"hello\"");
        row("unknown letter", "0F0,0X0", "line 1, cell 2");
        row("no microbatch", "0F,0B0", "line 1, cell 1");
        row("negative", "-1F0,0B0", "line 1, cell 1");
        row("trailing text", "0F0x,0B0", "line 1, cell 1");
        row("huge number", "0F99999999999999999999", "line 1, cell 1");
        row("huge microbatch", "0F200000000,0B200000000", "microbatch 200000000 in a file of 2");
        row("huge stage", "0F0,0B0,1000000F0,1000000B0", "virtual stage 1000000");
        row("open pair", "0F0,(0F1;0B0", "cell 2");
        row("pair of three", "(0F1;0B0;0F2)OVERLAP_F_B", "cell 1");
        row("pair of forwards", "(0F1;0F0)OVERLAP_F_B", "cell 1");
        row("pair of half a backward", "(0F1;0I0)OVERLAP_F_B", "cell 1");
        row("pair of nothing", "(;)OVERLAP_F_B", "cell 1");
        row("bare pair", "()", "cell 1");
        row("pair with a transfer", "(0F1;0SEND_F0)OVERLAP_F_B", "cell 1");
        row("missing backward", "0F0,0F1,0B0", "microbatch 1 on virtual stage 0 runs forward 1");
        row("forward twice", "0F0,0F0,0B0", "runs forward 2 times");
        row("backward and half of one", "0F0,0B0,0W0", "1 B, 0 I and 1 W");
        row("lost weights", "0F0,0I0", "0 B, 1 I and 0 W");
        row("lost microbatch", "0F0,0B0,0F2,0B2", "microbatch 1 on virtual stage 0");
        row("on two rows", "0F0,0B0\n0F0,0B0", "virtual stage 0 is in line 1 too");
        row("empty row", "0F0,0B0\n\n1F0,1B0", "virtual stages");
        row("unlike rows", "0F0,0B0,1F0,1B0\n2F0,2B0", "line 2 names 1 virtual stages");
        row("gap in the stages", "0F0,0B0\n2F0,2B0", "virtual stage 2");
        row("damaged remark", "# hello\n0F0,0B0", "line 1");
        row("no replicas", "# replicas 0\n0F0,0B0", "line 1");
        row("too many replicas", "# replicas 3\n0F0,0B0\n1F0,1B0", "3 replicas");
        row("two replicas", "# replicas 2\n0F0,0B0,3F1,3B1\n1F0,1B0,2F0,2B0",
            "runs on the other replica too");
    }
    void refusesWhatItCannotRead()
    {
        QFETCH(QString, text);
        QFETCH(QString, reason);
        const std::string found = complaint(text.toStdString());
        QVERIFY2(contains(found, reason.toStdString()), found.c_str());
    }

    /// Whatever is written over a file, the reader answers.
    void answersToEveryDamage()
    {
        const std::string sound = toCsv(generate("dualpipe", 2, 4));
        for (std::size_t at = 0; at < sound.size(); ++at) {
            for (const char letter :
                 {'0', '9', 'F', 'W', ',', ';', '(', ')', '\n', '#', '-', '\0'}) {
                std::string damaged = sound;
                damaged[at] = letter;
                complaint(damaged);
                complaint(sound.substr(0, at) + letter + sound.substr(at));
            }
            complaint(sound.substr(0, at));
        }
    }

    /// A schedule of PyTorch's pipelining, where the folder with shared cases is there.
    void reproducesPublishedDualPipeV()
    {
        std::ifstream file(qEnvironmentVariable("TRIAXIS_SHARED").toStdString() +
                           "/schedules/dualpipev_4rank_10mb.csv");
        int cases = 0;
        if (file) {
            std::ostringstream text;
            text << file.rdbuf();
            const ComputeProgram published = programFromCsv(text.str(), "dualpipe-v");
            const ComputeProgram own = generate("dualpipe-v", 4, 10, 2);
            QVERIFY(same(own, published));
            QCOMPARE(toCsv(own), toCsv(published));
            const Verdict verdict = verify(complete(published));
            QVERIFY(verdict.accepted());
            // The paper's peak: one more than the 2·P chunks.
            QCOMPARE(verdict.peakLive, (std::vector<int>{9, 9, 9, 9}));
            cases = 1;
        }
        qInfo("%d shared cases", cases);
    }
};

QTEST_APPLESS_MAIN(ScheduleCsvTest)
#include "schedule_csv_test.moc"
