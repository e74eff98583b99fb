#include "engine/formats/hf_config.h"
#include "engine/model/parameters.h"
#include "ui/plan/rank_share.h"

#include <QTest>

using namespace triaxis;
using namespace triaxis::ui;

class RankShareTest : public QObject
{
    Q_OBJECT

private slots:
    void oneRankHoldsTheWholeModelOnce_data()
    {
        QTest::addColumn<QString>("model");
        for (const std::string& name : modelPresets())
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }

    void oneRankHoldsTheWholeModelOnce()
    {
        QFETCH(QString, model);
        const ModelSpec spec = modelPreset(model.toStdString());
        const auto shares = rankShares(spec, Layout{});
        QCOMPARE(shares.size(), std::size_t(1));
        QCOMPARE(shares.front().parameters, parameterCount(spec));
        QCOMPARE(shares.front().totalBytes(), parameterCount(spec) * 16);
    }

    void sharesAddUpToTheModelAndItsCopies()
    {
        const ModelSpec spec = modelPreset("gpt2-1m");
        Layout layout;
        layout.tp = 2;
        layout.pp = 2;
        std::int64_t held = 0;
        for (const RankShare& share : rankShares(spec, layout))
            held += share.parameters;
        // Counted again from the parameters one by one: replicated ones on both tensor ranks, the tied
        // token embedding on both ends of the pipeline.
        std::int64_t expected = 0;
        for (const ParameterSpec& parameter : parametersOf(spec)) {
            for (int tensor = 0; tensor < layout.tp; ++tensor) {
                std::int64_t elements = 1;
                for (const std::int64_t size : shardOf(spec, parameter, tensor, layout.tp).shape)
                    elements *= size;
                const bool twice = parameter.owner == ParameterOwner::Embedding &&
                                   parameter.split == TensorSplit::Vocabulary;
                expected += twice ? 2 * elements : elements;
            }
        }
        QCOMPARE(held, expected);
    }

    void saysLayersAndHeadsOfEachRank()
    {
        const ModelSpec spec = modelPreset("gpt2-1m");
        Layout layout;
        layout.tp = 2;
        layout.pp = 2;
        layout.layersPerStage = {1, spec.layers - 1};
        const auto shares = rankShares(spec, layout);
        const RankShare& last = shareOf(shares, layout, {0, 1, 1});
        QCOMPARE(last.ranges.size(), std::size_t(1));
        QCOMPARE(last.ranges.front().first, 1);
        QCOMPARE(last.layers, spec.layers - 1);
        QCOMPARE(last.firstHead, spec.heads / 2);
        QCOMPARE(last.heads, spec.heads / 2);
        QVERIFY(last.head && !last.embedding);
        const RankShare& first = shareOf(shares, layout, {0, 0, 0});
        QVERIFY(first.embedding && !first.head);
    }

    void chunksLieWhereTheSchedulePlacesThem()
    {
        const ModelSpec spec = modelPreset("gpt2-1m");
        Layout layout;
        layout.pp = 2;
        layout.virtualStages = 2;
        layout.layersPerStage = {1, 1, 1, spec.layers - 3};
        ScheduleRequest request;
        request.name = "zb-v";
        const auto shares = rankShares(spec, layout, request);
        const RankShare& first = shareOf(shares, layout, {0, 0, 0});
        QVERIFY(first.embedding && first.head); // both ends of the V
        QCOMPARE(first.layers, spec.layers - 2);
        QCOMPARE(first.ranges.back().first, 3);
        request.name = "interleaved";
        const auto looped = rankShares(spec, layout, request);
        QVERIFY(!shareOf(looped, layout, {0, 0, 0}).head);
        QCOMPARE(shareOf(looped, layout, {0, 0, 1}).ranges.front().first, 1);
        QVERIFY(rankShares(spec, layout, {}).empty()); // 1F1B has one chunk a stage
    }

    void impossibleLayoutHasNoShares()
    {
        const ModelSpec spec = modelPreset("gpt2-1m");
        Layout layout;
        layout.tp = spec.heads + 1;
        QVERIFY(rankShares(spec, layout).empty());
        layout.tp = 1;
        layout.pp = spec.layers + 1;
        QVERIFY(rankShares(spec, layout).empty());
    }
};

QTEST_APPLESS_MAIN(RankShareTest)
#include "rank_share_test.moc"
