#include <QtTest>

#include "engine/core/error.h"
#include "engine/record/run_arrangement.h"
#include "tests/engine/core/expect_error.h"

#include <QTemporaryDir>

#include <filesystem>
#include <fstream>

using namespace triaxis;

class RunArrangementTest : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    Layout m_layout;

    std::filesystem::path folder() const { return m_folder.path().toStdString(); }
    void write(const std::string& text) const { std::ofstream(folder() / "view.json") << text; }

private slots:
    void init()
    {
        m_layout.dp = 2;
        m_layout.tp = 1;
        m_layout.pp = 4;
        std::filesystem::remove(folder() / "view.json");
    }

    void aRunThatNobodyArrangedHasNone() { QVERIFY(!readArrangement(folder(), m_layout)); }

    void whatIsWrittenIsReadAgain()
    {
        RunArrangement wanted;
        wanted.lanes.group = Axis::Pipeline;
        wanted.lanes.collapsed = {1, 3};
        wanted.lanes.pinned = {Rank(5), Rank(2)};
        wanted.lanes.hidden = {Rank(7)};
        wanted.lanes.only[std::size_t(Axis::Data)] = {0};
        wanted.colourBy = Axis::Data;
        wanted.streams = true;
        writeArrangement(folder(), wanted);
        QVERIFY(readArrangement(folder(), m_layout) == wanted);
        RunArrangement plain;
        plain.lanes.group.reset();
        writeArrangement(folder(), plain);
        QVERIFY(readArrangement(folder(), m_layout) == plain);
    }

    void whatTheLayoutDoesNotHaveIsLeftOut()
    {
        write(R"({"version": 1, "group": "pp", "collapsed": [-1, 3, 4, 99999999999],
                  "pinned": [9, 3, 3], "hidden": [8, 7], "only": {"tp": [1], "dp": [1]}})");
        const auto read = readArrangement(folder(), m_layout);
        QVERIFY(read);
        QCOMPARE(read->lanes.collapsed, std::set<int>{3});
        QCOMPARE(read->lanes.pinned, std::vector<Rank>{Rank(3)});
        QCOMPARE(read->lanes.hidden, std::set<Rank>{Rank(7)});
        QVERIFY(read->lanes.only[std::size_t(Axis::Tensor)].empty());
        QCOMPARE(read->lanes.only[std::size_t(Axis::Data)], std::set<int>{1});
    }

    void damageIsToldAndNotGuessedAt()
    {
        write("{ half");
        QVERIFY(errorText([&] { readArrangement(folder(), m_layout); }).contains("view.json"));
        write(R"({"version": 2, "group": "pp"})");
        QVERIFY(errorText([&] { readArrangement(folder(), m_layout); }).contains("version"));
        write(R"({"version": 1, "group": "cp"})");
        QVERIFY(errorText([&] { readArrangement(folder(), m_layout); }).contains("no axis"));
        write(R"({"version": 1, "hidden": ["all"]})");
        QVERIFY(errorText([&] { readArrangement(folder(), m_layout); }).contains("hidden"));
    }
};

QTEST_APPLESS_MAIN(RunArrangementTest)
#include "run_arrangement_test.moc"
