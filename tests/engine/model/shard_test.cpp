#include "engine/formats/hf_config.h"
#include "engine/model/parameters.h"
#include "tests/engine/core/expect_error.h"
#include "tests/engine/model/model_fixture.h"

#include <QTest>
#include <numeric>
#include <set>

using namespace triaxis;

namespace
{

std::int64_t countOf(const std::vector<std::int64_t>& shape)
{
    return std::accumulate(shape.begin(), shape.end(), std::int64_t(1), std::multiplies<>());
}

/// The global element of every element of the shard, from its copies; −1 where no copy reaches.
std::vector<std::int64_t> globalsOf(const Shard& shard)
{
    std::vector<std::int64_t> globals(std::size_t(countOf(shard.shape)), -1);
    for (const ShardCopy& copy : shard.copies) {
        for (std::int64_t row = 0; row < copy.rows; ++row) {
            for (std::int64_t i = 0; i < copy.run; ++i) {
                auto& place = globals.at(std::size_t(copy.shardStart + row * copy.shardStride + i));
                if (place != -1)
                    throw std::runtime_error("a shard element is filled twice");
                place = copy.globalStart + row * copy.globalStride + i;
            }
        }
    }
    return globals;
}

/// The same, element by element from globalIndex.
std::vector<std::int64_t> indicesOf(const Shard& shard)
{
    std::vector<std::int64_t> globals;
    for (std::int64_t i = 0; i < countOf(shard.shape); ++i)
        globals.push_back(globalIndex(shard, i));
    return globals;
}

ParameterSpec find(const ModelSpec& model, const std::string& name)
{
    for (const ParameterSpec& parameter : parametersOf(model)) {
        if (parameter.name == name)
            return parameter;
    }
    throw std::runtime_error("no parameter " + name);
}

ModelSpec withBiases(ModelSpec model)
{
    model.attentionBias = model.mlpBias = true;
    return model;
}

ModelSpec withKeyValueHeads(ModelSpec model, int heads)
{
    model.kvHeads = heads;
    return model;
}

/// Row-major indices of a [rows, columns] matrix's block.
std::vector<std::int64_t> block(std::int64_t columns, std::int64_t firstRow, std::int64_t rows,
                                std::int64_t firstColumn, std::int64_t width)
{
    std::vector<std::int64_t> indices;
    for (std::int64_t row = firstRow; row < firstRow + rows; ++row) {
        for (std::int64_t column = firstColumn; column < firstColumn + width; ++column)
            indices.push_back(row * columns + column);
    }
    return indices;
}

} // namespace

class ShardTest : public QObject
{
    Q_OBJECT

private slots:
    void shardsTileEveryTensor_data();
    void shardsTileEveryTensor();
    void equalReplicasHoldEqualElements_data() { shardsTileEveryTensor_data(); }
    void equalReplicasHoldEqualElements();
    void vocabularyRowsAreRoundedUp();
    void fusedAttentionKeepsHeadsTogether();
    void queryHeadsMeetTheirKeyValueHead();
    void oneRankHoldsEverythingInOneCopy();
    void refusesSplitsThatAreImpossible();
    void refusesElementsOutsideTheShard();
};

void ShardTest::shardsTileEveryTensor_data()
{
    QTest::addColumn<int>("model");
    QTest::addColumn<int>("size");
    for (int model = 0; model < 6; ++model) {
        for (const int size : {1, 2, 4, 8})
            QTest::addRow("model %d, %d ranks", model, size) << model << size;
    }
}

namespace
{

ModelSpec modelNumber(int number)
{
    switch (number) {
    case 0:
        return smallGpt2();
    case 1:
        return smallLlama();
    case 2:
        return withBiases(smallLlama());
    case 3:
        return withBiases(withKeyValueHeads(smallLlama(), 1));
    case 4:
        return withBiases(withKeyValueHeads(smallLlama(), 4));
    default:
        return withBiases(withKeyValueHeads(smallLlama(), 8));
    }
}

} // namespace

void ShardTest::shardsTileEveryTensor()
{
    QFETCH(int, model);
    QFETCH(int, size);
    const ModelSpec spec = modelNumber(model);
    for (const ParameterSpec& parameter : parametersOf(spec)) {
        const std::int64_t all = countOf(parameter.shape);
        std::vector<int> holders(std::size_t(all), 0), counted(std::size_t(all), 0);
        int replicas = 0;
        for (int rank = 0; rank < size; ++rank) {
            const Shard shard = shardOf(spec, parameter, rank, size);
            const std::vector<std::int64_t> globals = globalsOf(shard);
            QCOMPARE(shard.shape.size(), parameter.shape.size());
            QCOMPARE(shard.partial, std::int64_t(globals.size()) < all);
            replicas = shard.replicas;
            QVERIFY2(indicesOf(shard) == globals, parameter.name.c_str());
            for (const std::int64_t global : globals) {
                ++holders.at(std::size_t(global));
                counted.at(std::size_t(global)) += shard.counted;
            }
        }
        QVERIFY2(holders == std::vector<int>(std::size_t(all), replicas), parameter.name.c_str());
        QVERIFY2(counted == std::vector<int>(std::size_t(all), 1), parameter.name.c_str());
    }
}

void ShardTest::equalReplicasHoldEqualElements()
{
    QFETCH(int, model);
    QFETCH(int, size);
    const ModelSpec spec = modelNumber(model);
    for (const ParameterSpec& parameter : parametersOf(spec)) {
        std::map<int, std::vector<std::int64_t>> elements;
        std::map<int, int> ranks;
        for (int rank = 0; rank < size; ++rank) {
            const Shard shard = shardOf(spec, parameter, rank, size);
            const auto [place, first] = elements.emplace(shard.replica, globalsOf(shard));
            QCOMPARE(shard.counted, first);
            QVERIFY(first || place->second == globalsOf(shard));
            ++ranks[shard.replica];
        }
        for (int rank = 0; rank < size; ++rank) {
            const Shard shard = shardOf(spec, parameter, rank, size);
            QCOMPARE(shard.replicas, ranks[shard.replica]);
        }
    }
}

void ShardTest::vocabularyRowsAreRoundedUp()
{
    ModelSpec model = smallGpt2();
    const auto rows = [&](int vocabulary, int size) {
        model.vocabulary = vocabulary;
        std::vector<std::int64_t> result;
        for (int rank = 0; rank < size; ++rank)
            result.push_back(shardOf(model, find(model, "wte.weight"), rank, size).shape[0]);
        return result;
    };
    QVERIFY((rows(509, 2) == std::vector<std::int64_t>{255, 254}));
    QVERIFY((rows(509, 4) == std::vector<std::int64_t>{128, 128, 128, 125}));
    QVERIFY((rows(50257, 8) ==
             std::vector<std::int64_t>{6283, 6283, 6283, 6283, 6283, 6283, 6283, 6276}));
    QVERIFY((rows(5, 4) == std::vector<std::int64_t>{2, 2, 1, 0}));
    QVERIFY((rows(9, 8) == std::vector<std::int64_t>{2, 2, 2, 2, 1, 0, 0, 0}));
    model.vocabulary = 5;
    QVERIFY(shardOf(model, find(model, "wte.weight"), 3, 4).copies.empty());
}

void ShardTest::fusedAttentionKeepsHeadsTogether()
{
    // [48, 144]: query columns 0–47, key 48–95, value 96–143; of four ranks the second holds heads
    // 2 and 3.
    const ModelSpec model = smallGpt2();
    const Shard weight = shardOf(model, find(model, "h.1.attn.c_attn.weight"), 1, 4);
    QVERIFY((weight.shape == std::vector<std::int64_t>{48, 36}));
    std::vector<std::int64_t> expected;
    for (std::int64_t row = 0; row < 48; ++row) {
        for (const std::int64_t part : {0, 48, 96}) {
            for (std::int64_t column = 12; column < 24; ++column)
                expected.push_back(row * 144 + part + column);
        }
    }
    QVERIFY(globalsOf(weight) == expected);
    const Shard bias = shardOf(model, find(model, "h.1.attn.c_attn.bias"), 1, 4);
    QVERIFY(globalsOf(bias) == std::vector<std::int64_t>(expected.begin(), expected.begin() + 36));
}

void ShardTest::queryHeadsMeetTheirKeyValueHead()
{
    // Eight query heads in two groups of four: on eight ranks the ranks 0–3 hold key/value head 0,
    // 4–7 head 1.
    const ModelSpec model = smallLlama();
    for (int rank = 0; rank < 8; ++rank) {
        const Shard q =
            shardOf(model, find(model, "model.layers.0.self_attn.q_proj.weight"), rank, 8);
        const Shard k =
            shardOf(model, find(model, "model.layers.0.self_attn.k_proj.weight"), rank, 8);
        const Shard o =
            shardOf(model, find(model, "model.layers.0.self_attn.o_proj.weight"), rank, 8);
        QVERIFY(globalsOf(q) == block(40, rank * 6, 6, 0, 40));
        QVERIFY(globalsOf(k) == block(40, rank / 4 * 6, 6, 0, 40));
        QVERIFY(globalsOf(o) == block(48, 0, 40, rank * 6, 6));
        QCOMPARE(k.replica, rank / 4);
        QCOMPARE(k.replicas, 4);
        QCOMPARE(k.counted, rank % 4 == 0);
    }
}

void ShardTest::oneRankHoldsEverythingInOneCopy()
{
    for (const ModelSpec& model : {smallGpt2(), smallLlama()}) {
        for (const ParameterSpec& parameter : parametersOf(model)) {
            const Shard shard = shardOf(model, parameter, 0, 1);
            QVERIFY(shard.shape == parameter.shape && !shard.partial && shard.counted &&
                    shard.replicas == 1);
            std::int64_t run = 0;
            for (const ShardCopy& copy : shard.copies)
                run += copy.rows * copy.run;
            QCOMPARE(run, countOf(parameter.shape));
            if (parameter.split != TensorSplit::FusedQkv)
                QVERIFY(shard.copies.size() == 1 && shard.copies.front().rows == 1);
        }
    }
}

void ShardTest::refusesSplitsThatAreImpossible()
{
    const ModelSpec gpt2 = smallGpt2(), llama = smallLlama();
    const auto refusal = [](const ModelSpec& model, const std::string& name, int rank, int size) {
        return errorText([&] { shardOf(model, find(model, name), rank, size); });
    };
    QVERIFY(refusal(gpt2, "h.0.attn.c_attn.weight", 0, 3)
                .contains("8 attention heads cannot be split over 3"));
    QVERIFY(refusal(gpt2, "h.0.mlp.c_fc.weight", 0, 3).contains("160 columns"));
    QVERIFY(refusal(withKeyValueHeads(llama, 4), "model.layers.0.self_attn.k_proj.weight", 0, 6)
                .contains("4 key/value heads cannot be held evenly by 6"));
    QVERIFY(refusal(gpt2, "wte.weight", 2, 2).contains("no tensor rank 2 of 2"));
    QVERIFY(refusal(gpt2, "wte.weight", -1, 2).contains("no tensor rank"));
    QVERIFY(refusal(gpt2, "wte.weight", 0, 0).contains("no tensor rank"));
}

void ShardTest::refusesElementsOutsideTheShard()
{
    const ModelSpec model = smallGpt2();
    const Shard shard = shardOf(model, find(model, "wte.weight"), 1, 2);
    QVERIFY(errorOf([&] { globalIndex(shard, -1); }));
    QVERIFY(errorOf([&] { globalIndex(shard, countOf(shard.shape)); }));
    QCOMPARE(globalIndex(shard, 0), std::int64_t(255) * 48);
}

QTEST_APPLESS_MAIN(ShardTest)
#include "shard_test.moc"
