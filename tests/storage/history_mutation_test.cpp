// Damaged bundles, records, plans and notes, many of them. TRIAXIS_MUTATIONS sets how many (300 without it).

#include "engine/formats/plan_file.h"
#include "storage/run_places.h"
#include "storage/same_run.h"
#include "tests/storage/forged_bundle.h"
#include "tests/storage/history_fixture.h"

#include <QTest>
#include <random>
#include <sys/time.h>

using namespace triaxis;
using namespace triaxis::test;
namespace fs = std::filesystem;

namespace
{

/// Ends the test if what is between needs more than five seconds of processor time; what blocks meets the test's own limit.
class Limit
{
public:
    Limit() { set(5); }
    ~Limit() { set(0); }
    Limit(const Limit&) = delete;
    Limit& operator=(const Limit&) = delete;

private:
    static void set(int seconds)
    {
        const itimerval timer{{0, 0}, {seconds, 0}};
        ::setitimer(ITIMER_PROF, &timer, nullptr);
    }
};

using Random = std::mt19937;

std::size_t below(Random& random, std::size_t limit)
{
    return std::uniform_int_distribution<std::size_t>(0, limit == 0 ? 0 : limit - 1)(random);
}

/// One to four changes: bits, numbers at the ends of their range, cuts, repetitions, foreign pieces.
void mutate(std::string& content, Random& random)
{
    static const char* const pieces[] = {"-1", "1e999", "null", "[[[[[[[[", "../", "\"\"", "2147483648",
                                         "\xff\xff\xff\xff", "TXR1", "{}"};
    for (std::size_t i = 0, changes = 1 + below(random, 4); i < changes && !content.empty(); ++i) {
        const std::size_t at = below(random, content.size());
        const std::size_t length = std::min(content.size() - at, 1 + below(random, 64));
        switch (below(random, 7)) {
        case 0:
            content[at] = char(content[at] ^ (1 << below(random, 8)));
            break;
        case 1:
            content[at] = char(below(random, 256));
            break;
        case 2:
            content.resize(at);
            break;
        case 3:
            content.erase(at, length);
            break;
        case 4:
            content.insert(at, std::string(content, at, length));
            break;
        case 5:
            content.replace(at, std::min<std::size_t>(length, 4), pieces[below(random, std::size(pieces))]);
            break;
        default:
            std::fill_n(content.begin() + std::ptrdiff_t(at), length, char(below(random, 2) ? 0xff : 0));
        }
    }
}

std::string textIn(const fs::path& file)
{
    const auto content = contentOf(file);
    return {content.begin(), content.end()};
}

void writeText(const fs::path& file, const std::string& text)
{
    std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
}

int mutations()
{
    const int wanted = qEnvironmentVariableIntValue("TRIAXIS_MUTATIONS");
    return wanted > 0 ? wanted : 300;
}

} // namespace

class HistoryMutationTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void damagedBundles();
    void bundlesOfDamagedFiles();
    void damagedFilesOfARun();
    void damagedPlanFiles();

private:
    /// Everything that was there before is as it was, and nothing has come beside it.
    void checkNothingIsLost();
    void importWithin(const fs::path& file);

    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path m_top, m_source, m_home, m_file;
    std::vector<Forged> m_sound;
    std::string m_id, m_resident;
    int m_taken = 0;
};

void HistoryMutationTest::initTestCase()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_top = m_folder->path().toStdString();
    m_source = m_top / "source";
    m_home = m_top / "home";
    m_file = m_top / "run.triaxis-run";
    const RunDirectory run = makeRun(m_source, smallPlan(1, 1, 2), 6);
    writeNotes(run.path(), notesWith({"a", "b"}, "text"));
    std::ofstream(run.path() / "marks.json") << R"({"version": 1, "marks": [{"from": 1, "note": "x"}]})";
    m_id = run.id();
    for (const char* name : {"run.json", "state.json", "rank-0000.records", "rank-0001.records", "notes.json", "marks.json"})
        m_sound.push_back({name, textIn(run.path() / name)});
    m_resident = makeRun(m_home, smallPlan(1, 1, 1), 3).id();
    fs::copy(m_home, m_top / "copy", fs::copy_options::recursive);
}

void HistoryMutationTest::checkNothingIsLost()
{
    const std::set<std::string> known{"source", "home", "copy", "run.triaxis-run", "plan.triaxis"};
    for (const std::string& name : namesIn(m_top))
        QVERIFY2(known.contains(name), name.c_str());
    const std::set<std::string> own{"runs", "trash", "staging", "history.db", "history.db-wal", "history.db-shm"};
    for (const std::string& name : namesIn(m_home))
        QVERIFY2(own.contains(name), name.c_str());
    QVERIFY(namesIn(m_home / "staging").empty());
    QVERIFY(isSameRun(m_home / "runs" / m_resident, m_top / "copy" / "runs" / m_resident));
    for (const std::string& name : namesIn(m_home / "runs"))
        QVERIFY2(name.find('/') == std::string::npos && (name == m_resident || name.size() < 120), name.c_str());
}

void HistoryMutationTest::importWithin(const fs::path& file)
{
    const Limit limit;
    try {
        const ImportedRun run = importBundle(m_home, file);
        ++m_taken;
        // What was taken in can be read, listed and bundled.
        const RunDirectory directory = RunDirectory::open(runPlace(m_home, run.id, false));
        readRun(directory);
        History history(m_home);
        history.index(directory);
        history.run(run.id);
        fs::remove_all(directory.path());
    } catch (const Error&) {
    }
}

void HistoryMutationTest::damagedBundles()
{
    Random random(1);
    forge(m_file, m_id, m_sound, m_sound);
    const std::string whole = textIn(m_file);
    for (int i = 0; i < mutations() / 4; ++i) {
        std::string content = whole;
        mutate(content, random);
        writeText(m_file, content);
        importWithin(m_file);
        checkNothingIsLost();
    }
}

/// The sums are right, so that every reader behind them is reached.
void HistoryMutationTest::bundlesOfDamagedFiles()
{
    Random random(2);
    m_taken = 0;
    for (int i = 0; i < mutations() / 4; ++i) {
        std::vector<Forged> files = m_sound;
        mutate(files[below(random, files.size())].content, random);
        std::string id = m_id;
        if (below(random, 8) == 0)
            mutate(id, random);
        if (below(random, 8) == 0)
            mutate(files[below(random, files.size())].name, random);
        try {
            forge(m_file, id, files, files);
        } catch (const Error&) { // a name that no tar file can have
            continue;
        }
        importWithin(m_file);
        checkNothingIsLost();
    }
    QVERIFY2(m_taken > 0, "no harmless change was among them");
}

void HistoryMutationTest::damagedFilesOfARun()
{
    Random random(3);
    for (int i = 0; i < mutations() / 4; ++i) {
        const fs::path directory = m_home / "runs" / m_id;
        fs::create_directories(directory);
        std::vector<Forged> files = m_sound;
        for (std::size_t k = 0; k < 2; ++k)
            mutate(files[below(random, files.size())].content, random);
        for (const Forged& file : files)
            writeText(directory / file.name, file.content);
        const Limit limit;
        History history(m_home);
        history.refresh();
        try {
            readRun(RunDirectory::open(directory));
            history.edit(m_id, [](RunNotes& notes) { notes.starred = !notes.starred; });
            history.prune(m_id);
            history.exportRun(m_id, m_file);
        } catch (const Error&) {
        }
        history.run(m_resident);
        fs::remove_all(directory);
        checkNothingIsLost();
    }
}

void HistoryMutationTest::damagedPlanFiles()
{
    Random random(4);
    const std::string whole = m_sound[0].content;
    const nlohmann::json plan = nlohmann::json::parse(whole)["plan"];
    const fs::path file = m_top / "plan.triaxis";
    for (int i = 0; i < mutations() / 4; ++i) {
        std::string content = plan.dump(1);
        mutate(content, random);
        const Limit limit;
        const nlohmann::json json = nlohmann::json::parse(content, nullptr, false);
        try {
            if (!json.is_discarded())
                checkPlan(runPlanFromJson(json));
        } catch (const Error&) {
        }
        writeText(file, content);
        try {
            readPlanFile(file);
        } catch (const Error&) {
        }
    }
    checkNothingIsLost();
}

QTEST_APPLESS_MAIN(HistoryMutationTest)
#include "history_mutation_test.moc"
