// How records travel on standard output: whole, cut, mixed and damaged.

#include "engine/record/record_route.h"

#include <QTest>
#include <random>

using namespace triaxis;

namespace
{

RoutedPiece piece(int rank, std::int64_t offset, std::size_t size, std::mt19937& random)
{
    RoutedPiece made{RoutedFile::Records, Rank(rank), offset, Bytes(size)};
    for (std::uint8_t& byte : made.bytes)
        byte = std::uint8_t(random());
    return made;
}

std::string tagged(int rank, std::string_view text, const char* stream = "stdout")
{
    return "[4711," + std::to_string(rank) + "]<" + stream + ">:" + std::string(text);
}

/// Cuts each rank's text anywhere and mixes the tagged chunks, as mpirun does.
std::string mixed(std::vector<std::string> texts, std::mt19937& random)
{
    std::string out;
    while (std::any_of(texts.begin(), texts.end(), [](const auto& t) { return !t.empty(); })) {
        const std::size_t rank = random() % texts.size();
        const std::size_t size = std::min<std::size_t>(texts[rank].size(), 1 + random() % 5000);
        if (size == 0)
            continue;
        out += tagged(int(rank), std::string_view(texts[rank]).substr(0, size));
        texts[rank].erase(0, size);
    }
    return out;
}

/// What comes out of a text that arrives in arbitrary parts.
std::vector<RoutedPiece> received(const std::string& text, std::mt19937& random,
                                  RouteReader& reader)
{
    std::vector<RoutedPiece> pieces;
    TaggedOutput tags;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t size = std::min<std::size_t>(text.size() - at, 1 + random() % 700);
        tags.feed(std::string_view(text).substr(at, size), [&](Rank rank, std::string_view part) {
            reader.feed(rank, part, [&](const RoutedPiece& one) { pieces.push_back(one); });
        });
        at += size;
    }
    return pieces;
}

} // namespace

class RecordRouteTest : public QObject
{
    Q_OBJECT

private slots:
    void everyPieceArrivesWhateverTheCuts();
    void strayPrintsAreNoPieces();
    void aDamagedPieceIsLeftOutAndCounted();
    void aPieceOfAnotherRankIsRefused();
    void aPieceWithoutEndTakesNoMemory();
    void wordsComeOutWithoutTags();
};

void RecordRouteTest::everyPieceArrivesWhateverTheCuts()
{
    for (unsigned seed = 1; seed <= 30; ++seed) {
        std::mt19937 random(seed);
        std::vector<std::string> texts(4);
        std::vector<std::vector<Bytes>> sent(4);
        for (int i = 0; i < 40; ++i) {
            const int rank = int(random() % 4);
            const std::size_t size = i == 0 ? largestRoutedBytes : random() % 3000;
            const RoutedPiece made = piece(rank, i, size, random);
            texts[std::size_t(rank)] += routedText(made);
            sent[std::size_t(rank)].push_back(made.bytes);
        }
        RouteReader reader;
        std::vector<std::vector<Bytes>> got(4);
        for (const RoutedPiece& one : received(mixed(texts, random), random, reader))
            got[std::size_t(one.rank.value)].push_back(one.bytes);
        QVERIFY(got == sent);
        QCOMPARE(int(reader.damaged()), 0);
    }
}

void RecordRouteTest::strayPrintsAreNoPieces()
{
    std::mt19937 random(7);
    const RoutedPiece made = piece(0, 0, 500, random);
    RouteReader reader;
    const auto pieces = received(
        tagged(0, "some [library] says; nothing\n" + routedText(made) + "[1,2]<x"), random, reader);
    QCOMPARE(int(pieces.size()), 1);
    QVERIFY(pieces[0].bytes == made.bytes);
    QCOMPARE(int(reader.damaged()), 0);
    QCOMPARE(reader.takeWords(), std::string("some [library] says; nothing\n[1,2]<x"));
}

void RecordRouteTest::aDamagedPieceIsLeftOutAndCounted()
{
    std::mt19937 random(8);
    int lost = 0;
    for (int trial = 0; trial < 300; ++trial) {
        const RoutedPiece before = piece(0, 0, 100, random);
        const RoutedPiece after = piece(0, 200, 100, random);
        std::string broken = routedText(piece(0, 100, 100, random));
        broken[1 + random() % (broken.size() - 2)] = char(32 + random() % 94);
        RouteReader reader;
        const auto pieces =
            received(tagged(0, routedText(before) + broken + routedText(after)), random, reader);
        QVERIFY(pieces.size() >= 2 && pieces.size() <= 3); // the same letter may have been drawn
        QVERIFY(pieces.front().bytes == before.bytes && pieces.back().bytes == after.bytes);
        QVERIFY(pieces.size() == 3 ? reader.damaged() == 0 : reader.damaged() > 0);
        lost += pieces.size() == 2;
    }
    QVERIFY(lost > 250);
}

void RecordRouteTest::aPieceOfAnotherRankIsRefused()
{
    std::mt19937 random(9);
    RouteReader reader;
    QVERIFY(received(tagged(1, routedText(piece(0, 0, 10, random))), random, reader).empty());
    QCOMPARE(int(reader.damaged()), 1);
}

void RecordRouteTest::aPieceWithoutEndTakesNoMemory()
{
    std::mt19937 random(10);
    RouteReader reader;
    const RoutedPiece made = piece(0, 0, 10, random);
    const std::string endless = "@" + std::string(10 << 20, 'A');
    QCOMPARE(int(received(tagged(0, endless + routedText(made)), random, reader).size()), 1);
    QCOMPARE(int(reader.damaged()), 1);
}

void RecordRouteTest::wordsComeOutWithoutTags()
{
    const std::string text = "mpirun: a note\n" + tagged(3, "rank 3: [a] trouble\n", "stderr") +
                             tagged(1, "rank 1: [1,", "stderr") + tagged(1, "x\n", "stddiag");
    for (std::size_t size = 1; size < text.size(); ++size) {
        std::string words;
        const auto take = [&](Rank, std::string_view part) { words += part; };
        TaggedOutput tags;
        for (std::size_t at = 0; at < text.size(); at += size)
            tags.feed(std::string_view(text).substr(at, size), take);
        tags.finish(take);
        QCOMPARE(words, std::string("mpirun: a note\nrank 3: [a] trouble\nrank 1: [1,x\n"));
    }
}

QTEST_APPLESS_MAIN(RecordRouteTest)
#include "record_route_test.moc"
